"""Policies: one policy, one file; `registry.py` lists them."""

from steadyarm.policies.core.curves import Curves
from steadyarm.policies.core.own_history import IndexPlay, OwnHistoryPolicy
from steadyarm.policies.core.play import Play
from steadyarm.policies.core.policy import Policy
from steadyarm.policies.mixed import Mixed
from steadyarm.policies.own_history.sle_ucb import SLEUCB
from steadyarm.policies.own_history.steady import Steady
from steadyarm.policies.padded import Padded
from steadyarm.policies.quotas import Quotas
from steadyarm.policies.registry import all_policies, play_from_dict, policy_from_dict, policy_named
from steadyarm.policies.rules.noise import Noise, normal_at, uniform_at
from steadyarm.policies.rules.rule import rule
from steadyarm.policies.rules.rule_policy import RulePolicy

__all__ = [
    "SLEUCB",
    "Curves",
    "IndexPlay",
    "Mixed",
    "Noise",
    "OwnHistoryPolicy",
    "Padded",
    "Play",
    "Policy",
    "Quotas",
    "RulePolicy",
    "Steady",
    "all_policies",
    "normal_at",
    "play_from_dict",
    "policy_from_dict",
    "policy_named",
    "rule",
    "uniform_at",
]
