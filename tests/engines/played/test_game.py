"""What all runs share: the curves in tables are the curves themselves, bit for bit."""

import numpy as np
import pytest

import steadyarm as sa
from steadyarm.engines.played.game import game_of, tables_of
from steadyarm.policies import OwnHistoryPolicy
from steadyarm.policies.core.curves import bonus_at, tilt

OWN_HISTORY = {name: kind for name, kind in sa.all_policies().items() if issubclass(kind, OwnHistoryPolicy)}


@pytest.mark.parametrize("kind", OWN_HISTORY.values(), ids=OWN_HISTORY)
def test_tables_hold_the_curves(kind):
    policy = kind(n_arms=2, horizon=300)
    game = game_of(policy, sa.Instance.bernoulli([0.4, 0.5]), seed=5)
    assert (game.horizon, game.source.seed, game.curves) == (300, np.uint64(5), policy.curves)
    bonuses, tilts = game.tables
    assert len(bonuses) == len(tilts) == 301
    assert bonuses[0] == tilts[0] == np.inf
    assert bonuses[1:].tolist() == [bonus_at(policy.curves, float(n)) for n in range(1, 301)]
    assert tilts[1:].tolist() == [tilt(policy.curves, float(n)) for n in range(1, 301)]


def test_tables_of_a_long_game_are_of_bounded_length_and_of_the_one_that_is_asked_for():
    curves = sa.MOSS(n_arms=2, horizon=10**12).curves
    assert len(tables_of(curves).tilts) == (1 << 18) + 1
    assert len(tables_of(curves, 10).bonuses) == 11
