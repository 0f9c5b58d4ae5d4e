"""The step engine: plays the rounds one by one, compiled; every policy that is more than a plain class."""

import numpy as np

from steadyarm.engines.interface import NANOSECOND, Engine, Player, Watch
from steadyarm.engines.played.game import game_of
from steadyarm.engines.played.step_indices import play_indices
from steadyarm.engines.played.step_rules import Frame, play_rules
from steadyarm.engines.source import source_of
from steadyarm.model.arrays import Integers
from steadyarm.model.instance import Instance
from steadyarm.policies.core.binding import index_errors_explained, not_an_arm
from steadyarm.policies.core.curve_rule import CurveRule
from steadyarm.policies.core.dispatch import specialise_kernels
from steadyarm.policies.core.own_history import OwnHistoryPolicy
from steadyarm.policies.core.policy import Policy
from steadyarm.policies.core.rule_policy import RulePolicy
from steadyarm.policies.core.rules import rule_of
from steadyarm.policies.mixed import Mixed

_OF_AN_INDEX = 60.0 * NANOSECOND  # a round
_OF_A_RULE = 20.0  # nanoseconds a round, and some for each arm


class Step(Engine):
    """Plays own-history policies and compiled rules."""

    name = "step"

    def refusal(self, policy: Policy, instance: Instance) -> str | None:  # noqa: ARG002
        """Refuse a policy that nothing compiled is known of."""
        if isinstance(policy.policy if isinstance(policy, Mixed) else policy, OwnHistoryPolicy | RulePolicy):
            return None
        return "it has neither curves nor a rule that could be compiled"

    def run_cost(self, policy: Policy) -> float:
        """Return the seconds of T rounds; a rule looks at every arm in every round."""
        if isinstance(policy, OwnHistoryPolicy):
            return _OF_AN_INDEX * policy.horizon
        followed = as_rule(policy)
        return (_OF_A_RULE + policy.n_arms * followed.arm_nanoseconds) * NANOSECOND * policy.horizon

    def prepare(self, policy: Policy, instance: Instance, seed: int, at: Integers) -> Player:
        """Return a player of the policy's kind."""
        if isinstance(policy, OwnHistoryPolicy):
            return IndexPlayer(policy, instance, seed, at, self.run_cost(policy))
        return RulePlayer(policy, instance, seed, at, self.run_cost(policy))


def as_rule(policy: Policy) -> RulePolicy:
    """Return the rule that a policy follows, in a mix that of the policy inside."""
    inner = policy.policy if isinstance(policy, Mixed) else policy
    if isinstance(inner, OwnHistoryPolicy):
        return CurveRule(inner)
    assert isinstance(inner, RulePolicy)
    return inner


class IndexPlayer(Player):
    """Plays an own-history policy."""

    def __init__(
        self, policy: OwnHistoryPolicy, instance: Instance, seed: int, at: Integers, run_cost: float
    ) -> None:
        self.game, self.at = game_of(policy, instance, seed), at
        self.rounds, self.run_cost = policy.horizon, run_cost

    def play(self, first_run: int, rows: Integers, watch: Watch) -> None:
        """Play runs first_run, first_run + 1, … and write their counts, one row a run."""
        play_indices(self.game, self.at, first_run, rows, watch)


class RulePlayer(Player):
    """Plays a general policy by its rule as it is when the player is made."""

    def __init__(self, policy: Policy, instance: Instance, seed: int, at: Integers, run_cost: float) -> None:
        self.followed, self.at = as_rule(policy), at
        self.parameters, share = self.followed.parameters, policy.share if isinstance(policy, Mixed) else 0.0
        self.rule = rule_of(self.parameters)
        [self.kernel] = specialise_kernels([play_rules], self.parameters)
        self.frame = Frame(
            policy.horizon, self.followed.state_size, self.followed.pulls_each_arm_first, share
        )
        self.source = source_of(instance, seed)
        self.rounds, self.run_cost = policy.horizon, run_cost

    def play(self, first_run: int, rows: Integers, watch: Watch) -> None:
        """Play runs first_run, first_run + 1, … and write their counts, one row a run."""
        fault = np.zeros(3, np.int64)  # round, run and arm of a choice that is no arm
        with index_errors_explained(self.followed):
            self.kernel(self.parameters, self.frame, self.source, self.at, first_run, rows, watch, fault)
        if fault[0] > 0:
            number, run, arm = fault.tolist()
            raise not_an_arm(self.followed, self.rule, run, number, arm)
