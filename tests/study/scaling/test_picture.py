"""The picture of exponents: sizes by name, and what it says where there is none."""

import math
from itertools import pairwise

import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from tests.study.scaling.test_study import exponent

import steadyarm as sa


def test_a_policy_without_any_spread_has_no_exponent_and_a_picture_that_says_so():
    found = sa.scaling("RoundRobin", horizons=[100, 200], n_arms=2, runs=10)
    assert math.isnan(exponent(found, "horizon", "instability")["exponent"])
    assert exponent(found, "horizon", "regret")["exponent"] == pytest.approx(1.0)
    assert "there is no exponent" in found.plot().get_suptitle()


@pytest.mark.parametrize("horizons", [(1000, 10_000, 100_000), (200, 300, 400, 2000), (200, 300)])
def test_the_picture_names_the_sizes_and_no_name_covers_another(horizons):
    found = sa.scaling("MOSS", horizons=horizons, n_arms=[2, 8], runs=6)
    figure = found.plot()
    FigureCanvasAgg(figure)
    figure.draw_without_rendering()
    for axes in figure.axes:
        left, right = axes.get_xlim()
        labels = [
            label
            for place, label in zip(axes.get_xticks(), axes.get_xticklabels(), strict=True)
            if left <= place <= right
        ]
        boxes = [label.get_window_extent() for label in labels]
        assert labels
        assert not any(one.overlaps(other) for one, other in pairwise(boxes))
    assert [label.get_text() for label in figure.axes[1].get_xticklabels()] == ["2", "8"]
