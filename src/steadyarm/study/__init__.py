"""Studies: what many simulations together show, saved and drawn."""

from steadyarm.study.adversary import Chain, adversary
from steadyarm.study.allocations import plot_counts
from steadyarm.study.bench import Bench, bench
from steadyarm.study.compare import Comparison, compare
from steadyarm.study.coverage import Coverage, coverage
from steadyarm.study.frontier import Frontier, frontier
from steadyarm.study.influence import efron_stein, influence, most_influential
from steadyarm.study.laboratory import Laboratory
from steadyarm.study.plan_picture import plot_plan
from steadyarm.study.scaling import Scaling, scaling
from steadyarm.study.verify import Verification, verify
from steadyarm.study.worst_case import WorstCase, worst_case

__all__ = [
    "Bench",
    "Chain",
    "Comparison",
    "Coverage",
    "Frontier",
    "Laboratory",
    "Scaling",
    "Verification",
    "WorstCase",
    "adversary",
    "bench",
    "compare",
    "coverage",
    "efron_stein",
    "frontier",
    "influence",
    "most_influential",
    "plot_counts",
    "plot_plan",
    "scaling",
    "verify",
    "worst_case",
]
