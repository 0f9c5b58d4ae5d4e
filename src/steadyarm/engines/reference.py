"""The reference engine: plays through `ask` and `tell` in plain Python; the oracle of the tests."""

import numpy as np

from steadyarm.engines.interface import Engine, Player, Watch
from steadyarm.model.arrays import Integers
from steadyarm.model.instance import Instance
from steadyarm.model.table import reward_table
from steadyarm.policies.core.policy import Policy

_READ_AHEAD = 256
_OF_A_ROUND = 2e-5  # seconds


class Reference(Engine):
    """Plays every policy, slowly: every policy has a play."""

    name = "reference"

    def refusal(self, policy: Policy, instance: Instance) -> None:
        """Refuse nothing."""

    def run_cost(self, policy: Policy) -> float:
        """Return the seconds of T rounds in plain Python."""
        return _OF_A_ROUND * policy.horizon

    def prepare(self, policy: Policy, instance: Instance, seed: int, at: Integers) -> Player:
        """Return a player that starts a play for each run."""
        return ReferencePlayer(policy, instance, seed, at, self.run_cost(policy))


class ReferencePlayer(Player):
    """Plays one round after the other."""

    def __init__(self, policy: Policy, instance: Instance, seed: int, at: Integers, run_cost: float) -> None:
        self.policy, self.instance, self.seed, self.at = policy, instance, seed, at
        self.rounds, self.run_cost = policy.horizon, run_cost

    def play(self, first_run: int, rows: Integers, watch: Watch) -> None:
        """Play runs first_run, first_run + 1, … and write their counts, one row a run."""
        for row in range(rows.shape[0]):
            self._play_run(first_run + row, rows[row], watch)

    def _play_run(self, run: int, counts: Integers, watch: Watch) -> None:
        policy, instance, seed = self.policy, self.instance, self.seed
        play = policy.start(seed=seed, run=run)
        pulled = [0] * policy.n_arms
        table = np.empty((policy.n_arms, 0))
        noted = 0
        while play.round < policy.horizon and not watch.stop[0]:
            arm = play.ask()
            if pulled[arm] == table.shape[1]:
                more = reward_table(instance, seed=seed, run=run, pulls=_READ_AHEAD, first=table.shape[1] + 1)
                table = np.concatenate([table, more], axis=1)
            play.tell(arm, float(table[arm, pulled[arm]]))
            pulled[arm] += 1
            watch.done[0] += 1
            if play.round == self.at[noted]:
                counts[noted] = play.counts
                noted += 1
