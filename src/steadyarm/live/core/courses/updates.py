"""Updates: a play that is not told every reward at once.

With a batch of b it hears of rewards before rounds 1, b + 1, 2b + 1, … only; with a delay of d, of none sooner than d
rounds after its own. It is told all that are due in the order of their rounds, whatever the order in which they came.
So the reward of round t is told after round b·⌈(t + d)/b⌉, as in simulations (`steadyarm.model.feedback`), if it has
come by then.
"""

from __future__ import annotations

from typing import Any

from steadyarm.live.core.courses.waiting import Waiting
from steadyarm.model.feedback import Feedback
from steadyarm.model.moments import Moments, with_reward
from steadyarm.policies import Play

_FEW = 8  # rewards are told quicker one by one


class Updates:
    """The rewards that a play was not told yet, and the moments of all that have come, told or not."""

    def __init__(self, feedback: Feedback, n_arms: int) -> None:
        self._batch, self._delay = feedback.batch, feedback.delay.rounds
        self._waiting = Waiting()
        self._moments = [[0.0] * n_arms for _ in Moments._fields]

    @property
    def moments(self) -> dict[str, list[float]]:
        """Of all rewards that have come, in the order in which they came."""
        return dict(zip(Moments._fields, map(list, self._moments), strict=True))

    def keep(self, turn: int, arm: int, reward: float, known: int) -> None:
        """Keep the reward of a round until it is told; `known` rewards of its arm came before."""
        sums, squares, deviations = self._moments
        sums[arm], squares[arm], deviations[arm] = with_reward(
            float(known), sums[arm], squares[arm], deviations[arm], reward
        )
        self._waiting.put(turn, arm, reward)

    def __len__(self) -> int:
        """How many rewards wait."""
        return len(self._waiting)

    def tell(self, play: Play) -> None:
        """Tell a play all that is due, if a batch begins with its next round."""
        if play.round % self._batch:
            return
        last = play.round - self._delay
        if self._batch > _FEW:
            play.tell_many(*self._waiting.take(last))
        else:
            for arm, reward in self._waiting.take_few(last):
                play.tell(arm, reward)

    def to_dict(self) -> dict[str, Any]:
        """Return all of it, for a snapshot."""
        return {"waiting": self._waiting.to_dict(), "moments": self.moments}

    def load(self, state: dict[str, Any], assigned: int) -> None:
        """Take over a snapshot that was made after so many rounds."""
        last = max(0, assigned - 1) // self._batch * self._batch  # round before which a batch began last
        self._waiting = Waiting.of(state["waiting"], max(0, last - self._delay))
        self._moments = [list(state["moments"][name]) for name in Moments._fields]
