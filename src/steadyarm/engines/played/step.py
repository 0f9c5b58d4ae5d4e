"""The step engine: plays the rounds one by one, compiled; every policy that is more than a plain class."""

import numpy as np

from steadyarm.engines.played.arms import Integers, source_of, tables_of
from steadyarm.engines.played.step_indices import play_indices
from steadyarm.engines.played.step_rules import play_rules
from steadyarm.engines.pool import PlayRange
from steadyarm.model.instance import Instance
from steadyarm.policies.core.base import OwnHistoryPolicy, Policy
from steadyarm.policies.core.binding import ends_explained, no_arm
from steadyarm.policies.core.rules import RulePolicy, fit, rule_of


def supports(policy: Policy, _instance: Instance) -> bool:
    """Whether this engine can play the policy."""
    return isinstance(policy, OwnHistoryPolicy | RulePolicy)


def prepare(policy: OwnHistoryPolicy | RulePolicy, instance: Instance, seed: int) -> PlayRange:
    """Return a function that plays a range of runs, one row of counts a run."""
    if isinstance(policy, OwnHistoryPolicy):
        curves, tables, source = policy.curves, tables_of(policy.curves), source_of(instance, seed)

        def play_range(first_run: int, counts: Integers, stop: Integers, done: Integers) -> None:
            play_indices(curves, tables, source, policy.horizon, first_run, counts, stop, done)

        return play_range

    parameters, rule = policy.parameters, rule_of(policy.parameters)
    [kernel] = fit([play_rules], parameters)

    def play_rule_range(first_run: int, counts: Integers, stop: Integers, done: Integers) -> None:
        fault = np.zeros(3, np.int64)  # round, run and arm of a choice that is no arm
        with ends_explained(policy):
            kernel(
                parameters,
                policy.state_size,
                policy.pulls_each_arm_first,
                policy.horizon,
                instance.law,
                instance.location,
                instance.scale,
                np.uint64(seed),
                first_run,
                counts,
                stop,
                done,
                fault,
            )
        if fault[0] > 0:
            number, run, arm = fault.tolist()
            raise no_arm(policy, rule, run, number, arm)

    return play_rule_range
