"""What can be said without playing: the paper's bounds, predictions, and estimates with intervals."""

from steadyarm.theory import lemmas
from steadyarm.theory.bounds import (
    instability_bound,
    instability_lower_bound,
    minimax_regret_lower_bound,
    product_bound,
    product_lower_bound,
    regret_bound,
)
from steadyarm.theory.estimates import Estimate
from steadyarm.theory.guarantees import Guarantee, cheapest_guarantee, guarantee
from steadyarm.theory.lemmas import tuning_range
from steadyarm.theory.optimum import (
    least_instability,
    least_regret,
    product_constant,
    sharp_minimax_regret,
)
from steadyarm.theory.prediction import Prediction, predict

__all__ = [
    "Estimate",
    "Guarantee",
    "Prediction",
    "cheapest_guarantee",
    "guarantee",
    "instability_bound",
    "instability_lower_bound",
    "least_instability",
    "least_regret",
    "lemmas",
    "minimax_regret_lower_bound",
    "predict",
    "product_bound",
    "product_constant",
    "product_lower_bound",
    "regret_bound",
    "sharp_minimax_regret",
    "tuning_range",
]
