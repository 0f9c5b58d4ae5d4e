"""The reference engine: plays through `ask` and `tell` in plain Python; the oracle of the tests."""

from collections import defaultdict
from collections.abc import Iterator

import numpy as np

from steadyarm.engines.interface import Engine, Player, Setting, Watch
from steadyarm.model.feedback import AT_ONCE, Feedback
from steadyarm.model.instance import Instance
from steadyarm.model.table import reward_table
from steadyarm.numerics.arrays import Integers
from steadyarm.policies.core.play import Play
from steadyarm.policies.core.policy import Policy

_READ_AHEAD = 256
_OF_A_ROUND = 2e-5  # seconds


class Reference(Engine):
    """Plays every policy, slowly: every policy has a play."""

    name = "reference"
    goes_by_rounds = True

    def refusal(self, policy: Policy, instance: Instance) -> None:
        """Refuse nothing."""

    def run_cost(self, policy: Policy) -> float:
        """Return the seconds of T rounds in plain Python."""
        return _OF_A_ROUND * policy.horizon

    def prepare(self, setting: Setting) -> Player:
        """Return a player that starts a play for each run."""
        return ReferencePlayer(setting, self.run_cost(setting.policy))


class ReferencePlayer(Player):
    """Plays one round after the other."""

    def __init__(self, setting: Setting, run_cost: float) -> None:
        self.setting, self.rounds, self.run_cost = setting, setting.policy.horizon, run_cost

    def play(self, first_run: int, rows: Integers, watch: Watch) -> None:
        """Play runs first_run, first_run + 1, … and write their counts, one row a run."""
        for row in range(rows.shape[0]):
            self._play_run(first_run + row, rows[row], watch)

    def _play_run(self, run: int, counts: Integers, watch: Watch) -> None:
        policy, instance, seed, at, feedback = self.setting
        play = policy.start(seed=seed, run=run)
        noted = 0
        for _ in rounds_of(play, instance, feedback):
            watch.done[0] += 1
            if play.round == at[noted]:
                counts[noted] = play.counts
                noted += 1
            if watch.stop[0]:
                return


def rounds_of(play: Play, instance: Instance, feedback: Feedback = AT_ONCE) -> Iterator[tuple[int, float]]:
    """Play the rounds one by one by `ask` and `tell`; yield the arm and the reward of each, told or not.

    When a round is yielded, all rewards that are due before the next one have been told.
    """
    seed, run, n_arms = play.seed, play.run, play.policy.n_arms
    pulled, cells = [0] * n_arms, np.empty((n_arms, 0))
    waiting: defaultdict[int, list[tuple[int, float]]] = defaultdict(list)
    for number in range(1, play.policy.horizon + 1):
        arm, known, here = play.ask(), cells.shape[1], instance.in_round(number)
        pulled[arm] += 1
        if here is not instance:
            reward = float(reward_table(here, seed=seed, run=run, pulls=1, first=pulled[arm])[arm, 0])
        else:
            if pulled[arm] > known:
                more = reward_table(
                    instance, seed=seed, run=run, pulls=max(_READ_AHEAD, known), first=known + 1
                )
                cells = np.concatenate([cells, more], axis=1)
            reward = float(cells[arm, pulled[arm] - 1])
        waiting[feedback.due(seed, run, number)].append((arm, reward))
        for report in waiting.pop(number, ()):
            play.tell(*report)
        yield arm, reward
