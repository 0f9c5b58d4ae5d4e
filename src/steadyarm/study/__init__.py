"""Studies: what many simulations together show, saved and drawn."""

from steadyarm.study.adversary import Chain, adversary
from steadyarm.study.allocations import plot_counts
from steadyarm.study.influence import efron_stein, influence, most_influential

__all__ = ["Chain", "adversary", "efron_stein", "influence", "most_influential", "plot_counts"]
