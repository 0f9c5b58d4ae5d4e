"""A comparison that several tests look at."""

import pytest

import steadyarm as sa

INSTANCE = sa.equal_gap(3, 0.4)
NAMES = ["SLEUCB", "MOSS", "UCB1"]


@pytest.fixture(scope="package")
def found():
    return sa.compare(NAMES, [INSTANCE, sa.equal_arms(3)], horizon=600, runs=200, seed=4)
