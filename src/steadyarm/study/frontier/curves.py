"""The curves of a frontier: policies along one of their parameters."""

from __future__ import annotations

from typing import NamedTuple

from steadyarm.policies.core.policy import Policy
from steadyarm.policies.own_history.sle_ucb import SLEUCB

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
        return f"{self.symbol} = {self.value(policy):g}"


def sle_ucb_curve(policy: SLEUCB, alphas: tuple[float, ...]) -> Curve:
    """Return SLE-UCB along α."""
    along = tuple(policy.replace(alpha=alpha) for alpha in alphas)
    name = f"{policy.title}, {WORDS[policy.constants].removeprefix('the ')}"
    return Curve(name, "alpha", "α", along)
