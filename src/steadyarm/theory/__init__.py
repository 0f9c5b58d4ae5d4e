"""What can be said without playing: the paper's bounds, and estimates with intervals."""

from steadyarm.theory.bounds import (
    Guarantee,
    guarantee,
    instability_bound,
    instability_lower_bound,
    minimax_regret_lower_bound,
    product_bound,
    product_lower_bound,
    regret_bound,
)
from steadyarm.theory.estimates import Estimate

__all__ = [
    "Estimate",
    "Guarantee",
    "guarantee",
    "instability_bound",
    "instability_lower_bound",
    "minimax_regret_lower_bound",
    "product_bound",
    "product_lower_bound",
    "regret_bound",
]
