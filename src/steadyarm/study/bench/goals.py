"""The goals of speed: the only place where they stand. A figure is judged by the goal of the same key."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Goal:
    """What a figure should reach: `at_least` or `at_most` a value; `card` if it is meant for one GPU only."""

    relation: str
    value: float
    card: str = ""

    def reached(self, value: float, card: str = "") -> bool | None:
        """Whether a value reaches it; None if the goal is meant for another card.

        >>> at_least(0.5).reached(0.6), at_most(3.0).reached(4.0), at_least(40.0, card="H200").reached(50.0)
        (True, False, None)
        """
        if self.card and self.card not in card:
            return None
        return value >= self.value if self.relation == "at least" else value <= self.value


def at_least(value: float, card: str = "") -> Goal:
    """Return a goal to be reached from below."""
    return Goal("at least", value, card)


def at_most(value: float, card: str = "") -> Goal:
    """Return a goal to stay under."""
    return Goal("at most", value, card)


GOALS: dict[str, Goal] = {
    # Pulls of one thread over the rewards that one thread of NumPy merely draws.
    "step/SLEUCB/2": at_least(1.0),
    "step/SLEUCB/10": at_least(0.8),
    "step/SLEUCB/100": at_least(0.6),
    "step/UCB1/10": at_least(0.6),
    "step/UCB1/100": at_least(0.12),
    "step/GaussianThompson/10": at_least(0.3),
    "step/KLUCB/10": at_least(0.38),
    "step/UCBV/10": at_least(0.38),
    "step/Exp3/10": at_least(0.14),
    "step/TsallisINF/10": at_least(0.095),
    "prefix/SLEUCB/2": at_least(3.5),
    "prefix/SLEUCB/10": at_least(3.5),
    "prefix/SLEUCB/100": at_least(2.5),
    "prefix/SLEUCB/1000": at_least(2.0),
    # A run of a trillion rounds, in rewards that NumPy draws meanwhile; and a trillion over a million.
    "leap/2/1e12": at_most(1e5),
    "leap/10/1e12": at_most(6e5),
    "leap/2/growth": at_most(3.0),
    "leap/10/growth": at_most(3.0),
    # A run with something extra over one without.
    "extra/prefix/at": at_most(1.3),
    "extra/step/delay": at_most(2.0),
    # Milliseconds a prediction.
    "fluid/10": at_most(1.0),
    # Seconds of a fresh process.
    "start/import": at_most(0.4),
    "start/help": at_most(0.3),
    "start/simulate": at_most(2.0),
    # Billions of pulls a second, double precision.
    "cuda/step/2": at_least(100.0, card="H200"),
    "cuda/step/10": at_least(40.0, card="H200"),
    "cuda/step/UCB1/10": at_least(30.0, card="H200"),
    "cuda/step/GaussianThompson/10": at_least(15.0, card="H200"),
    "cuda/prefix/2": at_least(80.0, card="H200"),
    "cuda/prefix/10": at_least(80.0, card="H200"),
    "cuda/prefix/100": at_least(80.0, card="H200"),
    "cuda/prefix/1000": at_least(80.0, card="H200"),
}
