"""Theorem 1's chain against real policies."""

import numpy as np
import pytest

import steadyarm as sa
from steadyarm.errors import NotSupported
from steadyarm.study.adversary import adversary


@pytest.fixture(scope="module", params=["SLEUCB", "MOSS", "UCB1"])
def chain(request):
    kinds = {
        "SLEUCB": lambda: sa.SLEUCB(n_arms=3, horizon=2000, beta=3.0),
        "MOSS": lambda: sa.MOSS(n_arms=3, horizon=2000),
        "UCB1": lambda: sa.UCB1(n_arms=3, horizon=2000),
    }
    return adversary(kinds[request.param](), runs=300, seed=1)


def test_the_chain_goes_from_nought_to_eight_times_the_regret_over_the_horizon(chain):
    gaps = [link.gap for link in chain.links]
    assert gaps[0] == 0.0
    assert gaps[-1] == pytest.approx(8 * chain.regret / 2000)
    assert np.all(np.diff(gaps) > 0)
    assert len(gaps) - 1 <= chain.most_steps


def test_no_step_can_be_told_apart(chain):
    for earlier, later in zip(chain.links, chain.links[1:], strict=False):
        assert earlier.kl_to(later, 1.0) <= 0.5 + 1e-12


def test_the_suboptimal_pulls_fall_by_three_eighths_of_the_horizon(chain):
    assert chain.links[0].suboptimal_pulls.value >= 2000 * 2 / 3
    assert chain.links[-1].suboptimal_pulls.value <= 2000 / 8
    assert chain.fall >= 3 * 2000 / 8


def test_one_end_of_every_step_is_as_unstable_as_forced(chain):
    for earlier, later, forced in zip(chain.links, chain.links[1:], chain.forced, strict=False):
        assert max(earlier.instability.high, later.instability.high) >= forced


def test_the_picture_says_where(chain):
    axes = chain.plot().axes[0]
    assert "cannot be steady everywhere" in axes.get_title(loc="left")


def test_a_policy_with_too_much_regret_is_outside_the_theorem():
    with pytest.raises(NotSupported, match="at most MT/8 = 62; SLE-UCB has at least"):
        adversary(sa.SLEUCB(n_arms=2, horizon=500), runs=20)
