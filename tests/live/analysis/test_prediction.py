"""Where an allocation should be by the fluid prediction."""

import pytest
from tests.live.analysis.test_results import played

import steadyarm as sa
from steadyarm.live.analysis.results import results_of


def test_the_allocation_is_near_its_prediction_at_the_end_and_on_the_way():
    for rounds in (2500, 5000):
        experiment = played(rounds)
        prediction = results_of(experiment.summary())["prediction"]
        assert prediction["available"]
        assert prediction["trusted"]
        assert sum(each["predicted"] for each in prediction["arms"]) == pytest.approx(rounds)
        assert prediction["largest_difference"] < 0.02 * rounds


def test_at_the_horizon_the_prediction_is_that_of_predict():
    experiment = played(5000)
    summary = experiment.summary()
    means = [total / n for total, n in zip(summary.sums, summary.observed, strict=True)]
    expected = sa.predict(experiment.setup.policy, sa.Instance.bernoulli(means))
    found = results_of(summary)["prediction"]["arms"]
    assert [each["predicted"] for each in found] == pytest.approx(expected.counts, rel=1e-9)
    assert [each["sd"] for each in found] == pytest.approx(expected.sd, rel=0.01)
