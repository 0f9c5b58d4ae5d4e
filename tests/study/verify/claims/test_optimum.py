"""The path of Theorem 1′, and the policies that are held against it."""

import math

import numpy as np
import pytest

import steadyarm as sa
from steadyarm.study.verify.claims.base import Setting
from steadyarm.study.verify.claims.optimum import everybody, on_path


@pytest.mark.parametrize("n_arms", [2, 5])
def test_the_path_opens_a_gap_of_the_asked_size_and_moves_nothing_on_average(n_arms):
    policy = sa.MOSS(n_arms=n_arms, horizon=400, noise_scale=0.5)
    instance = on_path(policy, 2.0)
    assert instance.means[0] - instance.means[1] == pytest.approx(2.0 * 0.5 / 20.0)
    assert np.mean(instance.means) == pytest.approx(0.0)


def test_coins_move_in_their_angles():
    policy = sa.Exp3(n_arms=2, horizon=400)
    angles = [math.asin(math.sqrt(rate)) for rate in on_path(policy, 2.0).means]
    assert angles[0] - angles[1] == pytest.approx(1.0 / 20.0)
    assert sum(angles) == pytest.approx(math.pi / 2.0)


def test_everybody_of_the_registry_is_held_against_the_theorem():
    assert {policy.name for policy in everybody(Setting())} == set(sa.all_policies())
    one = sa.MOSS(n_arms=2, horizon=100)
    assert everybody(Setting(policies=(one,))) == (one,)
