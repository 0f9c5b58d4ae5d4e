"""A trial that several tests look at."""

import pytest

import steadyarm as sa

COINS = sa.Instance.bernoulli([0.2, 0.5])


@pytest.fixture(scope="package")
def found():
    return sa.trial(COINS, ["RoundRobin", "BetaThompson"], horizon=40, runs=400, seed=1)
