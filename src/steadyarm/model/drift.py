"""Means that move with the rounds: a drift says how, and a drifting instance is an instance for each stretch of rounds.

A pull reads the cell of (arm, pull) of the reward table as it is under the instance of the round: the noise belongs to
the pull, the mean to the round. Regret is dynamic: every pull costs what its mean lies below the best one of its round.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, NoReturn

import numpy as np

from steadyarm.errors import InvalidInput, InvalidType, NotSupported
from steadyarm.model import checks
from steadyarm.model.instance import Instance
from steadyarm.words import counted

_MOST_STRETCHES = 20_000
_ENDS = "Name the last round of every stretch but the last."
_ROUNDS = "Say how many rounds the means move."
_FLAT = "With one the means would not move."
_DIGITS = 12  # of a season's means, so that they do not depend on the machine's sine


@dataclass(frozen=True)
class Drift:
    """The means of all arms in stretches of rounds; build one with `step`, `linear`, `seasonal` or `of`.

    Attributes:
        means: a row for each stretch, a mean for each arm.
        ends: the last round of every stretch but the last, which does not end.

    >>> Drift.step([0.2, 0.1], [0.1, 0.2], after=5000)
    Drift(means=((0.2, 0.1), (0.1, 0.2)), ends=(5000,))
    """

    means: tuple[tuple[float, ...], ...]
    ends: tuple[int, ...]

    def __post_init__(self) -> None:
        rows = _rows(self.means)
        ends = tuple(
            checks.integer(end, "the end of a stretch", at_least=1, remedy=_ENDS)
            for end in checks.reals(self.ends, "ends", remedy=_ENDS)
        )
        if len(ends) != len(rows) - 1 or any(later <= earlier for earlier, later in pairwise(ends)):
            raise InvalidInput(
                "the ends of a drift must rise and be one fewer than its stretches, whose last does not end; got "
                f"{counted(len(ends), 'end')} of {counted(len(rows), 'stretch', 'stretches')}: {list(ends[:10])}."
            )
        if len({len(row) for row in rows}) != 1:
            raise InvalidInput(
                f"every row of means must name the same arms; got rows of {sorted({len(row) for row in rows})} means."
            )
        if not rows[0]:
            raise InvalidInput(
                "every row of means must have a mean for each arm; got empty rows. Name the means."
            )
        object.__setattr__(self, "means", rows)
        object.__setattr__(self, "ends", ends)

    @classmethod
    def step(cls, before: Sequence[float], then: Sequence[float], *, after: int) -> Drift:
        """Other means after a round."""
        last = checks.integer(after, "after", at_least=1, remedy="It is the last round of the means before.")
        return cls((before, then), (last,))  # type: ignore[arg-type]

    @classmethod
    def linear(cls, start: Sequence[float], end: Sequence[float], *, rounds: int, stairs: int = 100) -> Drift:
        """From one set of means to another in equal stairs, each at the line's value in its middle; then they stay.

        >>> Drift.linear([0.0, 1.0], [1.0, 1.0], rounds=400, stairs=2).means
        ((0.25, 1.0), (0.75, 1.0), (1.0, 1.0))
        """
        first, last = checks.reals(start, "start"), checks.reals(end, "end")
        if len(first) != len(last):
            raise InvalidInput(
                f"start and end must name the same arms; got {len(first)} and {len(last)} means."
            )
        shares = _middles(rounds, stairs, "Take fewer stairs.")
        rows = [tuple(a + (b - a) * share for a, b in zip(first, last, strict=True)) for share in shares]
        return cls((*rows, last), _ends(rounds, len(rows)))

    @classmethod
    def seasonal(
        cls,
        means: Sequence[float],
        swing: Sequence[float],
        *,
        period: int,
        rounds: int,
        stairs: int = 20,
    ) -> Drift:
        """Means that swing around others like a sine, up first, or down first where the swing is negative.

        A period has so many stairs, each at the sine's value in its middle. It ends after `rounds`, a number of
        periods, or goes on to the end of the last one that has begun; then the means stay.

        >>> Drift.seasonal([0.0, 0.5], [0.2, 0.0], period=100, rounds=150, stairs=2).means
        ((0.2, 0.5), (-0.2, 0.5), (0.2, 0.5), (-0.2, 0.5), (0.0, 0.5))
        """
        around, swings = checks.reals(means, "means"), checks.reals(swing, "swing")
        if len(around) != len(swings):
            raise InvalidInput(
                f"swing must be one number for each of the {len(around)} means; got {len(swings)}."
            )
        stairs = checks.integer(stairs, "stairs of a season", at_least=2, remedy=_FLAT)
        length = checks.integer(period, "period", at_least=2, remedy=_FLAT)
        periods = -(-checks.integer(rounds, "rounds", at_least=1, remedy=_ROUNDS) // length)
        remedy = "Take fewer stairs, a longer period or fewer rounds."
        _check_number(periods * min(length, stairs) + 1, remedy)
        heights = [
            round(math.sin(2.0 * math.pi * share), _DIGITS) for share in _middles(period, stairs, remedy)
        ]
        season = [tuple(m + s * height for m, s in zip(around, swings, strict=True)) for height in heights]
        ends = [length * done + end for done in range(periods) for end in _ends(length, len(season))]
        return cls((*season * periods, around), tuple(ends))

    @classmethod
    def of(cls, means: Sequence[Sequence[float]], *, each: int = 1) -> Drift:
        """Means of one's own: a row for each stretch, which lasts `each` rounds; the last row stays.

        >>> Drift.of([[0.0, 1.0], [1.0, 0.0]], each=10).ends
        (10,)
        """
        length = checks.integer(each, "each", at_least=1, remedy="With 1 every round has a row of its own.")
        rows = _rows(means)
        return cls(rows, tuple(length * place for place in range(1, len(rows))))


def stages_of(drift: Drift, rewards: str, around: dict[str, Any]) -> tuple[Instance, ...]:
    """Return the instance of each stretch; an error names the rounds in which the means are not allowed."""
    build, stages = getattr(Instance, rewards), []
    for place, row in enumerate(drift.means):
        try:
            stages.append(build(row, **around))
        except InvalidInput as error:
            first = drift.ends[place - 1] + 1 if place else 1
            raise type(error)(f"from round {first:,} on: {error}") from None
    return tuple(stages)


class DriftingInstance(Instance):
    """An instance whose means move; build one with `Instance.drifting`. No arm has one mean, gap or variance.

    Attributes:
        drift: how the means move.
    """

    moves = True
    kind_of_regret = "dynamic regret"
    drift: Drift

    def __init__(self, drift: Drift, stages: tuple[Instance, ...]) -> None:
        object.__setattr__(self, "drift", drift)
        object.__setattr__(self, "_stages", stages)
        for name in ("rewards", "noise_scales", "low", "high"):
            object.__setattr__(self, name, getattr(stages[0], name))

    @property
    def means(self) -> NoReturn:
        """Refuse to name one mean of an arm."""
        self.check_still()

    def check_still(self) -> NoReturn:
        """Refuse means that move."""
        raise NotSupported(
            "the means of a drifting instance move with the rounds, and this asks for one mean of each arm: "
            "predictions, exact laws, coverage and the like are about means that stay. Use simulate, compare, path or "
            "trial."
        )

    @property
    def n_arms(self) -> int:
        """K, the number of arms."""
        return len(self.drift.means[0])

    @property
    def stages(self) -> tuple[Instance, ...]:
        """The instance of each stretch of rounds."""
        stages: tuple[Instance, ...] = self._stages  # type: ignore[attr-defined]
        return stages

    @property
    def ends(self) -> tuple[int, ...]:
        """The last round of every stretch but the last, which does not end."""
        return self.drift.ends

    @property
    def ever_best(self) -> tuple[bool, ...]:
        """Whether each arm is the best one in some round."""
        return tuple(any(stage.gaps[arm] == 0.0 for stage in self.stages) for arm in range(self.n_arms))

    def in_round(self, number: int) -> Instance:
        """Return the instance of a round, whose means stay; rounds are numbered from 1."""
        number = checks.integer(number, "number", at_least=1, remedy="Rounds are numbered from 1.")
        return self.stages[bisect_left(self.ends, number)]

    def average_means(self, rounds: int) -> tuple[float, ...]:
        """Return the arms' means, averaged over so many rounds.

        >>> Instance.drifting(Drift.step([0.0, 1.0], [1.0, 1.0], after=30)).average_means(40)
        (0.25, 1.0)
        """
        rounds = checks.integer(rounds, "rounds", at_least=1, remedy="Say over how many rounds.")
        lasts = [min(end, rounds) for end in (*self.ends, rounds)]
        lengths = np.diff(lasts, prepend=0)
        return tuple((lengths @ np.array(self.drift.means) / rounds).tolist())

    def mean_in_words(self, arm: int) -> str:
        """Return from where to where an arm's mean moves."""
        low, high = (end(row[arm] for row in self.drift.means) for end in (min, max))
        return f"{low:g}" if low == high else f"{low:.4g} to {high:.4g}"

    def check_class(self, mean_bound: float | None, noise_scale: float, *, for_theorems: bool = True) -> None:
        """Refuse means that leave the class (M, σ) in some round, naming the arm."""
        for stage in self.stages:
            stage.check_class(mean_bound, noise_scale, for_theorems=for_theorems)

    def to_dict(self) -> dict[str, Any]:
        """Return a plain dict from which `Instance.from_dict` makes the same instance."""
        return self.stages[0].to_dict() | {
            "means": [list(row) for row in self.drift.means],
            "ends": list(self.ends),
        }

    def _all(self) -> tuple[Any, ...]:
        return self.drift, self.rewards, self.noise_scales, self.low, self.high

    def __eq__(self, other: object) -> bool:
        return isinstance(other, DriftingInstance) and self._all() == other._all()

    def __hash__(self) -> int:
        return hash(self._all())

    def __repr__(self) -> str:
        means = ", ".join(self.mean_in_words(arm) for arm in range(self.n_arms))
        return (
            f"<drifting instance: {self.n_arms} {self.rewards} arms, means {means}, "
            f"{counted(len(self.stages), 'stretch', 'stretches')}>"
        )


def _check_number(stretches: int, remedy: str) -> None:
    """Refuse more stretches than are taken, before any of them is made."""
    if stretches > _MOST_STRETCHES:
        raise InvalidInput(
            f"a drift has at most {_MOST_STRETCHES:,} stretches of rounds; this one would have {stretches:,}. {remedy}"
        )


def _rows(means: Any) -> tuple[tuple[float, ...], ...]:
    """Return the means of each stretch, as numbers."""
    if isinstance(means, str | bytes | dict | set) or not isinstance(means, Sequence | np.ndarray):
        raise InvalidType(f"means must be a list with a row for each stretch of rounds; got {means!r}.")
    if len(means) == 0:
        raise InvalidInput("a drift must have at least one row of means; got none.")
    _check_number(len(means), "Let each last more rounds.")
    return tuple(checks.reals(row, f"means[{place}]") for place, row in enumerate(means))


def _ends(rounds: int, stairs: int) -> tuple[int, ...]:
    """Return the last rounds of equal stairs."""
    return tuple(rounds * stair // stairs for stair in range(1, stairs + 1))


def _middles(rounds: int, stairs: int, remedy: str) -> list[float]:
    """Return the middles of equal stairs, as shares of the rounds; no more stairs than rounds."""
    rounds = checks.integer(rounds, "rounds of a drift", at_least=1, remedy=_ROUNDS)
    stairs = min(rounds, checks.integer(stairs, "stairs", at_least=1, remedy="A hundred is usual."))
    _check_number(stairs + 1, remedy)
    return [(stair + 0.5) / stairs for stair in range(stairs)]
