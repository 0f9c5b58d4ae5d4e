"""Drifting instances in the engines: step as the reference, rewards as cells of the table, dynamic regret."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import steadyarm as sa
from steadyarm.errors import InvalidInput, NotSupported

RATES = st.sampled_from([0.0, 0.2, 0.5, 0.8, 1.0])


@st.composite
def drifting(draw):
    n_arms, stretches = draw(st.integers(2, 5)), draw(st.integers(1, 6))
    rows = [draw(st.lists(RATES, min_size=n_arms, max_size=n_arms)) for _ in range(stretches)]
    drift = sa.Drift.of(rows, each=draw(st.integers(1, 40)))
    return sa.Instance.drifting(drift, draw(st.sampled_from(["gaussian", "bernoulli", "bounded"])))


@settings(max_examples=40)
@given(
    nu=drifting(),
    kind=st.sampled_from([sa.MOSS, sa.SLEUCB, sa.Steady, sa.UCB1, sa.GaussianThompson]),
    delay=st.sampled_from([0, 0, 7, sa.Delay.geometric(5)]),
    seed=st.integers(0, 2**64 - 1),
)
def test_step_equals_the_reference_and_so_does_its_regret(nu, kind, delay, seed):
    policy = kind(n_arms=nu.n_arms, horizon=nu.n_arms + 90)
    step, reference = (
        sa.simulate(policy, nu, runs=2, seed=seed, at=[5, 60], delay=delay, engine=engine, outside_class=True)
        for engine in ("step", "reference")
    )
    assert np.array_equal(step.counts_at, reference.counts_at)
    assert np.array_equal(step.counts, reference.counts)
    assert np.array_equal(step.losses, reference.losses)


@pytest.mark.parametrize("kind", [sa.MOSS, sa.UCB1])
def test_means_that_do_not_move_give_the_counts_and_the_regret_of_a_plain_instance(kind):
    plain = sa.equal_gap(3, 0.3)
    still = sa.Instance.drifting(sa.Drift.of([plain.means] * 7, each=11))
    policy = kind(n_arms=3, horizon=400)
    one, other = (sa.simulate(policy, nu, runs=50, seed=1, at=[30, 100]) for nu in (still, plain))
    assert np.array_equal(one.counts, other.counts)
    assert np.array_equal(one.counts_at, other.counts_at)
    assert np.allclose(one.run_regrets, other.run_regrets)
    assert np.allclose([each.value for each in one.regret_at], [each.value for each in other.regret_at])


def test_a_reward_is_the_cell_of_its_pull_under_the_means_of_its_round_and_regret_adds_up_round_by_round():
    nu = sa.Instance.drifting(sa.Drift.linear([0.9, 0.1], [0.1, 0.9], rounds=80, stairs=8), "bernoulli")
    policy = sa.MOSS(n_arms=2, horizon=100, noise_scale=0.5)
    one = sa.path(policy, nu, seed=3, run=4)
    lost = 0.0
    for row in one.table.itertuples():
        here = nu.in_round(row.round)
        assert row.reward == sa.reward_table(here, seed=3, run=4, pulls=1, first=row.pull)[row.arm, 0]
        lost += max(here.means) - here.means[row.arm]
    played = sa.simulate(policy, nu, runs=1, seed=3, first_run=4)
    assert one.regret == pytest.approx(lost) == pytest.approx(played.run_regrets[0])
    assert one.counts.tolist() == played.counts[0].tolist()


def test_a_policy_that_settles_pays_for_a_step_and_one_that_takes_turns_does_not_care():
    nu = sa.Instance.drifting(sa.Drift.step([0.5, 0.0], [0.0, 0.5], after=1000))
    round_robin = sa.simulate(sa.RoundRobin(n_arms=2, horizon=2000), nu, runs=20, seed=1)
    assert np.allclose(round_robin.run_regrets, 500.0)
    committed = sa.simulate(
        sa.ExploreThenCommit(n_arms=2, horizon=2000, exploration=50), nu, runs=100, seed=1, at=[1000]
    )
    assert committed.regret_at[0].high < 60.0
    assert committed.regret.low > 450.0


def test_compare_has_regret_and_says_nothing_of_coverage_or_the_least_regret():
    nu = sa.Instance.drifting(sa.Drift.step([0.3, 0.0], [0.0, 0.3], after=200))
    found = sa.compare(["MOSS", "UCB1"], nu, horizon=400, runs=30, seed=1, at=4)
    for row, simulation in zip(found.table.itertuples(), found.simulations, strict=True):
        assert row.regret == sa.simulate(simulation.policy, nu, runs=30, seed=1).regret.value
        assert np.isnan(row.wald_coverage)
        assert np.isnan(row.times_least_regret)
        assert any("regret is dynamic" in note for note in simulation.notes)
    assert found.table["instance"].tolist() == ["2 gaussian arms: 0 to 0.3, 0 to 0.3"] * 2
    assert found.over_time["regret"].notna().all()
    found.plot()
    sa.plot_counts(found.simulations[0])


def test_engines_that_do_not_go_by_rounds_say_why_they_refuse():
    nu, policy = (
        sa.Instance.drifting(sa.Drift.step([0.3, 0.0], [0.0, 0.3], after=200)),
        sa.MOSS(n_arms=2, horizon=400),
    )
    for engine in ("leap", "prefix"):
        with pytest.raises(
            NotSupported, match="does not go from round to round, and means move with the rounds"
        ):
            sa.simulate(policy, nu, runs=1, engine=engine)
    assert sa.simulate(policy, nu, runs=1).engine == "step"
    many = sa.Instance.drifting(sa.Drift.of([[0.0, 0.1], [0.1, 0.0]] * 10_000))
    with pytest.raises(
        InvalidInput, match=r"at the ends of 19,999 stretches of the drift .* fewer stretches or runs"
    ):
        sa.simulate(sa.MOSS(n_arms=2, horizon=200_000), many, runs=10_000)
