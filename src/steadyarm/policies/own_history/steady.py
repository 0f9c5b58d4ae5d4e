"""Steady: the least regret that a given instability allows, to first order, for any number of arms."""

import math
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from steadyarm.model import checks
from steadyarm.numerics.arithmetic import log
from steadyarm.policies.core.curves import Curves
from steadyarm.policies.core.derived import DerivedParameter
from steadyarm.policies.core.own_history import OwnHistoryPolicy

# The bonus for few pulls. With less of it arms freeze so often that it shows: with 2 and 4 in place of 4 and 2, counts
# spread by twice a spread of 0.3 % of T. With more of it, or for longer, first order ends earlier.
_BONUS, _REACH = 4.0, 2.0
_FIRST_ORDER = 0.15  # of the fair share: larger spreads are not what was asked for

# By number of arms: the kink as a multiple of the fair share, the bend, and the largest spread of a count where the
# slope of the tilt is 1/(√x·(1 − bend²x)), in units of σ√T. Computed by tools/steady_shapes.py, which also says how
# far each is from the best: at most 2 % up to 20 arms, 5 % at 100, 11 % at 1000.
_SHAPES = (
    (2, 0.569, 0.052, 0.7241),
    (3, 0.656, 0.343, 0.7983),
    (4, 0.697, 0.353, 0.8500),
    (5, 0.829, 0.052, 0.9046),
    (7, 0.941, 0.176, 0.9224),
    (10, 1.091, 0.278, 0.9359),
    (15, 1.178, 0.424, 0.9464),
    (20, 1.250, 0.495, 0.9534),
    (30, 1.341, 0.578, 0.9630),
    (50, 1.438, 0.663, 0.9736),
    (100, 1.610, 0.748, 0.9832),
    (200, 1.829, 0.810, 0.9894),
    (500, 3.978, 0.823, 0.9974),
    (1000, 7.771, 0.825, 1.0001),
)


class Shape(NamedTuple):
    """The tilt for some number of arms: its kink as a share of all pulls, its bend, and how far counts spread."""

    kink: float
    bend: float
    spread: float


def shape_for(n_arms: int) -> Shape:
    """Return the row of the table, or what lies between two rows, by the logarithm of the number of arms.

    Beyond the last row arms that are hardly pulled change nothing, so its kink stays where it is.

    >>> shape_for(10)
    Shape(kink=0.1091, bend=0.278, spread=0.9359)
    """
    inside = min(n_arms, _SHAPES[-1][0])
    above = next(place for place, row in enumerate(_SHAPES) if row[0] >= inside)
    upper, lower = _SHAPES[above], _SHAPES[max(0, above - 1)]
    share = log(upper[0] / inside) / log(upper[0] / lower[0]) if inside < upper[0] else 0.0
    kink, bend, spread = (high + share * (low - high) for low, high in zip(lower[1:], upper[1:], strict=True))
    return Shape(kink / inside, bend, spread)


@dataclass(frozen=True, kw_only=True)
class Steady(DerivedParameter, OwnHistoryPolicy):
    """Play the arm with the largest mean + σ√(4·log⁺(n₀/n)/n) + λ·tilt(n/T).

    The tilt falls like 1/x up to a kink x₀ and like 1/(√x·(1 − b²x)) beyond; value and slope meet, and x₀ and b
    follow from the number of arms. The bonus is for the first n₀ = 2(σ/λ)² pulls, where noise would freeze an arm.

    To first order the largest standard deviation of any count on any instance is `spread`, and the worst-case regret
    is within 2 % of the least that any policy of that instability has (20 arms; 5 % for 100, 11 % for 1,000). No
    finite-time guarantee is proved.

    Attributes:
        spread: the instability asked for, in pulls; by default a tenth of the fair share T/K. Up to there counts were
            measured to spread by what was asked within a tenth; with few arms they do not from a fifth on.

    >>> policy = Steady(n_arms=2, horizon=100_000, spread=1000)
    >>> play = policy.start(priority=[0, 1])
    >>> for reward in (0.0, 1.0):
    ...     play.tell(play.ask(), reward)
    >>> play.ask()
    1
    """

    title: ClassVar[str] = "Steady"
    source: ClassVar[str] = "steadyarm; no finite-time guarantee"
    derived: ClassVar[str] = "spread"

    spread: float = None  # type: ignore[assignment]  # None: T/(10K)

    def __post_init__(self) -> None:
        super().__post_init__()
        self._set(
            "spread",
            checks.real(
                self.spread,
                "spread",
                above=0.0,
                at_most=self.horizon / 2.0,
                remedy="It is in pulls, and no count between 0 and T spreads by more than T/2.",
            ),
        )
        checks.real(
            self.lam, "the tilt that such a spread takes", at_most=1e200, remedy="Ask for a larger spread."
        )

    @property
    def derived_value(self) -> float:
        """Return T/(10K)."""
        return self.horizon / (10.0 * self.n_arms)

    @property
    def notes(self) -> tuple[str, ...]:
        """That nothing is proved, and whether the spread is too large for a first order."""
        notes = ["Steady has no finite-time guarantee: its spread and its regret hold to first order."]
        share = self.spread * self.n_arms / self.horizon
        if share > _FIRST_ORDER:
            notes.append(
                f"The spread asked for is {share:.0%} of the fair share T/K; beyond {_FIRST_ORDER:.0%} of it the "
                "first-order prediction no longer holds, and what is measured may differ by more than a tenth."
            )
        return tuple(notes)

    @property
    def lam(self) -> float:
        """λ, the strength of the tilt."""
        kink, bend, spread = shape_for(self.n_arms)
        steepness = spread * self.noise_scale * math.sqrt(self.horizon) / self.spread
        return steepness * math.sqrt(kink) / (1.0 - bend * bend * kink)

    @property
    def curves(self) -> Curves:
        """The bonus for few pulls, and the tilt with its kink."""
        kink, bend, _ = shape_for(self.n_arms)
        return Curves(
            horizon=float(self.horizon),
            log_scale=_BONUS * self.noise_scale**2,
            log_reach=_REACH * (self.noise_scale / self.lam) ** 2,
            tilt=self.lam,
            kink=kink * self.horizon,
            bend=bend,
        )
