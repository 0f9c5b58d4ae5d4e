"""Theorem 1's chain against real policies."""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import pytest

import steadyarm as sa
from steadyarm.errors import NotSupported
from steadyarm.study.adversary import adversary
from steadyarm.theory.lemmas import chain_end, chain_steps_bound, history_divergence


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


def test_the_chain_speaks_the_numbers_of_the_lemmas(chain):
    assert chain.links[-1].gap == chain_end(chain.regret, 2000)
    assert (
        chain.most_steps == chain_steps_bound(chain.regret, 2000, 1.0) == 1.0 + 8.0 * chain.regret / 2000**0.5
    )
    for earlier, later in pairwise(chain.links):
        pulls, change = earlier.suboptimal_pulls.value, later.gap - earlier.gap
        assert earlier.kl_to(later, 1.0) == history_divergence(pulls, change, 1.0) == pulls * change**2 / 2.0


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


@dataclass(frozen=True, kw_only=True)
class Oracle(sa.Policy):
    """Knows the best arm wherever there is one: its suboptimal pulls are exactly none there."""

    title = "oracle"
    source = "a test"
    clumsy: int = 0
    """Rounds in which it plays another arm wherever the gap is small."""

    def start(self, *, seed=0, run=0, priority=None):
        return OraclePlay(self, seed, run, priority)

    def check_instance(self, instance, *, outside_class=False):
        super().check_instance(instance, outside_class=outside_class)
        OraclePlay.gap = max(instance.gaps)


class OraclePlay(sa.Play):
    gap = 0.0

    def _choose(self):
        if self.gap == 0.0:
            return 0 if self.round < 60 else 1
        return 0 if self.gap < 0.05 and self.round < self.policy.clumsy else 1

    def _assign(self, arm):
        pass

    def _absorb(self, arm, reward):
        pass

    @property
    def indices(self):
        return np.zeros(2)


def test_where_no_suboptimal_arm_is_pulled_one_step_leads_to_the_end():
    chain = adversary(Oracle(n_arms=2, horizon=100, noise_scale=0.1, clumsy=40), runs=3)
    assert [link.suboptimal_pulls.value for link in chain.links][-2:] == [0.0, 0.0]
    assert chain.links[-1].gap == pytest.approx(8 * chain.regret / 100)
    assert chain.fall == 60.0
    assert "cannot be steady everywhere" in chain.plot().axes[0].get_title(loc="left")


def test_a_policy_that_never_loses_has_no_chain():
    with pytest.raises(NotSupported, match="oracle lost nothing in 3 runs of every instance"):
        adversary(Oracle(n_arms=2, horizon=100), runs=3)
