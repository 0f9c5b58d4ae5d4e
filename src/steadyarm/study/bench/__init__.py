"""Speed, measured: ratios to NumPy's draws, growth, memory, starts; each figure with its goal."""
