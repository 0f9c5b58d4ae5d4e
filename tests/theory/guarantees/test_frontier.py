"""The guaranteed frontier: promises that hold, in order, none better than another in both."""

from itertools import pairwise

import pytest

import steadyarm as sa
from steadyarm.theory.guarantees.frontier import guaranteed_frontier

SIZE = (3, 200_000)


def test_along_the_frontier_regret_rises_and_the_spread_falls():
    found = guaranteed_frontier(*SIZE, widest_gap=2.0)
    assert len(found) > 10
    assert all(
        one.regret < other.regret and one.instability > other.instability for one, other in pairwise(found)
    )
    assert found[-1].regret < 2.0 * SIZE[1]


def test_a_policy_with_a_promises_beta_and_alpha_is_guaranteed_no_less():
    for promise in guaranteed_frontier(*SIZE, widest_gap=2.0)[::8]:
        policy = sa.SLEUCB(
            n_arms=3, horizon=200_000, constants="sharp", beta=promise.beta, alpha=promise.alpha
        )
        kept = sa.theory.guarantee(policy)
        assert kept.regret <= promise.regret * (1.0 + 1e-9)
        assert kept.instability <= promise.instability * (1.0 + 1e-9)


def test_a_finer_grid_promises_no_less_at_any_spread_and_units_do_not_matter():
    coarse, fine = (guaranteed_frontier(*SIZE, widest_gap=2.0, finer=finer) for finer in (1, 3))
    assert len(fine) > len(coarse)
    for promise in coarse[::8]:
        best = min(each.regret for each in fine if each.instability <= promise.instability * 1.02)
        assert best <= promise.regret * 1.02
    scaled = guaranteed_frontier(*SIZE, widest_gap=20.0, noise_scale=10.0)
    assert [each.instability for each in scaled] == pytest.approx([each.instability for each in coarse])
    assert [each.regret for each in scaled] == pytest.approx([10.0 * each.regret for each in coarse])
