"""The curves of a frontier: policies along one of their parameters."""

from __future__ import annotations

from typing import NamedTuple

from steadyarm.policies.core.policy import Policy
from steadyarm.policies.own_history.sle_ucb import SLEUCB
from steadyarm.policies.own_history.steady import Steady

SPREADS = (0.5, 0.2, 0.1, 0.05, 0.02, 0.01)
"""Where Steady is measured, as shares of T/K: beyond the first of them first order ends."""

WORDS = {"paper": "the paper's constants", "sharp": "sharp constants"}


class Curve(NamedTuple):
    """A policy along one of its parameters, in the order in which a line joins the points."""

    name: str
    parameter: str
    symbol: str
    policies: tuple[Policy, ...]

    @property
    def policy(self) -> Policy:
        """The first policy on it."""
        return self.policies[0]

    def value(self, policy: Policy) -> float:
        """Return the parameter of one of its policies."""
        return float(getattr(policy, self.parameter))

    def place(self, policy: Policy) -> str:
        """Return where on the curve a policy is, in words.

        >>> curve = sle_ucb_curve(SLEUCB(n_arms=2, horizon=100), (1.0, 4.0))
        >>> curve.name, curve.place(curve.policies[1])
        ("SLE-UCB, paper's constants", 'α = 4')
        """
        return f"{self.symbol} = {self.value(policy):,g}"


def sle_ucb_curve(policy: SLEUCB, alphas: tuple[float, ...]) -> Curve:
    """Return SLE-UCB along α."""
    along = tuple(policy.replace(alpha=alpha) for alpha in alphas)
    name = f"{policy.title}, {WORDS[policy.constants].removeprefix('the ')}"
    return Curve(name, "alpha", "α", along)


def steady_curve(policy: Steady, spreads: tuple[float, ...]) -> Curve:
    """Return Steady along the spread that it aims at, from wide to narrow.

    >>> steady_curve(Steady(n_arms=2, horizon=100), (5.0, 1.0)).name
    'Steady'
    """
    return Curve(policy.title, "spread", "S", tuple(policy.replace(spread=spread) for spread in spreads))
