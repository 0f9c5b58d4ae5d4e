"""Worst-case regret against worst-case instability: SLE-UCB along α among its rivals."""
