"""The step engine: plays the rounds one by one, compiled; every policy that is more than a plain class."""

from typing import Any

import numpy as np

from steadyarm.engines.step_indices import Integers, buffered_cells, play_indices
from steadyarm.engines.step_rules import play_rules
from steadyarm.model.instance import Instance
from steadyarm.policies.base import OwnHistoryPolicy, Policy
from steadyarm.policies.rules import RulePolicy, fit


def supports(policy: Policy, _instance: Instance) -> bool:
    """Whether this engine can play the policy."""
    return isinstance(policy, OwnHistoryPolicy | RulePolicy)


def play_range(
    policy: OwnHistoryPolicy | RulePolicy,
    instance: Instance,
    seed: int,
    first_run: int,
    counts: Integers,
    stop: Integers,
    done: Integers,
) -> None:
    """Play runs first_run, first_run + 1, … and write their counts, one row a run.

    Returns early when `stop[0]` is set; keeps the number of rounds played so far in `done[0]`.
    """
    where: tuple[Any, ...] = (
        policy.horizon,
        instance.law,
        instance.location,
        instance.scale,
        np.uint64(seed),
        first_run,
        buffered_cells(policy.n_arms),
        counts,
        stop,
        done,
    )
    if isinstance(policy, OwnHistoryPolicy):
        play_indices(policy.curves, *where)
    else:
        play = fit(play_rules, policy.parameters)
        play(policy.parameters, policy.state_size, policy.pulls_each_arm_first, *where)
