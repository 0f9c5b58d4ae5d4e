"""Studies: what many simulations together show, saved and drawn."""

from steadyarm.study.allocations import plot_counts
from steadyarm.study.influence import efron_stein, influence, most_influential

__all__ = ["efron_stein", "influence", "most_influential", "plot_counts"]
