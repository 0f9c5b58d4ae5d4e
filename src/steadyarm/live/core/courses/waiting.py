"""The rewards that wait until a play is told them: one place for each round, so that nothing has to be sorted."""

from __future__ import annotations

import zlib
from array import array
from base64 import b64decode, b64encode
from typing import Any

import numpy as np
import numpy.typing as npt

from steadyarm.numerics.arrays import Floats, Integers

_NONE = -1  # in the place of an arm: no reward of that round has come
_SMALL = 1000  # places that are left empty before they are given back


class Waiting:
    """Rewards by their rounds, those of rounds that were due before they came apart from the others.

    A round takes 16 bytes from the first reward after it on until it is due.
    """

    def __init__(self) -> None:
        self._due = 0  # the rounds up to this one are due
        self._before = 0  # the round before that of the first place
        self._arms, self._rewards = array("q"), array("d")
        self._late: list[tuple[int, int, float]] = []
        self._count = 0

    def __len__(self) -> int:
        return self._count

    def put(self, turn: int, arm: int, reward: float) -> None:
        """Keep the reward of a round."""
        self._count += 1
        if turn <= self._due:
            self._late.append((turn, arm, reward))
            return
        place = turn - self._before - 1
        missing = place + 1 - len(self._arms)
        if missing > 0:
            self._arms.extend(array("q", [_NONE]) * missing)
            self._rewards.extend(array("d", [0.0]) * missing)
        self._arms[place], self._rewards[place] = arm, reward

    def take(self, last: int) -> tuple[Integers, Floats]:
        """Return the arms and rewards of all rounds up to `last` that have come, in the order of the rounds."""
        _, arms, rewards = self._come(last)
        self._forget(last, len(arms))
        return arms, rewards

    def take_few(self, last: int) -> list[tuple[int, float]]:
        """Return the same as a list, which is quicker if few rounds have become due."""
        found = [(arm, reward) for _, arm, reward in sorted(self._late)] if self._late else []
        places = range(self._due - self._before, min(last - self._before, len(self._arms)))
        found += [(self._arms[place], self._rewards[place]) for place in places if self._arms[place] != _NONE]
        self._forget(last, len(found))
        return found

    def _forget(self, last: int, taken: int) -> None:
        """Take note that all rounds up to `last` are due, and so many rewards taken."""
        self._count -= taken
        self._due, self._late = max(self._due, last), []
        empty = min(self._due - self._before, len(self._arms))
        if empty > max(_SMALL, len(self._arms) // 2):
            del self._arms[:empty], self._rewards[:empty]
            self._before += empty

    def _come(self, last: int) -> tuple[Integers, Integers, Floats]:
        """Return the rounds up to `last` whose reward waits, with arms and rewards: copies, in order."""
        first, end = self._due - self._before, max(0, last - self._before)
        all_arms, all_rewards = np.array(self._arms[first:end]), np.array(self._rewards[first:end])
        places = np.flatnonzero(all_arms != _NONE)
        rounds, arms, rewards = places + (self._due + 1), all_arms[places], all_rewards[places]
        if not self._late:
            return rounds, arms, rewards
        late = np.array(sorted(self._late), dtype=[("round", "i8"), ("arm", "i8"), ("reward", "f8")])
        return (
            np.concatenate([late["round"], rounds]),
            np.concatenate([late["arm"], arms]),
            np.concatenate([late["reward"], rewards]),
        )

    def to_dict(self) -> dict[str, str]:
        """Return all of it in packed columns, for a snapshot: a million rewards of 0 or 1 take about a megabyte."""
        rounds, arms, rewards = self._come(self._before + len(self._arms))
        return {
            "steps": _packed(np.diff(rounds, prepend=0)),  # from one round to the next
            "arms": _packed(arms),
            "rewards": _packed(rewards),
        }

    @classmethod
    def of(cls, state: dict[str, str], due: int) -> Waiting:
        """Return what a snapshot holds; the rounds up to `due` were due when it was made."""
        found = cls()
        found._due = found._before = due
        rounds = np.cumsum(_unpacked(state["steps"], "<i8")).tolist()
        arms, rewards = _unpacked(state["arms"], "<i8").tolist(), _unpacked(state["rewards"], "<f8").tolist()
        for turn, arm, reward in zip(rounds, arms, rewards, strict=True):
            found.put(turn, arm, reward)
        return found


def _packed(column: Integers | Floats) -> str:
    """Return a column as text: its bytes, the first of every number first, compressed."""
    numbers = column.astype(column.dtype.newbyteorder("<"))
    return b64encode(zlib.compress(numbers.view(np.uint8).reshape(-1, 8).T.tobytes(), level=1)).decode()


def _unpacked(text: str, kind: str) -> npt.NDArray[Any]:
    """Return the column again; text that is none is a ValueError."""
    try:
        found = np.frombuffer(zlib.decompress(b64decode(text, validate=True)), np.uint8).reshape(8, -1)
    except zlib.error as error:
        raise ValueError(str(error)) from error
    return np.ascontiguousarray(found.T).view(kind).reshape(-1)
