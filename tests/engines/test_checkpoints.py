"""Counts on the way: the same in every engine that plays, on one path in leap, and of bounded size."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import steadyarm as sa
from steadyarm.engines.checkpoints import check_room, checkpoints
from steadyarm.errors import InvalidInput, InvalidType
from steadyarm.policies import OwnHistoryPolicy
from tests.engines.played.test_step import counts_at_by, instances

OWN_HISTORY = [kind for kind in sa.all_policies().values() if issubclass(kind, OwnHistoryPolicy)]
GENERAL = [sa.UCB1, sa.GaussianThompson, sa.EpsilonGreedy, sa.Exp3]
INSTANCE = sa.equal_gap(3, 0.3)


def moments_up_to(horizon):
    """Any rising moments that end with the horizon."""
    return st.sets(st.integers(1, horizon), max_size=12).map(lambda some: sorted(some | {horizon}))


@st.composite
def games(draw, kinds=OWN_HISTORY, longest=300):
    instance = draw(instances)
    horizon = instance.n_arms + draw(st.integers(1, longest))
    able = [kind for kind in kinds if not kind.unit_rewards or (instance.low >= 0.0 and instance.high <= 1.0)]
    policy = draw(st.sampled_from(able))(n_arms=instance.n_arms, horizon=horizon)
    return policy, instance, draw(moments_up_to(horizon))


@settings(max_examples=150)
@given(game=games(), seed=st.integers(0, 2**64 - 1))
def test_prefix_equals_step_at_every_moment(game, seed):
    policy, instance, at = game
    expected = counts_at_by("step", policy, instance, seed, at, runs=11)
    assert np.array_equal(counts_at_by("prefix", policy, instance, seed, at, runs=11), expected)


@settings(max_examples=60)
@given(game=games([*OWN_HISTORY, *GENERAL], longest=80), seed=st.integers(0, 2**64 - 1))
def test_step_equals_the_reference_at_every_moment(game, seed):
    policy, instance, at = game
    expected = counts_at_by("reference", policy, instance, seed, at)
    assert np.array_equal(counts_at_by("step", policy, instance, seed, at), expected)


@pytest.mark.parametrize("kind", OWN_HISTORY, ids=lambda kind: kind.__name__)
def test_prefix_equals_step_at_a_hundred_moments_of_a_longer_run(kind):
    policy = kind(n_arms=3, horizon=20_000)
    at = checkpoints(100, policy)
    coins = sa.Instance.bernoulli([0.5, 0.5, 0.3])
    expected = counts_at_by("step", policy, coins, 4, at, runs=10)
    assert np.array_equal(counts_at_by("prefix", policy, coins, 4, at, runs=10), expected)


@pytest.mark.parametrize(
    ("engine", "horizon"),
    [("leap", 300), ("leap", 5_000_000), ("prefix", 300), ("step", 300), ("reference", 300)],
)
def test_final_counts_do_not_depend_on_the_moments_asked_for(engine, horizon):
    policy = sa.SLEUCB(n_arms=3, horizon=horizon, beta=2.0)
    alone = sa.simulate(policy, INSTANCE, runs=4, seed=1, engine=engine)
    some = sa.simulate(policy, INSTANCE, runs=4, seed=1, engine=engine, at=[1, 5, 200])
    many = sa.simulate(policy, INSTANCE, runs=4, seed=1, engine=engine, at=20)
    assert alone.engine == some.engine == engine
    assert np.array_equal(some.counts, alone.counts)
    assert np.array_equal(many.counts, alone.counts)
    assert np.array_equal(many.counts_at[:, -1], alone.counts)
    assert some.counts_at.sum(axis=2).tolist() == [[1, 5, 200]] * 4


@given(seed=st.integers(0, 10**6), at=moments_up_to(2_000))
@settings(max_examples=40)
@pytest.mark.parametrize(
    "instance", [INSTANCE, sa.Instance.bernoulli([0.5, 0.5, 0.3])], ids=["gaussian", "coins"]
)
@pytest.mark.parametrize("kind", [sa.SLEUCB, sa.MOSS], ids=lambda kind: kind.__name__)
def test_leap_follows_one_path_whatever_moments_are_asked_for(kind, instance, seed, at):
    policy = kind(n_arms=3, horizon=2_000)
    counts = counts_at_by("leap", policy, instance, seed, at)[0]
    assert counts.sum(axis=1).tolist() == at
    assert (np.diff(counts, axis=0) >= 0).all()  # no pull is ever taken back
    for place, moment in enumerate(at[:-1]):
        alone = counts_at_by("leap", policy, instance, seed, [moment, 2_000])[0]
        assert np.array_equal(alone[0], counts[place])


def test_a_moment_is_a_round_of_the_same_policy_and_not_a_shorter_horizon():
    policy = sa.SLEUCB(n_arms=3, horizon=1_000, beta=2.0)
    on_the_way = sa.simulate(policy, INSTANCE, runs=50, at=[100]).counts_at[:, 0]
    shorter = sa.simulate(policy.replace(horizon=100), INSTANCE, runs=50).counts
    assert not np.array_equal(on_the_way, shorter)


def test_estimates_on_the_way_are_those_of_the_counts():
    policy = sa.MOSS(n_arms=3, horizon=500)
    result = sa.simulate(policy, INSTANCE, runs=100, at=[7, 80, 500])
    assert result.at.tolist() == [7, 80, 500]
    assert result.counts_at.shape == (100, 3, 3)
    assert result.regret_at[1].value == pytest.approx(0.3 * result.counts_at[:, 1, 1:].sum(axis=1).mean())
    assert result.instability_at[1].value == pytest.approx(result.counts_at[:, 1].std(axis=0, ddof=1).max())
    assert (result.regret_at[2], result.instability_at[2]) == (result.regret, result.instability)
    assert [each["value"] for each in result.to_dict()["regret_at"]] == [
        each.value for each in result.regret_at
    ]


def test_nothing_is_noted_unless_it_is_asked_for():
    result = sa.simulate(sa.MOSS(n_arms=3, horizon=500), INSTANCE, runs=10)
    assert (result.at.size, result.counts_at.size, result.regret_at, result.instability_at) == (0, 0, (), ())


def test_precision_and_ctrl_c_keep_counts_on_the_way():
    policy = sa.MOSS(n_arms=3, horizon=2000)
    result = sa.simulate(policy, INSTANCE, precision=0.1, at=[50])
    assert result.counts_at.shape == (result.runs, 1, 3)
    again = sa.simulate(policy, INSTANCE, runs=result.runs, at=[50])
    assert np.array_equal(again.counts_at, result.counts_at)

    def stop_half_way(share):
        if share > 0.3:
            raise KeyboardInterrupt

    with pytest.raises(sa.errors.SimulationInterrupted) as caught:
        sa.simulate(policy, INSTANCE, runs=20_000, at=[50], threads=1, progress=stop_half_way)
    partial = caught.value.partial
    assert partial.counts_at.shape == (partial.runs, 1, 3)
    assert (partial.counts_at.sum(axis=2) == 50).all()


@given(number=st.integers(1, 200), n_arms=st.integers(2, 50), extra=st.integers(1, 10**6))
def test_spaced_moments_are_different_and_go_from_the_arms_to_the_horizon(number, n_arms, extra):
    moments = checkpoints(number, sa.MOSS(n_arms=n_arms, horizon=n_arms + extra))
    assert len(moments) == min(number, extra + 1)
    assert (np.diff(moments) > 0).all()
    assert moments[-1] == n_arms + extra
    assert number == 1 or moments[0] == n_arms


@pytest.mark.parametrize(
    ("at", "error", "words"),
    [
        (0, InvalidInput, "at must be at least 1; got 0"),
        (2.5, InvalidInput, "at must be a whole number; got 2.5"),
        (True, InvalidType, "at must be a whole number; got True"),
        ("50", InvalidType, "a list of them, like .10, 100.; got '50'"),
        (b"50", InvalidType, "a list of them"),
        ({5: 6}, InvalidType, "a list of them"),
        ({5, 6}, InvalidType, "a list of them"),
        ([], InvalidInput, "at must name at least one moment"),
        ([0, 5], InvalidInput, "a moment of at must be at least 1; got 0"),
        ([5, 501], InvalidInput, "a moment of at must be at most 500; got 501. Moments are rounds"),
        ([5, 5], InvalidInput, "at must rise; got 5 after 5. Name the earlier moment first"),
    ],
)
def test_moments_that_are_none_are_refused(at, error, words):
    with pytest.raises(error, match=words):
        sa.simulate(sa.MOSS(n_arms=3, horizon=500), INSTANCE, runs=5, at=at)


def test_counts_that_would_not_fit_are_refused_with_their_size_before_anything_is_played():
    policy = sa.MOSS(n_arms=3, horizon=10**6)
    with pytest.raises(
        InvalidInput, match=r"1,000,000 runs at 100 moments would take 2,400,000,000 bytes .*fewer"
    ):
        sa.simulate(policy, INSTANCE, runs=10**6, at=100, engine="prefix")
    none, last = np.zeros(0, np.int64), np.array([1000])
    check_room(10**9, none, last, 10)  # final counts have no such limit


def test_a_number_in_an_array_is_how_many_moments_for_simulate_and_compare():
    found = sa.simulate(sa.MOSS(n_arms=3, horizon=50), INSTANCE, runs=2, at=np.array(5))
    assert len(found.at) == 5
    assert sa.compare(["MOSS"], INSTANCE, horizon=50, runs=2, at=np.array(5)).study.at == 5


def test_more_moments_than_rounds_are_all_rounds():
    found = sa.simulate(sa.MOSS(n_arms=3, horizon=50), INSTANCE, runs=2, at=1000)
    assert found.at.tolist() == list(range(3, 51))
