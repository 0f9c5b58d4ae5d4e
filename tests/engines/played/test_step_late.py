"""Late rewards: step gives the counts of the reference, bit for bit, for every policy, and both do what is defined."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.engines.played.test_step import instances

import steadyarm as sa
from steadyarm.errors import NotSupported
from steadyarm.policies import OwnHistoryPolicy, RulePolicy

COINS = sa.Instance.bernoulli([0.6, 0.5, 0.3])
delays = st.one_of(
    st.integers(0, 150),
    st.sampled_from([0.3, 5.0, 60.0]).map(sa.Delay.geometric),
    st.sampled_from([[0.5, 0.5], [0.0, 0.0, 0.4, 0.3], [0.1]]).map(sa.Delay.of),
)
feedbacks = st.fixed_dictionaries({"delay": delays, "batch": st.sampled_from([1, 1, 2, 7, 100])})
OWN_HISTORY = [kind for kind in sa.all_policies().values() if issubclass(kind, OwnHistoryPolicy)]


def both(policy, instance, **how):
    return [
        sa.simulate(policy, instance, **how, engine=engine, outside_class=True, threads=1).counts
        for engine in ("step", "reference")
    ]


@settings(max_examples=150)
@given(
    instance=instances,
    extra=st.integers(1, 150),
    kind=st.sampled_from(OWN_HISTORY),
    share=st.sampled_from([0.0, 0.0, 0.3]),
    late=feedbacks,
    seed=st.integers(0, 2**64 - 1),
    run=st.integers(0, 2**32 - 2),
)
def test_step_equals_the_reference_for_every_own_history_policy(
    instance, extra, kind, share, late, seed, run
):
    policy = kind(n_arms=instance.n_arms, horizon=instance.n_arms + extra)
    if policy.unit_rewards and instance.rewards == "gaussian":
        return
    policy = sa.Mixed(policy, share) if share else policy
    step, reference = both(policy, instance, runs=1, first_run=run, seed=seed, **late)
    assert np.array_equal(step, reference)


@pytest.mark.parametrize("n_arms", [2, 32, 33, 100])
def test_step_equals_the_reference_on_both_sides_of_a_tournament(n_arms):
    for policy in (sa.SLEUCB(n_arms=n_arms, horizon=1500, beta=1.0), sa.MOSS(n_arms=n_arms, horizon=1500)):
        for instance in (sa.equal_gap(n_arms, 0.5), sa.Instance.bernoulli([0.5] * n_arms)):
            for delay in (sa.Delay.of([0.0, 0.5, 0.0, 0.5]), sa.Delay.geometric(20)):
                step, reference = both(policy, instance, runs=2, seed=3, delay=delay, batch=3)
                assert np.array_equal(step, reference)


@pytest.mark.parametrize("share", [0.0, 0.2])
def test_runs_do_not_depend_on_those_beside_them(share):
    policy = sa.Steady(n_arms=6, horizon=2000, spread=100.0)
    policy = sa.Mixed(policy, share) if share else policy
    drift = sa.Drift.linear([0.0] * 6, [0.5, 0.0, 0.0, 0.0, 0.0, 0.0], rounds=2000)
    how = {"seed": 5, "delay": sa.Delay.geometric(40), "engine": "step", "threads": 1}
    for instance in (sa.equal_gap(6, 0.3), sa.Instance.drifting(drift)):
        together = sa.simulate(policy, instance, runs=19, **how).counts
        alone = [sa.simulate(policy, instance, runs=1, first_run=run, **how).counts[0] for run in range(19)]
        assert np.array_equal(together, alone)


def equal_shares_without_news(policy):
    """Index policies and those that take turns: arms without a reward come first, by the pulls they were given."""
    return (
        isinstance(policy, OwnHistoryPolicy)
        or (isinstance(policy, RulePolicy) and policy.pulls_each_arm_first)
        or policy.name in ("ExploreThenCommit", "SuccessiveElimination")
    )


@pytest.mark.parametrize("name", sa.all_policies())
def test_without_any_news_arms_get_equal_shares_except_from_policies_that_draw_their_arms(name):
    policy = sa.all_policies()[name](n_arms=3, horizon=100)
    for late in ({"delay": 100}, {"batch": 100}, {"delay": 99}):
        counts = sa.simulate(policy, COINS, runs=20, seed=1, outside_class=True, **late).counts
        equal = (counts.max(axis=1) - counts.min(axis=1) <= 1).all()
        assert equal == equal_shares_without_news(policy)


def test_the_last_news_before_the_end_is_heard():
    policy = sa.MOSS(n_arms=2, horizon=100)
    counts = sa.simulate(
        policy, sa.Instance.gaussian([0.0, 9.0]), runs=20, delay=98, outside_class=True
    ).counts
    assert set(map(tuple, counts.tolist())) <= {(50, 50), (49, 51), (51, 49)}
    unequal = sa.simulate(
        policy, sa.Instance.gaussian([0.0, 9.0]), runs=20, delay=90, outside_class=True
    ).counts
    assert (unequal[:, 1] > 51).all()


def test_auto_steps_and_the_other_engines_say_why_they_do_not():
    policy, arms = sa.SLEUCB(n_arms=2, horizon=10**6), sa.equal_arms(2)
    assert sa.simulate(policy, arms, runs=1, delay=30).engine == "step"
    for engine in ("leap", "prefix"):
        with pytest.raises(
            NotSupported, match="does not go from round to round, and rewards are told 30 rounds late"
        ):
            sa.simulate(policy, arms, runs=1, delay=30, engine=engine)
    with pytest.raises(NotSupported, match="on a GPU: it does not go from round to round"):
        sa.simulate(policy, arms, runs=1, batch=30, device="cuda")


def test_the_result_does_not_depend_on_threads_and_says_that_nothing_is_proved():
    policy, late = (
        sa.SLEUCB(n_arms=3, horizon=500, constants="sharp"),
        {"delay": sa.Delay.geometric(20), "batch": 10},
    )
    one, many = (sa.simulate(policy, sa.equal_gap(3, 0.5), runs=64, threads=n, **late) for n in (1, 4))
    assert np.array_equal(one.counts, many.counts)
    assert one.to_dict()["batch"] == 10
    assert any("What is proved is about rewards that are told at once" in note for note in one.notes)
    assert "delay" not in sa.simulate(policy, sa.equal_gap(3, 0.5), runs=2).to_dict()


@pytest.mark.parametrize("how", [{"delay": 30}, {"batch": 500}, {"delay": sa.Delay.geometric(mean=100.0)}])
def test_round_robin_gives_equal_shares_however_late_rewards_come(how):
    policy = sa.RoundRobin(n_arms=4, horizon=2002)
    counts = sa.simulate(policy, sa.equal_gap(4, 0.5), runs=5, seed=1, **how).counts
    assert set(counts.ravel().tolist()) == {500, 501}


@pytest.mark.parametrize("name", sa.all_policies())
@settings(max_examples=12)
@given(late=feedbacks, seed=st.integers(0, 2**64 - 1), share=st.sampled_from([0.0, 0.3]))
def test_step_equals_the_reference_for_every_policy_of_the_registry(name, late, seed, share):
    policy = sa.all_policies()[name](n_arms=3, horizon=120)
    if share and not policy.own_pulls_only:
        policy = sa.Mixed(policy, share)
    at = [1, 17, 100]
    step, reference = (
        sa.simulate(
            policy, COINS, runs=2, seed=seed, engine=engine, at=at, threads=1, outside_class=True, **late
        )
        for engine in ("step", "reference")
    )
    assert np.array_equal(step.counts_at, reference.counts_at)
    assert np.array_equal(step.counts, reference.counts)


@pytest.mark.parametrize("name", sa.all_policies())
def test_a_law_that_is_always_zero_rounds_changes_nothing(name):
    policy = sa.all_policies()[name](n_arms=3, horizon=300)
    at_once = sa.simulate(policy, COINS, runs=20, seed=1, engine="step", outside_class=True)
    for delay in (0, sa.Delay.of([1.0])):
        late = sa.simulate(policy, COINS, runs=20, seed=1, engine="step", outside_class=True, delay=delay)
        assert np.array_equal(late.counts, at_once.counts)
