"""What is proved about SLE-UCB, for every β and λ: the theorems, the best of them, and the cheapest plan they allow."""

from steadyarm.theory.guarantees.cheapest import cheapest_guarantee
from steadyarm.theory.guarantees.notes import about, notes_on
from steadyarm.theory.guarantees.promises import (
    Guarantee,
    first_nontrivial_horizon,
    guarantee,
    guarantee_on,
    proved_on,
)

__all__ = [
    "Guarantee",
    "about",
    "cheapest_guarantee",
    "first_nontrivial_horizon",
    "guarantee",
    "guarantee_on",
    "notes_on",
    "proved_on",
]
