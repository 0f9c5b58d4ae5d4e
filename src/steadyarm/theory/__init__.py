"""What can be said without playing: the paper's bounds, and estimates with intervals."""

from steadyarm.theory import lemmas
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
from steadyarm.theory.lemmas import tuning_range
from steadyarm.theory.mean_intervals import intervals
from steadyarm.theory.prediction import Prediction, predict

__all__ = [
    "Estimate",
    "Guarantee",
    "Prediction",
    "guarantee",
    "instability_bound",
    "instability_lower_bound",
    "intervals",
    "lemmas",
    "minimax_regret_lower_bound",
    "predict",
    "product_bound",
    "product_lower_bound",
    "regret_bound",
    "tuning_range",
]
