"""What every study stands on: where runs are played, how they are kept and found again, what they cost."""
