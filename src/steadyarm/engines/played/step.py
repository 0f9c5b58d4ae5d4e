"""The step engine: plays the rounds one by one, compiled; every policy that is more than a plain class."""

import numpy as np

from steadyarm.engines.interface import NANOSECOND, Engine, Player, Setting, Watch
from steadyarm.engines.played.game import game_of, tables_of
from steadyarm.engines.played.race import empty_field, play_race, runs_abreast
from steadyarm.engines.played.step_in_order import BYTES_PER_ROUND, play_in_order, room_in_order
from steadyarm.engines.played.step_lanes import BYTES_PER_REWARD, Frame, RuleGame, play_lanes
from steadyarm.engines.played.step_late import BYTES_PER_ROUND as BYTES_PER_LATE_ROUND
from steadyarm.engines.played.step_late import LateGame, play_late, room_late
from steadyarm.engines.played.tournament import tournaments_for
from steadyarm.engines.source import moving_source_of
from steadyarm.errors import InvalidInput
from steadyarm.model.feedback import Lateness
from steadyarm.model.instance import Instance
from steadyarm.numerics.arrays import Integers
from steadyarm.numerics.lanes import LANES, LED_AT_ONCE
from steadyarm.policies.core.fingerprints import is_ours
from steadyarm.policies.core.own_history import OwnHistoryPolicy
from steadyarm.policies.core.policy import Policy
from steadyarm.policies.mixed import Mixed
from steadyarm.policies.rules.binding import index_errors_explained, not_an_arm
from steadyarm.policies.rules.dispatch import specialise_kernels
from steadyarm.policies.rules.mixing import NO_MIXING, Mixing
from steadyarm.policies.rules.rule import has_index, rule_of
from steadyarm.policies.rules.rule_policy import RulePolicy
from steadyarm.policies.rules.side_by_side import room_for, runs_for

_OF_CURVES = 60.0  # nanoseconds a round
_OF_AN_INDEX = 12.0  # likewise, and some for each arm
_OF_A_CHOICE = 60.0  # likewise
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
        if isinstance(policy, OwnHistoryPolicy) and feedback.in_order and not instance.moves:
            return InOrderPlayer(setting, cost)
        if isinstance(_inner(policy), OwnHistoryPolicy):
            return LateIndexPlayer(setting, cost)
        return LanePlayer(setting, cost)


def _inner(policy: Policy) -> Policy:
    """Return the policy that chooses, in a mix the one inside."""
    return policy.policy if isinstance(policy, Mixed) else policy


def _mixing(policy: Policy) -> Mixing:
    return policy.mixing if isinstance(policy, Mixed) else NO_MIXING


def _lateness(setting: Setting, bytes_per_round: int) -> Lateness:
    """Return when rewards are told, if those that wait find room at so many bytes for each round."""
    late = setting.feedback.lateness(setting.policy.horizon)
    size = late.room * bytes_per_round
    if size > _MOST_BYTES:
        raise InvalidInput(
            f"rewards that are told {setting.feedback} would wait in {size:,} bytes a thread; at most {_MOST_BYTES:,} "
            "are taken. Use a shorter delay or batch."
        )
    return late


class IndexPlayer(Player):
    """Plays an own-history policy, several runs in turn."""

    def __init__(
        self, policy: OwnHistoryPolicy, instance: Instance, seed: int, at: Integers, run_cost: float
    ) -> None:
        self.game, self.at = game_of(policy, instance, seed), at
        self.rounds, self.run_cost = policy.horizon, run_cost
        self.together = runs_abreast(policy.n_arms)

    def play(self, first_run: int, rows: Integers, watch: Watch) -> None:
        """Play runs first_run, first_run + 1, … and write their counts, one row a run."""
        play_race(self.game, self.at, empty_field(self.together, rows.shape[2]), first_run, rows, watch)


class InOrderPlayer(Player):
    """Plays an own-history policy whose rewards come late in the order of their rounds, several runs side by side."""

    together = LED_AT_ONCE

    def __init__(self, setting: Setting, run_cost: float) -> None:
        policy, instance, seed, at, _ = setting
        assert isinstance(policy, OwnHistoryPolicy)
        self.game, self.late, self.at = (
            game_of(policy, instance, seed),
            _lateness(setting, BYTES_PER_ROUND),
            at,
        )
        self.rounds, self.run_cost = policy.horizon, run_cost

    def play(self, first_run: int, rows: Integers, watch: Watch) -> None:
        """Play runs first_run, first_run + 1, … and write their counts, one row a run."""
        n_arms = rows.shape[2]
        room, tournaments = room_in_order(n_arms, self.late.room), tournaments_for(n_arms)
        play_in_order(self.game, self.late, room, tournaments, self.at, first_run, rows, watch)


class LateIndexPlayer(Player):
    """Plays an own-history policy, maybe mixed, whose arms are not their own clocks, several runs side by side."""

    together = LED_AT_ONCE

    def __init__(self, setting: Setting, run_cost: float) -> None:
        followed = _inner(setting.policy)
        assert isinstance(followed, OwnHistoryPolicy)
        self.game = LateGame(
            followed.curves,
            tables_of(followed.curves),
            moving_source_of(setting.instance, setting.seed),
            _lateness(setting, BYTES_PER_LATE_ROUND),
            _mixing(setting.policy),
            setting.policy.horizon,
        )
        self.at, self.rounds, self.run_cost = setting.at, setting.policy.horizon, run_cost

    def play(self, first_run: int, rows: Integers, watch: Watch) -> None:
        """Play runs first_run, first_run + 1, … and write their counts, one row a run."""
        n_arms = rows.shape[2]
        room, tournaments = room_late(n_arms, self.game.late.room), tournaments_for(n_arms)
        play_late(self.game, room, tournaments, self.at, first_run, rows, watch)


class LanePlayer(Player):
    """Plays a general policy, maybe mixed, by its rule as it is when the player is made, many runs side by side.

    A rule of steadyarm's, that is. A user's own may do with arrays what it likes, so it gets some: its runs are played
    one by one, and what it does is looked at.
    """

    def __init__(self, setting: Setting, run_cost: float) -> None:
        policy, followed = setting.policy, _inner(setting.policy)
        assert isinstance(followed, RulePolicy)
        self.followed, self.parameters, self.at = followed, followed.parameters, setting.at
        self.rule, self.ours = rule_of(self.parameters), is_ours(type(self.parameters))
        [self.kernel] = specialise_kernels([play_lanes], self.parameters)
        self.frame = Frame(policy.horizon, followed.room, followed.pulls_each_arm_first, *_mixing(policy))
        self.source = moving_source_of(setting.instance, setting.seed)
        self.rounds, self.run_cost = policy.horizon, run_cost
        plain = self.ours and setting.feedback.at_once and policy is followed
        self.late = None if plain else _lateness(setting, BYTES_PER_REWARD * self._fewest_lanes)
        self.together = self._lanes(LANES)

    @property
    def _fewest_lanes(self) -> int:
        return LED_AT_ONCE if self.ours else 1

    def _lanes(self, runs: int) -> int:
        """Return how many of some runs are played side by side: fewer if rewards that wait would take much room."""
        lanes = LED_AT_ONCE
        while lanes < min(runs, LANES):  # a power of two, as the places of rewards that wait are
            lanes *= 2
        roomy = self.late is None or self.late.room * BYTES_PER_REWARD * lanes <= _MOST_BYTES
        return lanes if self.ours and roomy else self._fewest_lanes

    def play(self, first_run: int, rows: Integers, watch: Watch) -> None:
        """Play runs first_run, first_run + 1, … and write their counts, one row a run."""
        n_arms, lanes = rows.shape[2], self._lanes(rows.shape[0])
        runs, room = runs_for(n_arms, lanes, self.frame.state_size), room_for(n_arms, lanes)
        game = RuleGame(self.parameters, self.frame, self.source, self.at)
        played = (game, self.late, runs, room, first_run, rows, watch)
        if self.ours:
            self.kernel(*played, None)
            return
        fault = np.zeros(3, np.int64)  # round, run and arm of a choice that is no arm
        with index_errors_explained(self.followed):
            self.kernel(*played, fault)
        if fault[0] > 0:
            number, run, arm = fault.tolist()
            raise not_an_arm(self.followed, self.rule, run, number, arm)
