"""The engines that play every round, or read every cell: step and prefix."""
