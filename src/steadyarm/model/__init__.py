"""What a bandit is: instances, families of them, and the reward table as a pure function."""

from steadyarm.model.families import equal_arms, equal_gap, ladder, one_better
from steadyarm.model.instance import Instance
from steadyarm.model.table import reward_table

__all__ = ["Instance", "equal_arms", "equal_gap", "ladder", "one_better", "reward_table"]
