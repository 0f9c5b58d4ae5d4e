"""Rewards on the edge of the concentration event, where the envelope looks back as far as it ever can."""

from __future__ import annotations

import numpy as np

from steadyarm.policies.own_history.sle_ucb import SLEUCB
from steadyarm.study.verify.claims.base import Floats, Setting

_SHARE = 10  # the prefix is this part of the horizon: 9 of them fit
_ABOVE = 1e-9  # of β/√s, by which later prefixes stay above the one that makes the envelope


def edge_cases(setting: Setting) -> list[SLEUCB]:
    """Return SLE-UCB with clipped rewards, with sharp constants, and with β by hand."""
    kind = setting.sle_ucb
    return [
        kind(n_arms=2, horizon=3000),
        kind(n_arms=2, horizon=3000, constants="sharp"),
        kind(n_arms=2, horizon=3000, beta=1.0),
    ]


def edge_prefix(policy: SLEUCB) -> int:
    """Return the prefix s that makes the envelope up to about n = 9s."""
    return policy.horizon // _SHARE


def edge_rewards(policy: SLEUCB, inside: float = 1.0) -> Floats:
    """Return an arm's rewards, of mean 0, whose averages run along the edge of the event.

    First along the lower edge −β/(2√n), up to s pulls; then so that the upper confidence bound stays where it was at s,
    until that takes the upper edge β/(2√n), at n = 9s; then along that. `inside` draws both edges together.
    """
    n, s = np.arange(1, policy.horizon + 1), edge_prefix(policy)
    edge = inside * policy.beta / (2.0 * np.sqrt(n))
    flat = policy.beta / np.sqrt(s) * (1.0 + _ABOVE) - edge[s - 1] - policy.beta / np.sqrt(n)
    mean = np.where(n <= s, -np.minimum(edge, policy.clip), np.minimum(flat, edge))
    rewards: Floats = np.diff(n * mean, prepend=0.0)
    return rewards
