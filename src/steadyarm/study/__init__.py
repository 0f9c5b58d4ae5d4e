"""Studies: what many simulations together show, saved and drawn."""

from steadyarm.study.allocations import plot_counts

__all__ = ["plot_counts"]
