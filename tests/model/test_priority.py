"""The priority permutation: uniform, a pure function of (seed, run), and checked when given."""

from collections import Counter
from itertools import permutations

import pytest

from steadyarm.errors import InvalidInput, InvalidType
from steadyarm.model.priority import check_priority, draw_priority


def test_priorities_are_permutations_and_depend_on_seed_and_run_only():
    for n_arms in (2, 3, 17):
        ranks = draw_priority(n_arms, seed=5, run=3)
        assert sorted(ranks) == list(range(n_arms))
        assert ranks == draw_priority(n_arms, seed=5, run=3)
    assert (
        draw_priority(50, seed=5, run=3)
        != draw_priority(50, seed=5, run=4)
        != draw_priority(50, seed=6, run=4)
    )


def test_all_orders_of_three_arms_are_equally_likely():
    runs = 6_000
    seen = Counter(tuple(draw_priority(3, seed=1, run=run)) for run in range(runs))
    expected = runs / 6
    chi_square = sum((seen[order] - expected) ** 2 / expected for order in permutations(range(3)))
    assert chi_square < 20.5  # 99.9 % quantile of χ² with 5 degrees of freedom
    biased = Counter(tuple(sorted(draw_priority(3, seed=1, run=run)[:2])) for run in range(runs))
    assert sum((biased[pair] - expected) ** 2 / expected for pair in biased) > 20.5  # the control


@pytest.mark.parametrize(
    ("priority", "error"),
    [
        ([0, 1], InvalidInput),
        ([0, 1, 1], InvalidInput),
        ([0, 1, -1], InvalidInput),
        ([0, 1, 0.5], InvalidInput),
        ([0, 1, True], InvalidType),
        ("012", InvalidType),
        (3, InvalidType),
    ],
)
def test_a_priority_that_is_no_ranking_is_refused(priority, error):
    with pytest.raises(error, match="priority"):
        check_priority(priority, 3)


def test_any_distinct_ranks_will_do():
    assert check_priority([2, 3, 1], 3) == [2, 3, 1]
