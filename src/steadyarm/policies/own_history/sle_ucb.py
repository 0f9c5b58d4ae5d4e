"""SLE-UCB, Stabilized Lower-Envelope UCB: Algorithm 1 of the paper."""

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

from steadyarm.model import checks
from steadyarm.numerics.arithmetic import log
from steadyarm.policies.core.curves import Curves
from steadyarm.policies.core.own_history import OwnHistoryPolicy


@dataclass(frozen=True, kw_only=True)
class SLEUCB(OwnHistoryPolicy):
    """Play the arm with the largest lower envelope of its upper confidence bounds plus a stabilizer.

        index(n) = min over s ≤ n of ( mean of the first s clipped rewards + β/√s ) + λ·log(T/n)

    Attributes:
        mean_bound: M; the arms' means lie in [−M, M].
        alpha: the knob of the frontier. More of it buys a steadier allocation with more regret.
        constants: "paper" is Algorithm 1 to the letter: ι = √log(KT), clipping at B = M + 4σι, β = 8Bι.
            "sharp" leaves the rewards unclipped and takes β = 8σι, which gives the concentration lemma the
            same failure probability; at moderate horizons it explores far less.
        beta: β by hand instead; `steadyarm.theory.guarantee` says what is proved of it.

    >>> policy = SLEUCB(n_arms=3, horizon=10_000, mean_bound=1.0, noise_scale=1.0, alpha=2.0)
    >>> play = policy.start(seed=7)
    >>> for reward in (0.3, 1.1, -0.4):
    ...     play.tell(play.ask(), reward)
    >>> play.counts
    array([1, 1, 1])
    >>> best = int(play.indices.argmax())
    >>> play.ask() == best
    True
    """

    title: ClassVar[str] = "SLE-UCB"
    source: ClassVar[str] = "Wang, Ye & Zhong, Algorithm 1"
    for_theorems: ClassVar[bool] = True

    mean_bound: float = 1.0
    alpha: float = 1.0
    constants: str = "paper"
    beta: float = None  # type: ignore[assignment]  # None: derived from the constants

    def __post_init__(self) -> None:
        super().__post_init__()
        self._set(
            "mean_bound",
            checks.real(
                self.mean_bound, "mean_bound", above=0.0, at_most=1e100, remedy="Means lie in [-M, M]."
            ),
        )
        self._set(
            "alpha",
            checks.real(
                self.alpha, "alpha", above=0.0, remedy="Use alpha >= 1 for the paper's product guarantee."
            ),
        )
        checks.one_of(self.constants, "constants", ("paper", "sharp"))
        if self.beta is None:
            self._set("beta", self._derived_beta)
        self._set(
            "beta",
            checks.real(self.beta, "beta", above=0.0, remedy="Leave it out for the constants' own value."),
        )
        checks.real(
            self.lam, "alpha * beta * sqrt(K/T)", at_most=1e200, remedy="Use a smaller alpha or beta."
        )

    @cached_property
    def iota(self) -> float:
        """ι = √log(KT)."""
        return math.sqrt(log(float(self.n_arms) * float(self.horizon)))

    @property
    def clip(self) -> float:
        """B, the level at which rewards are clipped (infinite for sharp constants)."""
        if self.constants == "sharp":
            return math.inf
        return self.mean_bound + 4.0 * self.noise_scale * self.iota

    @property
    def lam(self) -> float:
        """λ = αβ√(K/T), the strength of the stabilizer."""
        return self.alpha * self.beta * math.sqrt(self.n_arms / self.horizon)

    @property
    def guaranteed(self) -> bool:
        """Whether β is the constants' own, so that Theorem 2 applies."""
        return self.beta == self._derived_beta

    @property
    def _derived_beta(self) -> float:
        return 8.0 * (self.noise_scale if self.constants == "sharp" else self.clip) * self.iota

    @property
    def curves(self) -> Curves:
        """Width β/√n under the envelope, and the stabilizer λ·log(T/n)."""
        return Curves(
            horizon=float(self.horizon), clip=self.clip, root=self.beta, envelope=True, tilt=self.lam
        )

    def to_dict(self) -> dict[str, Any]:
        """Return a plain dict; β stands in it only if it was set by hand."""
        state = super().to_dict()
        if self.guaranteed:
            del state["beta"]
        return state
