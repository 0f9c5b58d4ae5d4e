"""Exponents that several tests look at."""

import pytest

import steadyarm as sa


@pytest.fixture(scope="package")
def found():
    return sa.scaling("SLEUCB", horizons=[10**7, 10**9, 10**11], n_arms=[2, 8], constants="sharp", runs=100)
