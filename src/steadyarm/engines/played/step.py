"""The step engine: plays the rounds one by one, compiled; every policy that is more than a plain class."""

import numpy as np

from steadyarm.engines.interface import NANOSECOND, Engine, Player, Setting, Watch
from steadyarm.engines.played.game import game_of, tables_of
from steadyarm.engines.played.step_indices import play_indices
from steadyarm.engines.played.step_lanes import play_lanes
from steadyarm.engines.played.step_late import play_late_indices
from steadyarm.engines.played.step_rules import Frame, play_rules
from steadyarm.engines.source import moving_source_of, source_of
from steadyarm.errors import InvalidInput
from steadyarm.model.arrays import Integers
from steadyarm.model.feedback import Feedback, Lateness
from steadyarm.model.instance import Instance
from steadyarm.model.lanes import LANES, LED_AT_ONCE
from steadyarm.policies.core.fingerprints import is_ours
from steadyarm.policies.core.own_history import OwnHistoryPolicy
from steadyarm.policies.core.policy import Policy
from steadyarm.policies.mixed import Mixed
from steadyarm.policies.rules.binding import index_errors_explained, not_an_arm
from steadyarm.policies.rules.dispatch import specialise_kernels
from steadyarm.policies.rules.mixing import NO_MIXING, Mixing
from steadyarm.policies.rules.rule import has_index, rule_of
from steadyarm.policies.rules.rule_policy import RulePolicy

_OF_CURVES = 60.0  # nanoseconds a round
_OF_AN_INDEX = 12.0  # likewise, and some for each arm
_OF_A_CHOICE = 60.0  # likewise
_BYTES_PER_PLACE = 40  # of a reward that waits
_MOST_BYTES = 1 << 30


class Step(Engine):
    """Plays own-history policies and compiled rules."""

    name = "step"
    goes_by_rounds = True

    def refusal(self, policy: Policy, instance: Instance) -> str | None:  # noqa: ARG002
        """Refuse a policy that nothing compiled is known of."""
        if isinstance(_inner(policy), OwnHistoryPolicy | RulePolicy):
            return None
        return "it has neither curves nor a rule that could be compiled"

    def run_cost(self, policy: Policy) -> float:
        """Return the seconds of T rounds; a rule looks at every arm in every round."""
        followed = _inner(policy)
        nanoseconds = _OF_CURVES
        if isinstance(followed, RulePolicy):
            nanoseconds = _OF_AN_INDEX if has_index(followed.parameters) else _OF_A_CHOICE
            nanoseconds += policy.n_arms * followed.arm_nanoseconds
        return nanoseconds * NANOSECOND * policy.horizon

    def prepare(self, setting: Setting) -> Player:
        """Return a player of the policy's kind."""
        policy, instance, seed, at, feedback = setting
        cost = self.run_cost(policy)
        if isinstance(policy, OwnHistoryPolicy) and feedback.at_once and not instance.moves:
            return IndexPlayer(policy, instance, seed, at, cost)
        if LanePlayer.can_play(setting):
            return LanePlayer(setting, cost)
        late = feedback.lateness(policy.horizon)
        _check_room(late, feedback)
        if isinstance(_inner(policy), OwnHistoryPolicy):
            return LateIndexPlayer(setting, late, cost)
        return RulePlayer(setting, late, cost)


def _inner(policy: Policy) -> Policy:
    """Return the policy that chooses, in a mix the one inside."""
    return policy.policy if isinstance(policy, Mixed) else policy


def _mixing(policy: Policy) -> Mixing:
    return policy.mixing if isinstance(policy, Mixed) else NO_MIXING


def _check_room(late: Lateness, feedback: Feedback) -> None:
    size = late.room * _BYTES_PER_PLACE
    if size > _MOST_BYTES:
        raise InvalidInput(
            f"rewards that are told {feedback} would wait in {size:,} bytes a thread; at most {_MOST_BYTES:,} are "
            "taken. Use a shorter delay or batch."
        )


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


class LateIndexPlayer(Player):
    """Plays an own-history policy, maybe mixed, whose arms are not their own clocks."""

    def __init__(self, setting: Setting, late: Lateness, run_cost: float) -> None:
        followed = _inner(setting.policy)
        assert isinstance(followed, OwnHistoryPolicy)
        self.curves, self.mixing = followed.curves, _mixing(setting.policy)
        self.tables, self.source = tables_of(self.curves), moving_source_of(setting.instance, setting.seed)
        self.late, self.at = late, setting.at
        self.rounds, self.run_cost = setting.policy.horizon, run_cost

    def play(self, first_run: int, rows: Integers, watch: Watch) -> None:
        """Play runs first_run, first_run + 1, … and write their counts, one row a run."""
        play_late_indices(
            self.curves, self.tables, self.source, self.late, self.mixing, self.at, first_run, rows, watch
        )


class LanePlayer(Player):
    """Plays a general policy of steadyarm's that has an index, many runs side by side."""

    together = LANES

    def __init__(self, setting: Setting, run_cost: float) -> None:
        policy = setting.policy
        assert isinstance(policy, RulePolicy)
        self.parameters, self.at = policy.parameters, setting.at
        self.source = source_of(setting.instance, setting.seed)
        self.frame = Frame(policy.horizon, policy.room, policy.pulls_each_arm_first)
        self.rounds, self.run_cost = policy.horizon, run_cost

    @staticmethod
    def can_play(setting: Setting) -> bool:
        """Whether all runs go through the same rounds with nothing but an index between them and the rewards."""
        policy = setting.policy
        return (
            isinstance(policy, RulePolicy)
            and is_ours(type(policy.parameters))
            and has_index(policy.parameters)
            and setting.feedback.at_once
            and not setting.instance.moves
        )

    def play(self, first_run: int, rows: Integers, watch: Watch) -> None:
        """Play runs first_run, first_run + 1, … and write their counts, one row a run."""
        lanes = LANES if rows.shape[0] > LED_AT_ONCE else LED_AT_ONCE
        play_lanes(self.parameters, self.frame, self.source, lanes, self.at, first_run, rows, watch)


class RulePlayer(Player):
    """Plays a general policy by its rule as it is when the player is made."""

    def __init__(self, setting: Setting, late: Lateness, run_cost: float) -> None:
        policy, followed = setting.policy, _inner(setting.policy)
        assert isinstance(followed, RulePolicy)
        self.followed, self.parameters, self.late, self.at = followed, followed.parameters, late, setting.at
        self.rule = rule_of(self.parameters)
        [self.kernel] = specialise_kernels([play_rules], self.parameters)
        self.frame = Frame(policy.horizon, followed.room, followed.pulls_each_arm_first, *_mixing(policy))
        self.source = moving_source_of(setting.instance, setting.seed)
        self.rounds, self.run_cost = policy.horizon, run_cost

    def play(self, first_run: int, rows: Integers, watch: Watch) -> None:
        """Play runs first_run, first_run + 1, … and write their counts, one row a run."""
        fault = np.zeros(3, np.int64)  # round, run and arm of a choice that is no arm
        with index_errors_explained(self.followed):
            self.kernel(
                self.parameters, self.frame, self.source, self.late, self.at, first_run, rows, watch, fault
            )
        if fault[0] > 0:
            number, run, arm = fault.tolist()
            raise not_an_arm(self.followed, self.rule, run, number, arm)
