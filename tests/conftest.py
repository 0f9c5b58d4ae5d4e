"""Settings of all tests: the same examples in every run, no deadline, and kernels compiled beforehand."""

import pytest
from hypothesis import settings

import steadyarm as sa

settings.register_profile("steadyarm", deadline=None, derandomize=True)
settings.load_profile("steadyarm")


@pytest.fixture(scope="session", autouse=True)
def _kernels_are_compiled():
    """On a fresh machine the first call compiles and says so, which is not what other tests are about."""
    policy = sa.SLEUCB(n_arms=2, horizon=10)
    for engine in ("step", "reference"):
        sa.simulate(policy, sa.equal_arms(2), runs=1, engine=engine)
