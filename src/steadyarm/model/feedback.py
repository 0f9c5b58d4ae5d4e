"""When a policy hears of a reward: how late each one comes, and every how many rounds news is passed on.

The reward of round t is told before round t + 1 + delay is chosen, or with updates every b rounds at the first multiple
of b after which that is so: after round b·⌈(t + delay)/b⌉. Rewards of one update are told in the order of their rounds.
A delay is a pure function of (seed, run, round), so all policies wait for the same rounds alike.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from steadyarm.errors import InvalidInput, InvalidType
from steadyarm.model import checks
from steadyarm.model.table import uniform
from steadyarm.numerics.arithmetic import log, product
from steadyarm.numerics.arrays import Floats, Integers
from steadyarm.numerics.compiled import compiled
from steadyarm.numerics.philox import DELAYS, words_at
from steadyarm.words import counted

NEVER = checks.LARGEST_HORIZON
"""A round that no run reaches."""

ROUNDS_AT_ONCE = 64
"""Rounds, a power of two, whose delays are drawn together."""

_STREAM, _NO_ARM = np.uint64(DELAYS), np.uint64(0)
_BLOCKS = ROUNDS_AT_ONCE // 4
_SMALLEST = 2.0**-33  # the smallest number that `uniform` gives
_LONGEST_MEAN = 1e9
_SUM_ERROR = 1e-9


@dataclass(frozen=True)
class Delay:
    """How many rounds late a reward comes; build one with `fixed`, `geometric` or `of`.

    Attributes:
        rounds: of a fixed delay.
        mean: of a geometric delay; None for others.
        probabilities: those of 0, 1, 2, … rounds; None unless they are the user's own.
    """

    rounds: int = 0
    mean: float | None = None
    probabilities: tuple[float, ...] | None = None

    def __post_init__(self) -> None:
        if (self.rounds != 0) + (self.mean is not None) + (self.probabilities is not None) > 1:
            raise InvalidInput(
                f"a delay has one of rounds, mean and probabilities; got rounds={self.rounds!r}, mean={self.mean!r}, "
                f"probabilities={self.probabilities!r}. Use Delay.fixed, Delay.geometric or Delay.of."
            )
        rounds = checks.integer(self.rounds, "delay", at_least=0, at_most=NEVER, remedy=_REMEDY)
        object.__setattr__(self, "rounds", rounds)
        if self.mean is not None:
            mean = checks.real(
                self.mean, "mean of the delay", at_least=1e-9, at_most=_LONGEST_MEAN, remedy=_NO_MEAN
            )
            object.__setattr__(self, "mean", mean)
        if self.probabilities is not None:
            object.__setattr__(self, "probabilities", _chances(self.probabilities))

    @classmethod
    def fixed(cls, rounds: int) -> Delay:
        """Every reward comes this many rounds late.

        >>> Delay.fixed(30).longest
        30
        """
        return cls(rounds=rounds)

    @classmethod
    def geometric(cls, mean: float) -> Delay:
        """After every round a waiting reward comes with the same chance, 1/(1 + mean).

        >>> Delay.geometric(mean=30)
        Delay.geometric(mean=30)
        """
        return cls(mean=mean)

    @classmethod
    def of(cls, probabilities: Sequence[float]) -> Delay:
        """A law of one's own: the probabilities of 0, 1, 2, … rounds; what is missing to one never comes.

        >>> Delay.of([0.5, 0.0, 0.25]).lost
        0.25
        """
        return cls(probabilities=probabilities)  # type: ignore[arg-type]

    @property
    def lost(self) -> float:
        """The probability that a reward never comes."""
        return float(1.0 - self._up_to[-1]) if len(self._up_to) else 0.0

    @property
    def longest(self) -> int:
        """The most rounds that a reward can be late, those that never come aside."""
        if self.mean is not None:
            return int(product(log(_SMALLEST), self._slope))
        return self.rounds + max(0, len(self._up_to) - 1)

    @cached_property
    def _up_to(self) -> Floats:
        """The chance of at most 0, 1, 2, … rounds."""
        sums: Floats = np.minimum(1.0, np.cumsum(np.array(self.probabilities or (), dtype=float)))
        if len(sums) and sums[-1] > 1.0 - _SUM_ERROR:
            sums[-1] = 1.0
        return sums

    @property
    def _slope(self) -> float:
        """A geometric delay is ⌊slope · log u⌋, u uniform; 0 for other laws."""
        return 0.0 if self.mean is None else 1.0 / float(log(self.mean / (1.0 + self.mean)))

    def to_dict(self) -> dict[str, Any]:
        """Return the law as a plain dict, fit for JSON."""
        if self.mean is not None:
            return {"law": "geometric", "mean": self.mean}
        if self.probabilities is not None:
            return {"law": "of", "probabilities": list(self.probabilities)}
        return {"law": "fixed", "rounds": self.rounds}

    def __repr__(self) -> str:
        if self.mean is not None:
            short = f"{self.mean:g}"
            return f"Delay.geometric(mean={short if float(short) == self.mean else repr(self.mean)})"
        if self.probabilities is not None:
            return f"Delay.of({list(self.probabilities)})"
        return f"Delay.fixed({self.rounds})"

    def __str__(self) -> str:
        """In words: "30 rounds late"."""
        if self.mean is not None:
            return f"{self.mean:g} {'round' if self.mean == 1.0 else 'rounds'} late on average (geometric)"
        if self.probabilities is not None:
            if not any(self.probabilities):
                return "never told"
            never = f", {self.lost:.3g} of them never" if self.lost else ""
            latest = max(rounds for rounds, chance in enumerate(self.probabilities) if chance > 0.0)
            return (f"up to {counted(latest, 'round')} late" if latest else "at once") + never
        return f"{counted(self.rounds, 'round')} late" if self.rounds else "at once"


_REMEDY = (
    "Say how many rounds late every reward comes, like 30; or give a law of that: Delay.geometric(30), or "
    "Delay.of([0.5, 0.3]) for the chances of 0 and of 1 round."
)
_NO_MEAN = "Without a delay leave it out."


def _chances(probabilities: Any) -> tuple[float, ...]:
    chances = checks.reals(probabilities, "probabilities")
    for rounds, chance in enumerate(chances):
        checks.real(chance, f"probabilities[{rounds}]", at_least=0.0, at_most=1.0)
    if not chances or sum(chances) > 1.0 + _SUM_ERROR:
        raise InvalidInput(
            "the probabilities of a delay must be one or more and add up to at most 1; got "
            f"{counted(len(chances), 'number')} with sum {sum(chances):.9g}. Those of 0, 1, 2, … rounds are "
            "meant; the rest up to 1 never arrives."
        )
    return chances


class Lateness(NamedTuple):
    """A delay and a batch in the form that kernels read."""

    rounds: int
    slope: float
    up_to: Floats
    batch: int
    room: int  # a power of two, more than the rounds between a pull and its report


@dataclass(frozen=True)
class Feedback:
    """A delay, and every how many rounds the policy hears of rewards.

    >>> Feedback(Delay.fixed(3)).due(seed=0, run=0, number=10), Feedback(Delay.fixed(3), 5).due(0, 0, 10)
    (13, 15)
    """

    delay: Delay = Delay()
    batch: int = 1

    @property
    def at_once(self) -> bool:
        """Whether every reward is told before the next round."""
        return self == AT_ONCE

    @property
    def in_order(self) -> bool:
        """Whether rewards are told in the order of their rounds, whatever is drawn."""
        return self.delay.mean is None and self.delay.probabilities is None

    def due(self, seed: int, run: int, number: int) -> int:
        """Return after how many rounds the reward of round `number` is told."""
        due = np.empty(ROUNDS_AT_ONCE, np.int64)
        fill_due(self.lateness(NEVER), np.uint64(seed), run, number // ROUNDS_AT_ONCE, due)
        return int(due[number % ROUNDS_AT_ONCE])

    def lateness(self, horizon: int) -> Lateness:
        """Return it in the form that kernels read, with room for as many rewards as can be waiting."""
        longest = min(horizon, self.delay.longest + self.batch)
        delay = self.delay
        return Lateness(delay.rounds, delay._slope, delay._up_to, self.batch, 1 << longest.bit_length())

    def to_dict(self) -> dict[str, Any]:
        """Return delay and batch, fit for JSON; nothing if rewards are told at once."""
        return {} if self.at_once else {"delay": self.delay.to_dict(), "batch": self.batch}

    def __str__(self) -> str:
        """In words, after "rewards are told": "30 rounds late, every 100 rounds"."""
        if self.batch == 1:
            return str(self.delay)
        late = "" if self.delay == Delay() else f"{self.delay}, "
        return f"{late}every {self.batch:,} rounds"


AT_ONCE = Feedback()


def feedback_of(delay: Any, batch: Any) -> Feedback:
    """Return what `delay=` and `batch=` say."""
    if delay is None:
        delay = Delay()
    if isinstance(delay, str):
        raise InvalidType(f"delay must be a whole number or a steadyarm Delay; got {delay!r}. {_REMEDY}")
    law = delay if isinstance(delay, Delay) else Delay.fixed(delay)
    return Feedback(
        law,
        checks.integer(
            batch, "batch", at_least=1, at_most=NEVER, remedy="1 tells every reward when it comes."
        ),
    )


@compiled
def fill_due(late: Lateness, seed: np.uint64, run: int, place: int, due: Integers) -> None:
    """Write after how many rounds the rewards of rounds 64·place, 64·place + 1, … are told; NEVER if that is so."""
    first, uniforms = ROUNDS_AT_ONCE * place, np.empty(ROUNDS_AT_ONCE)
    if late.slope != 0.0:
        _fill_uniforms(seed, run, place, uniforms)
        _stretch(uniforms, late.slope)
        for one in range(ROUNDS_AT_ONCE):
            due[one] = first + one + int(uniforms[one])
    elif late.up_to.size > 0:
        _fill_uniforms(seed, run, place, uniforms)
        for one in range(ROUNDS_AT_ONCE):
            delay = int(np.searchsorted(late.up_to, uniforms[one], side="right"))
            due[one] = first + one + delay if delay < late.up_to.size else NEVER
    else:
        for one in range(ROUNDS_AT_ONCE):
            due[one] = first + one + late.rounds
    if late.batch > 1:
        for one in range(ROUNDS_AT_ONCE):
            if due[one] < NEVER:
                due[one] = (due[one] + late.batch - 1) // late.batch * late.batch


@compiled
def _fill_uniforms(seed: np.uint64, run: int, place: int, uniforms: Floats) -> None:
    """Draw for rounds 64·place, 64·place + 1, …; a function of its own, where the loop is vectorised."""
    for q in range(_BLOCKS):
        w0, w1, w2, w3 = words_at(seed, np.uint64(run), _NO_ARM, _STREAM, np.uint64(_BLOCKS * place + q))
        uniforms[4 * q], uniforms[4 * q + 1] = uniform(w0), uniform(w1)
        uniforms[4 * q + 2], uniforms[4 * q + 3] = uniform(w2), uniform(w3)


@compiled
def _stretch(uniforms: Floats, slope: float) -> None:
    """Turn uniforms into geometric delays, not yet rounded down."""
    for one in range(uniforms.size):
        uniforms[one] = product(log(uniforms[one]), slope)
