"""Two frontiers that several tests look at."""

import pytest

import steadyarm as sa


@pytest.fixture(scope="package")
def far():
    """Where the paper's constants have begun to speak."""
    return sa.frontier(
        n_arms=4,
        horizon=10**10,
        alphas=[1, 4, 16],
        spreads=[2.5e8],
        rivals=["UCBf", "MOSS", "RoundRobin"],
        runs=120,
        seed=1,
    )


@pytest.fixture(scope="package")
def near():
    """Where they have not."""
    rivals = ["UCB1", "GaussianThompson", "RoundRobin"]
    return sa.frontier(n_arms=3, horizon=1998, alphas=[1, 4], spreads=[60.0], rivals=rivals, runs=60)
