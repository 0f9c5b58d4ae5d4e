"""Policies: one policy, one file; `registry.py` lists them."""

from steadyarm.policies.base import IndexPlay, OwnHistoryPolicy, Play, Policy
from steadyarm.policies.curves import Curves
from steadyarm.policies.padded import Padded
from steadyarm.policies.registry import all_policies, play_from_dict, policy_from_dict
from steadyarm.policies.rules import RulePolicy, rule
from steadyarm.policies.sle_ucb import SLEUCB

__all__ = [
    "SLEUCB",
    "Curves",
    "IndexPlay",
    "OwnHistoryPolicy",
    "Padded",
    "Play",
    "Policy",
    "RulePolicy",
    "all_policies",
    "play_from_dict",
    "policy_from_dict",
    "rule",
]
