"""Settings of all tests: the same examples in every run, no deadline, and engines compiled beforehand."""

import pytest
from hypothesis import settings

import steadyarm as sa
from steadyarm.engines.simulate import ENGINES
from steadyarm.model import compiled

settings.register_profile("steadyarm", deadline=None, derandomize=True)
settings.load_profile("steadyarm")


@pytest.fixture(scope="session", autouse=True)
def _compilations_are_over_and_unsaid():
    """On a fresh machine first calls take long and say so, which is not what other tests are about."""
    compiled._CompilationNotice.said.update({True, False})
    for engine in ENGINES:
        sa.simulate(sa.SLEUCB(n_arms=2, horizon=100), sa.equal_arms(2), runs=1, engine=engine)
