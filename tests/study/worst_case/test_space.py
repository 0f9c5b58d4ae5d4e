"""Where a worst case is looked for: points that lie in the class, none twice."""

import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.study.worst_case.test_study import quick

import steadyarm as sa
from steadyarm.study.worst_case.space import FAMILIES, Point, family_points, neighbours, space_of


def test_means_bound_the_search():
    policy = sa.RoundRobin(n_arms=2, horizon=100)
    assert quick(policy, mean_bound=0.25).estimate.value == pytest.approx(25.0)
    assert quick(policy).estimate.value == pytest.approx(100.0)
    assert quick(policy, rewards="bernoulli").estimate.value == pytest.approx(50.0)


@given(
    n_arms=st.integers(2, 6),
    gap=st.floats(0.0, 2.0),
    family=st.sampled_from(sorted(FAMILIES)),
    factor=st.floats(1.05, 3.0),
    rewards=st.sampled_from(["gaussian", "bernoulli"]),
)
def test_all_points_and_their_neighbours_lie_in_the_class(n_arms, gap, family, factor, rewards):
    policy = sa.SLEUCB(n_arms=n_arms, horizon=100)
    space = space_of(policy, rewards=rewards)
    gaps = FAMILIES[family](n_arms, min(gap, space.widest), space.widest)
    points = [Point(tuple(gaps)), *neighbours(space, Point(tuple(gaps)), factor, 0.01)]
    for point in points:
        instance = space.instance(point)
        policy.check_instance(instance)
        assert min(point.gaps) == 0.0
        assert np.allclose(sorted(instance.gaps), sorted(point.gaps), atol=1e-12)


def test_no_instance_of_the_grid_stands_twice():
    space = space_of(sa.MOSS(n_arms=2, horizon=100))
    points = [point for _, _, point in family_points(space, tuple(FAMILIES), 5, 100)]
    assert len(set(points)) == len(points) == 6  # with two arms all families are one


def test_a_family_has_one_name_in_table_picture_and_docs():
    found = sa.worst_case(sa.MOSS(n_arms=5, horizon=200), "instability", runs=10, gaps=4, search_runs=4)
    families = {row["family"] for row in found.rows if row["stage"] == "family"}
    assert families == {*FAMILIES, "equal_arms"}
    drawn = {
        text.get_text() for text in found.plot().axes[0].texts if not text.get_text().startswith("found")
    }
    assert drawn == set(FAMILIES)  # equal arms have no gap to stand at
    page = (Path(__file__).parents[3] / "docs" / "frontier.md").read_text(encoding="utf-8")
    assert families <= set(re.findall(r"`(\w+)`", page[page.index("## Worst cases") :]))
