"""What every policy of the registry must do, a new one too, and how policies are found by their names."""

import math
import sys

import numpy as np
import pytest

import steadyarm as sa
from steadyarm.errors import InvalidInput, InvalidType, NotSupported
from steadyarm.policies import RulePolicy
from steadyarm.policies.registry import OWN_POLICIES, policy_from_dict, policy_named
from steadyarm.testing import CHECKS, advance, applies, instances_for
from tests.policies.tilted import Tilted

N_ARMS, HORIZON = 3, 200
GAUSSIAN = sa.Instance.gaussian([0.4, 0.0, -0.4])

POLICIES = {name: kind(n_arms=N_ARMS, horizon=HORIZON) for name, kind in sa.all_policies().items()}
VARIANTS = {
    f"{name}[bernoulli]": sa.all_policies()[name](n_arms=N_ARMS, horizon=HORIZON, rewards="bernoulli")
    for name in ("KLUCB", "KLUCBpp")
}
UNIT_REWARDS = {"KLUCB[bernoulli]", "KLUCBpp[bernoulli]", "KLUCBSwitch", "BetaThompson", "TsallisINF", "Exp3"}
BOUNDED_REWARDS = UNIT_REWARDS | {"UCBV"}


every_policy = pytest.mark.parametrize("name", [*POLICIES, *VARIANTS])


@pytest.fixture
def policy(name):
    return (POLICIES | VARIANTS)[name]


@every_policy
@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_it_does_what_every_policy_must(check, policy):
    check(policy)


@every_policy
def test_it_says_what_it_is_and_where_it_comes_from(policy):
    kind = type(policy)
    assert ">>>" in kind.__doc__
    assert kind.__doc__ != kind.__mro__[1].__doc__
    assert kind.title
    assert kind.source
    assert getattr(sa, kind.__name__) is kind
    assert policy.name == kind.__name__
    assert "None" not in repr(policy)


def test_the_parameters_of_every_rule_have_a_name_of_their_own():
    """Numba tells NamedTuples apart by name: two rules of one name would both run the first one's kernel."""
    kinds = {type(policy.parameters) for policy in POLICIES.values() if isinstance(policy, RulePolicy)}
    assert len({kind.__name__ for kind in kinds}) == len(kinds)


@pytest.mark.parametrize(
    ("name", "changes", "words"),
    [
        ("MOSS", {"constant": 0}, "constant must be positive; got 0.0"),
        ("UCB", {"delta": 0.0}, "delta must be at least 1e-300; got 0.0"),
        ("UCB", {"delta": 1.5}, "delta must be at most 1.0; got 1.5"),
        ("UCBf", {"f": -1}, "f must be positive; got -1.0. Leave it out for log T"),
        ("SafeUCB", {"eta": math.inf}, "eta must be finite; got inf"),
        ("KLUCBpp", {"rewards": "poisson"}, "rewards must be one of 'gaussian', 'bernoulli'; got 'poisson'"),
        ("OCUCB", {"psi": 0.5}, "psi must be at least 1.0; got 0.5"),
        ("KLUCB", {"rewards": 1}, "rewards must be one of 'gaussian', 'bernoulli'; got 1"),
        ("UCB1", {"constant": "2"}, "constant must be a number; got '2'"),
        ("AnytimeMOSS", {"a": -1}, "a must be above -1.0; got -1.0"),
        ("UCBV", {"reward_range": 0}, "reward_range must be positive; got 0.0"),
        ("StableThompson", {"gamma": 0}, "gamma must be positive; got 0.0"),
        ("OptimisticThompson", {"b": -0.5}, "b must be at least 0.0; got -0.5"),
        ("Exp3", {"eta": 0}, "eta must be positive; got 0.0"),
        ("EpsilonGreedy", {"epsilon": 1.01}, "epsilon must be at most 1.0; got 1.01"),
        ("EpsilonGreedy", {"epsilon": -0.1}, "epsilon must be at least 0.0; got -0.1"),
        ("ExploreThenCommit", {"exploration": 67}, "exploration must be at most 66; got 67. 200 rounds are"),
        ("ExploreThenCommit", {"exploration": 0}, "exploration must be at least 1; got 0"),
        ("ExploreThenCommit", {"exploration": 2.5}, "exploration must be a whole number; got 2.5"),
        ("SuccessiveElimination", {"delta": math.nan}, "delta must be finite; got nan"),
        *[(name, {"horizon": N_ARMS}, "horizon must be at least 4; got 3") for name in POLICIES],
        *[(name, {"noise_scale": 0}, "noise_scale must be positive; got 0.0") for name in POLICIES],
    ],
)
def test_a_bad_parameter_is_refused_with_rule_and_value(name, changes, words):
    with pytest.raises(InvalidInput, match=words):
        sa.all_policies()[name](**({"n_arms": N_ARMS, "horizon": HORIZON} | changes))


@every_policy
def test_another_seed_gives_other_counts(policy):
    instance = instances_for(policy)[0]
    one, other = (sa.simulate(policy, instance, runs=40, seed=seed).counts for seed in (5, 6))
    assert not np.array_equal(one, other)


@every_policy
def test_with_late_rewards_no_arm_is_forgotten(policy):
    rewards = sa.reward_table(instances_for(policy)[0], seed=9, pulls=HORIZON)
    play = policy.start(seed=4)
    advance(play, rewards, HORIZON, [], delay=20)
    assert play.counts.sum() == HORIZON
    assert play.counts.min() >= 1
    assert play.outstanding.sum() == 20


def test_rewards_outside_the_unit_interval_are_refused_where_the_policy_needs_them_inside():
    policies = POLICIES | VARIANTS
    assert {name for name in policies if policies[name].unit_rewards} == UNIT_REWARDS
    assert {name for name in policies if not applies(policies[name], GAUSSIAN)} == BOUNDED_REWARDS
    for name in UNIT_REWARDS:
        with pytest.raises(NotSupported, match="rewards between 0 and 1; these lie between -inf and inf"):
            sa.simulate(policies[name], GAUSSIAN, runs=2)
        with pytest.raises(NotSupported, match="takes rewards between 0 and 1"):
            sa.simulate(policies[name], GAUSSIAN, runs=2, outside_class=True)
    with pytest.raises(NotSupported, match=r"within a range of reward_range = 1; these lie between -inf and"):
        sa.simulate(policies["UCBV"], GAUSSIAN, runs=2)
    with pytest.raises(NotSupported, match=r"these lie between -1 and 1\. Raise reward_range"):
        sa.simulate(policies["UCBV"], sa.Instance.bounded([0.0, 0.1, 0.2], low=-1.0), runs=2)
    assert sa.simulate(policies["UCBV"], GAUSSIAN, runs=2, outside_class=True).runs == 2


def test_a_policy_goes_by_its_name_and_one_of_ones_own_by_its_module():
    assert all(policy_named(name) is kind for name, kind in sa.all_policies().items())
    assert policy_named("tests.policies.tilted:Tilted") is Tilted
    for name in ("moss", 3, None, "SLE-UCB"):
        with pytest.raises(InvalidInput, match=r"a policy must be one of 'SLEUCB', .*; got"):
            policy_named(name)
    for name in ("no_such_module:MyPolicy", "tests.policies.tilted:Curves", "tests.policies.tilted:"):
        with pytest.raises(InvalidInput, match="must be a class at the top of a module that is loaded"):
            policy_named(name)


def test_no_name_imports_a_module_unless_the_environment_lists_it(tmp_path, monkeypatch):
    (tmp_path / "listed_policy.py").write_text(
        "from tests.policies.tilted import Tilted as Mine\n", encoding="utf-8"
    )
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(InvalidInput, match="Import 'listed_policy' first"):
        policy_named("listed_policy:Mine")
    monkeypatch.setenv(OWN_POLICIES, "other:One listed_policy:Mine")
    assert policy_named("listed_policy:Mine") is Tilted
    monkeypatch.delitem(sys.modules, "listed_policy")


def test_a_saved_policy_whose_parameters_do_not_fit_is_refused():
    saved = sa.MOSS(n_arms=2, horizon=10).to_dict()
    with pytest.raises(InvalidInput, match="the parameters of MOSS do not fit"):
        policy_from_dict(saved | {"speed": 1})
    with pytest.raises(InvalidType, match="a saved policy must be a dict; got 'MOSS'"):
        policy_from_dict("MOSS")
    with pytest.raises(InvalidInput, match="a saved play must be a dict made by to_dict"):
        sa.play_from_dict({"policy": saved})
