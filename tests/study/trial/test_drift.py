"""Scenarios whose means move: what is true on average, and what adapting to a drift does to errors."""

import numpy as np
import pytest

import steadyarm as sa

ASKED = {"methods": ["wald", "anytime"], "runs": 60, "seed": 3}


@pytest.mark.parametrize("rewards", ["gaussian", "bernoulli"])
@pytest.mark.parametrize("looks", [None, [30, 70]])
def test_a_drift_that_stays_where_it_is_changes_no_number(rewards, looks):
    means = (0.3, 0.5, 0.5)  # two arms would have an exact law
    still = getattr(sa.Instance, rewards)(means)
    moving = sa.Instance.drifting(sa.Drift.of([means, means, means], each=40), rewards=rewards)
    designs = [sa.MOSS(n_arms=3, horizon=100, noise_scale=still.noise_scales[0])]
    one, other = (
        sa.trial({"same": each}, designs, looks=looks, **ASKED).table.drop(columns="source")
        for each in (still, moving)
    )
    for name in one:
        if one[name].dtype == float:
            assert np.allclose(one[name], other[name], rtol=1e-12, equal_nan=True), name


def test_sums_of_a_drifting_run_are_those_of_its_path():
    drift = sa.Drift.step([0.0, 0.5], [0.5, 0.0], after=25)
    nu = sa.Instance.drifting(drift)
    policy = sa.MOSS(n_arms=2, horizon=60)
    found = sa.trial({"step": nu}, [policy], methods=["wald"], runs=2, seed=5)
    rewards = [sa.path(policy, nu, seed=5, run=run).table["reward"].sum() for run in range(2)]
    assert found.table["reward"].item() == pytest.approx(np.mean(rewards), rel=1e-12)


def test_the_truth_is_the_average_over_the_rounds():
    nu = sa.Instance.drifting(sa.Drift.step([0.0, 1.0], [1.0, 0.0], after=50))
    even = sa.trial({"even": nu}, ["RoundRobin"], horizon=100, methods=["wald"], runs=200)
    assert np.isnan(even.table["power"].item())  # both arms average one half
    assert even.arms["mean"].tolist() == [0.5, 0.5]
    assert even.table["lost"].item() == pytest.approx(50.0)  # against the best arm of each round


def test_a_common_trend_misleads_a_design_that_adapts_and_not_equal_shares():
    """Both arms rise alike, so any difference is false; who moves pulls to an arm meets it in better times."""
    nu = sa.Instance.drifting(sa.Drift.step([0.0, 0.0], [3.0, 3.0], after=50))
    found = sa.trial({"trend": nu}, ["RoundRobin", "EpsilonGreedy"], horizon=100, methods=["wald"], runs=400)
    equal, greedy = found.table["wrong"]
    assert equal < 0.05 + 3.0 * np.sqrt(0.05 * 0.95 / 400)
    assert greedy > equal + 0.1


def test_a_drifting_scenario_is_told_in_words(tmp_path):
    nu = sa.Instance.drifting(sa.Drift.step([0.2, 0.2], [0.4, 0.2], after=10), rewards="bernoulli")
    found = sa.trial(nu, ["RoundRobin"], horizon=20, methods=["wald"], runs=10)
    found.save(tmp_path)
    assert list(found.study.scenarios) == ["drift"]
    assert "0.2 to 0.4, 0.2, which move" in (tmp_path / "trial.html").read_text(encoding="utf-8")
