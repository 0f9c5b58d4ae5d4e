"""Speed, measured: ratios to NumPy's draws, growth, memory, starts; each figure with its goal."""

from steadyarm.study.bench.goals import GOALS, Goal
from steadyarm.study.bench.report import Bench, Figure, Machine
from steadyarm.study.bench.run import bench

__all__ = ["GOALS", "Bench", "Figure", "Goal", "Machine", "bench"]
