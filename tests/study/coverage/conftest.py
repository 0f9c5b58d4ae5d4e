"""A study of coverage that several tests look at."""

import pytest

import steadyarm as sa

STEADY = sa.SLEUCB(n_arms=2, horizon=1000, constants="sharp")


@pytest.fixture(scope="package")
def found():
    return sa.coverage([STEADY, "MOSS"], sa.equal_arms(2), runs=8000, seed=2)
