"""Rules of a user's own, for tests."""

# ruff: noqa: ARG001 -- a rule's functions take what rules take, needed or not

from dataclasses import dataclass
from typing import NamedTuple

from steadyarm.policies import RulePolicy, rule


def ruled(*, n_arms=3, horizon=20, state_size=0, scale=1.0, **functions):
    """Return a policy with a rule of its own, and its class of parameters."""

    class Parameters(NamedTuple):
        scale: float

    size = state_size

    @dataclass(frozen=True, kw_only=True)
    class Ruled(RulePolicy):
        title = "ruled"
        source = "a test"
        pulls_each_arm_first = False
        scale: float

        @property
        def parameters(self):
            return Parameters(self.scale)

        @property
        def state_size(self):
            return size

    rule(Parameters, **functions)
    return Ruled(n_arms=n_arms, horizon=horizon, scale=scale), Parameters


def first_arm(parameters, noise, arm, counts, totals, state):
    return -float(arm)


def last_arm(parameters, noise, arm, counts, totals, state):
    return float(arm)
