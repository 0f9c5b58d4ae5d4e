"""Each check finds the fault that it is for, in a policy that is right otherwise."""

from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
import pytest

import steadyarm as sa
from steadyarm import testing
from steadyarm.policies import RulePolicy, rule
from tests.policies.own_rules import first_arm, ruled


@dataclass(frozen=True, kw_only=True)
class Greedy(sa.Policy):
    """Play the arm with the largest mean."""

    title = "greedy"
    source = "a test"

    def start(self, *, seed=0, run=0, priority=None):
        return GreedyPlay(self, seed, run, priority)


class GreedyPlay(sa.Play):
    def __init__(self, policy, seed, run, priority):
        super().__init__(policy, seed, run, priority)
        self.sums = np.zeros(policy.n_arms)

    def _choose(self):
        return max(range(self.policy.n_arms), key=lambda arm: (self.indices[arm], -self.priority[arm]))

    def _assign(self, arm):
        pass

    def _absorb(self, arm, reward):
        self.sums[arm] += reward

    @property
    def indices(self):
        return np.where(self.observed, self.sums / np.maximum(self.observed, 1), 10.0 - self.counts)

    def to_dict(self):
        return super().to_dict() | {"sums": self.sums.tolist()}

    def _load(self, state):
        super()._load(state)
        self.sums = np.array(state["sums"])


class Hasty(Greedy):
    """Adds up rewards that are told together before they join the others, which rounds otherwise."""

    def start(self, *, seed=0, run=0, priority=None):
        return HastyPlay(self, seed, run, priority)


class HastyPlay(GreedyPlay):
    def _take_many(self, arms, rewards):
        self._note_many(arms, rewards)
        self.sums += np.bincount(arms, rewards, minlength=self.policy.n_arms)


class Forgetful(Greedy):
    """Saves no sums."""

    def start(self, *, seed=0, run=0, priority=None):
        return ForgetfulPlay(self, seed, run, priority)


class ForgetfulPlay(GreedyPlay):
    def _load(self, state):
        sa.Play._load(self, state)


class Chancy(Greedy):
    """Draws from a generator that nobody can set back."""

    def start(self, *, seed=0, run=0, priority=None):
        return ChancyPlay(self, seed, run, priority)


class ChancyPlay(GreedyPlay):
    def _choose(self):
        return np.random.default_rng().integers(self.policy.n_arms)


class FirstFirst(Greedy):
    """Prefers arms with small numbers."""

    def start(self, *, seed=0, run=0, priority=None):  # noqa: ARG002
        return FirstFirstPlay(self, seed, run, None)


class FirstFirstPlay(GreedyPlay):
    @property
    def indices(self):
        return super().indices - np.arange(self.policy.n_arms)


class Untold(Greedy):
    """Takes what is no reward."""

    def start(self, *, seed=0, run=0, priority=None):
        return UntoldPlay(self, seed, run, priority)


class UntoldPlay(GreedyPlay):
    def tell(self, arm, reward):
        super().tell(arm, float(np.nan_to_num(float(reward or 0.0), posinf=1.0)))


class Untitled(Greedy):
    title = ""


@dataclass(frozen=True, kw_only=True)
class Unchecked(Greedy):
    def __post_init__(self):
        pass


@dataclass(frozen=True, kw_only=True)
class Stale(Greedy):
    """Keeps a constant of the first horizon."""

    log: float = 0.0

    def __post_init__(self):
        super().__post_init__()
        self._set("log", self.log or float(np.log(self.horizon)))

    def to_dict(self):
        return {name: value for name, value in super().to_dict().items() if name != "log"}

    def replace(self, **changes):
        return type(self)(**({"n_arms": self.n_arms, "horizon": self.horizon, "log": self.log} | changes))


class AnySize(Greedy):
    def check_instance(self, instance, *, outside_class=False):
        pass


class Lossy(Greedy):
    """Does not save its σ."""

    def to_dict(self):
        return {name: value for name, value in super().to_dict().items() if name != "noise_scale"}

    def replace(self, **changes):
        return type(self)(**({"n_arms": self.n_arms, "horizon": self.horizon} | changes))


@dataclass(frozen=True, kw_only=True)
class Lazy(Greedy):
    """Counts one pull too many in its last round."""

    extra: int = field(default=1)

    def start(self, *, seed=0, run=0, priority=None):
        return LazyPlay(self, seed, run, priority)


class LazyPlay(GreedyPlay):
    @property
    def counts(self):
        return super().counts + self.policy.extra * (self.round == self.policy.horizon)


FAULTS = {
    Untitled: testing.it_has_a_title_and_a_source,
    Lossy: testing.it_comes_back_from_its_dict,
    Stale: testing.it_derives_its_constants_anew,
    Unchecked: testing.it_refuses_what_no_policy_can_have,
    Lazy: testing.it_plays_every_round,
    Chancy: testing.the_seed_decides_the_counts,
    FirstFirst: testing.relabelled_arms_have_relabelled_counts,
    Forgetful: testing.a_saved_play_goes_on,
    Hasty: testing.many_rewards_are_told_as_one_by_one,
    Untold: testing.a_bad_reward_changes_nothing,
    AnySize: testing.an_instance_of_another_size_is_refused,
}


@pytest.mark.parametrize("kind", FAULTS, ids=lambda kind: kind.__name__)
def test_a_check_finds_the_fault_that_it_is_for(kind):
    with pytest.raises(AssertionError, match=r"must|no arm"):
        FAULTS[kind](kind(n_arms=3, horizon=40))


@pytest.mark.parametrize("check", testing.CHECKS, ids=lambda check: check.__name__)
def test_a_plain_class_that_is_right_passes(check):
    check(Greedy(n_arms=3, horizon=20))


def test_all_checks_are_run_at_once():
    with pytest.raises(AssertionError, match="title must be a text; got ''"):
        testing.check_policy(Untitled(n_arms=3, horizon=40))


def test_engines_that_disagree_and_rounds_that_are_lost_are_found(monkeypatch):
    policy = sa.UCB1(n_arms=3, horizon=40)
    testing.every_engine_gives_the_same_counts(policy)
    honest = testing.simulate

    def biased(policy, instance, *, engine="auto", **options):
        found = honest(policy, instance, engine=engine, **options)
        if engine == "step":
            found.counts[0] = found.counts[0][::-1].copy()
        return found

    monkeypatch.setattr(testing, "simulate", biased)
    for check in (testing.every_engine_gives_the_same_counts, testing.many_arms_and_ties_are_played_alike):
        with pytest.raises(AssertionError, match="the step engine must give the counts of the reference"):
            check(policy)


def test_the_relabelling_must_be_undone():
    """A negative control: left as they were, the counts of policies that tell arms apart differ."""
    instance = sa.Instance.gaussian([0.4, 0.0, -0.4])
    for kind in (sa.MOSS, sa.GaussianThompson, sa.EpsilonGreedy):
        scores = testing.relabelling_scores(kind(n_arms=3, horizon=200), instance, [0, 1, 2])
        assert scores.max() > testing._Z


def unbound(parameters, noise, arm, counts, totals, state):  # noqa: ARG001 -- what rules take
    if counts[arm] > 3:
        x = 1.0
    return x


def wide(parameters, noise, arm, counts, totals, state):  # noqa: ARG001
    return float((arm + 1) * 2**62)


def of_the_path(parameters, arm, counts, totals, state):  # noqa: ARG001
    state[0] += 1.0


def after_few(parameters, noise, arm, counts, totals, state):  # noqa: ARG001
    return float(arm) if state[0] > 9.0 else -float(arm)


class PathboundParameters(NamedTuple):
    scale: float


@dataclass(frozen=True, kw_only=True)
class Pathbound(RulePolicy):
    title = "pathbound"
    source = "a test"
    kept_size = 1
    parameters = PathboundParameters(1.0)


rule(PathboundParameters, index=after_few, keep=of_the_path)


@pytest.mark.parametrize(
    ("index", "words"),
    [
        (unbound, r"in round 1 it ends in UnboundLocalError: .*'x'.* Bind every variable on every path"),
        (wide, r"in round 1 it does not: arm . and not .*, indices .* rely on no more than 64 bits"),
    ],
)
def test_a_rule_whose_compiled_code_does_something_else_than_its_python_is_found(index, words):
    policy, _ = ruled(index=index)
    testing.every_engine_gives_the_same_counts(policy)  # which are all compiled
    with pytest.raises(AssertionError, match=words):
        testing.a_rule_does_what_its_python_says(policy)


def test_a_rule_that_is_right_does_what_its_python_says():
    testing.a_rule_does_what_its_python_says(ruled(index=first_arm)[0])
    testing.a_rule_does_what_its_python_says(sa.UCB1(n_arms=3, horizon=20))


def test_a_keep_that_depends_on_the_path_is_told_what_a_rule_has_to_do():
    policy = Pathbound(n_arms=3, horizon=20)
    with pytest.raises(AssertionError, match=r"Let update write all .* and let keep derive the others"):
        testing.a_saved_play_goes_on(policy)
