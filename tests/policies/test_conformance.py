"""What every policy of the registry must do; a new one is found here by itself."""

import json
import math
import pickle

import numpy as np
import pytest

import steadyarm as sa
from steadyarm.errors import InvalidInput, NotSupported
from steadyarm.policies import OwnHistoryPolicy, RulePolicy

N_ARMS, HORIZON = 3, 200
GAUSSIAN = sa.Instance.gaussian([0.4, 0.0, -0.4])
COINS = sa.Instance.bernoulli([0.7, 0.5, 0.3])
SHADES = sa.Instance.bounded([0.7, 0.5, 0.3])  # rewards strictly between 0 and 1

POLICIES = {name: kind(n_arms=N_ARMS, horizon=HORIZON) for name, kind in sa.all_policies().items()}
VARIANTS = {
    f"{name}[bernoulli]": sa.all_policies()[name](n_arms=N_ARMS, horizon=HORIZON, rewards="bernoulli")
    for name in ("KLUCB", "KLUCBpp")
}
UNIT_REWARDS = {"KLUCB[bernoulli]", "KLUCBpp[bernoulli]", "KLUCBSwitch", "BetaThompson", "TsallisINF", "Exp3"}
BOUNDED_REWARDS = UNIT_REWARDS | {"UCBV"}


def applies(policy, instance):
    try:
        policy.check_instance(instance)
    except NotSupported:
        return False
    return True


every_policy = pytest.mark.parametrize("name", [*POLICIES, *VARIANTS])
every_pair = pytest.mark.parametrize(
    ("name", "instance"),
    [
        pytest.param(name, instance, id=f"{name}-{instance.rewards}")
        for name, policy in (POLICIES | VARIANTS).items()
        for instance in (GAUSSIAN, COINS, SHADES)
        if applies(policy, instance)
    ],
)


@pytest.fixture
def policy(name):
    return (POLICIES | VARIANTS)[name]


def fitting(policy):
    return GAUSSIAN if applies(policy, GAUSSIAN) else COINS


def advance(play, rewards, until, queue, delay=0):
    """Play to a round with the table's rewards, each told `delay` rounds late; return the arms."""
    arms = []
    while play.round < until:
        arm = play.ask()
        arms.append(arm)
        queue.append((arm, float(rewards[arm, play.counts[arm] - 1])))
        if len(queue) > delay:
            play.tell(*queue.pop(0))
    return arms


@every_policy
def test_it_says_what_it_is_and_where_it_comes_from(policy):
    kind = type(policy)
    assert ">>>" in kind.__doc__
    assert kind.__doc__ != kind.__mro__[1].__doc__
    assert kind.title
    assert kind.source
    assert getattr(sa, kind.__name__) is kind
    assert policy.name == kind.__name__


def test_the_parameters_of_every_rule_have_a_name_of_their_own():
    """Numba tells NamedTuples apart by name: two rules of one name would both run the first one's kernel."""
    kinds = {type(policy.parameters) for policy in POLICIES.values() if isinstance(policy, RulePolicy)}
    assert len({kind.__name__ for kind in kinds}) == len(kinds)


@every_policy
def test_a_record_is_hashable_and_comes_back_from_its_dict(policy):
    for record in (policy, policy.replace(horizon=10**6, noise_scale=0.75)):
        again = sa.policy_from_dict(json.loads(json.dumps(record.to_dict())))
        assert again == record == pickle.loads(pickle.dumps(record))
        assert hash(again) == hash(record)
        assert again.unit_rewards == record.unit_rewards
    assert policy.replace(horizon=HORIZON + 1) != policy


@every_policy
def test_a_changed_record_derives_its_constants_anew(policy):
    changes = {"n_arms": 5, "horizon": 10**5, "noise_scale": 0.5}
    given = {key: value for key, value in policy.to_dict().items() if key != "policy"}
    assert policy.replace(**changes) == type(policy)(**(given | changes))
    assert "None" not in repr(policy)


@pytest.mark.parametrize(
    ("name", "parameter", "default", "by_hand"),
    [
        ("UCBf", "f", math.log(HORIZON), 2.0),
        ("Steady", "spread", HORIZON / (10 * N_ARMS), 20.0),
        ("UCB", "delta", HORIZON**-2, 0.05),
        ("StableThompson", "gamma", math.sqrt(math.log(HORIZON) / math.log(math.log(HORIZON))), 1.5),
        ("OptimisticThompson", "b", math.sqrt(math.log(math.log(HORIZON))), 0.0),
        ("Exp3", "eta", math.sqrt(2 * math.log(N_ARMS) / (N_ARMS * HORIZON)), 0.01),
        (
            "ExploreThenCommit",
            "exploration",
            math.ceil((HORIZON / N_ARMS) ** (2 / 3) * math.log(HORIZON) ** (1 / 3)),
            7,
        ),
        ("SuccessiveElimination", "delta", HORIZON**-2, 0.05),
    ],
)
def test_a_derived_parameter_follows_the_horizon_unless_it_is_set_by_hand(name, parameter, default, by_hand):
    policy = POLICIES[name]
    assert getattr(policy, parameter) == pytest.approx(default, rel=1e-14)
    assert parameter not in policy.to_dict()
    longer = policy.replace(horizon=10 * HORIZON)
    assert getattr(longer, parameter) != getattr(policy, parameter)
    assert longer == type(policy)(n_arms=N_ARMS, horizon=10 * HORIZON)
    fixed = policy.replace(**{parameter: by_hand})
    assert fixed.to_dict()[parameter] == by_hand
    assert getattr(fixed.replace(horizon=10 * HORIZON), parameter) == by_hand


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
def test_the_shortest_horizon_can_be_played(policy):
    shortest = policy.replace(n_arms=2, horizon=3)
    instance = sa.equal_arms(2) if applies(shortest, sa.equal_arms(2)) else sa.Instance.bernoulli([0.5, 0.5])
    assert (sa.simulate(shortest, instance, runs=5).counts.sum(axis=1) == 3).all()


@every_pair
def test_the_counts_add_up_and_every_arm_gets_its_first_pull(policy, instance):
    counts = sa.simulate(policy, instance, runs=20).counts
    assert (counts.sum(axis=1) == HORIZON).all()
    if isinstance(policy, OwnHistoryPolicy) or policy.pulls_each_arm_first:
        assert counts.min() >= 1


@every_pair
def test_every_engine_gives_the_counts_of_the_reference(policy, instance):
    for seed in (0, 1, 2**64 - 1):
        expected = sa.simulate(policy, instance, runs=3, seed=seed, engine="reference").counts
        for engine in ("step", "auto"):
            counts = sa.simulate(policy, instance, runs=3, seed=seed, engine=engine).counts
            assert np.array_equal(counts, expected)


@every_policy
@pytest.mark.parametrize("n_arms", [8, 37])
def test_many_equal_arms_and_their_ties_are_played_as_the_reference_does(policy, n_arms):
    """Kernels treat many arms otherwise than few; equal coins tie all the time."""
    many = policy.replace(n_arms=n_arms)
    coins = sa.Instance.bernoulli([0.5] * n_arms)
    instance = coins if applies(many, coins) else sa.equal_arms(n_arms)
    expected = sa.simulate(many, instance, runs=2, seed=4, engine="reference").counts
    assert np.array_equal(sa.simulate(many, instance, runs=2, seed=4, engine="step").counts, expected)


@every_policy
def test_the_counts_depend_on_the_seed_and_on_nothing_else(policy):
    instance = fitting(policy)
    counts = sa.simulate(policy, instance, runs=40, seed=5, threads=1).counts
    assert np.array_equal(sa.simulate(policy, instance, runs=40, seed=5, threads=2).counts, counts)
    assert np.array_equal(sa.simulate(policy, instance, runs=40, seed=5, threads=7).counts, counts)
    assert not np.array_equal(sa.simulate(policy, instance, runs=40, seed=6, threads=1).counts, counts)


Z = 5.0  # a normal's tail of 6e-7 for each of some two hundred comparisons
RELABELLED = [1, 2, 0]  # arm i of the second instance is arm RELABELLED[i] of the first


def relabelling_scores(policy, instance, relabelled, runs=400):
    """Standardised differences of the mean counts, arm by arm, after undoing the relabelling."""
    other = type(instance).from_dict(
        instance.to_dict() | {"means": [instance.means[arm] for arm in RELABELLED]}
    )
    one = sa.simulate(policy, instance, runs=runs, seed=1).counts[:, relabelled]
    two = sa.simulate(policy, other, runs=runs, seed=2).counts
    error = np.maximum(1e-9, np.sqrt((one.var(axis=0) + two.var(axis=0)) / runs))  # some counts are fixed
    return np.abs(one.mean(axis=0) - two.mean(axis=0)) / error


@every_pair
def test_relabelling_the_arms_relabels_the_counts(policy, instance):
    assert relabelling_scores(policy, instance, RELABELLED).max() < Z


def test_the_relabelling_must_be_undone():
    for policy in (POLICIES["MOSS"], POLICIES["GaussianThompson"], POLICIES["EpsilonGreedy"]):
        assert relabelling_scores(policy, GAUSSIAN, [0, 1, 2]).max() > Z


@every_policy
@pytest.mark.parametrize("delay", [0, 4])
def test_a_play_saved_as_json_goes_on_exactly_as_it_would_have(policy, delay):
    rewards = sa.reward_table(fitting(policy), seed=8, pulls=HORIZON)
    for cut in (0, 2, 3, 57, HORIZON - 1):
        play, queue = policy.start(seed=cut, run=3), []
        advance(play, rewards, cut, queue, delay)
        saved = json.loads(json.dumps(play.to_dict()))
        left = list(queue)
        rest = advance(play, rewards, HORIZON, queue, delay)
        restored = sa.play_from_dict(saved)
        assert advance(restored, rewards, HORIZON, left, delay) == rest
        assert restored.to_dict() == play.to_dict()


@every_policy
def test_with_late_rewards_no_arm_is_forgotten(policy):
    rewards = sa.reward_table(fitting(policy), seed=9, pulls=HORIZON)
    play = policy.start(seed=4)
    advance(play, rewards, HORIZON, [], delay=20)
    assert play.counts.sum() == HORIZON
    assert play.counts.min() >= 1
    assert play.outstanding.sum() == 20


@every_policy
def test_a_bad_reward_is_refused_and_changes_nothing(policy):
    play = policy.start(seed=1)
    rewards = sa.reward_table(fitting(policy), seed=1, pulls=10)
    advance(play, rewards, 5, [])
    arm = play.ask()
    before = play.to_dict()
    bad = [math.nan, math.inf, "1", None, True] + ([1.0001, -0.0001] if policy.unit_rewards else [])
    for reward in bad:
        with pytest.raises(InvalidInput, match="reward must be"):
            play.tell(arm, reward)
    assert play.to_dict() == before
    play.tell(arm, 1.0)


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


@every_policy
def test_an_instance_of_another_size_is_refused(policy):
    instance = sa.equal_arms(2) if fitting(policy) is GAUSSIAN else sa.Instance.bernoulli([0.5, 0.5])
    with pytest.raises(InvalidInput, match="n_arms = 3 arms; it has 2"):
        sa.simulate(policy, instance, runs=2)
