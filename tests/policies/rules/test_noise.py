"""A policy's own randomness: a pure function of seed, run, round and place."""

import numpy as np
import pytest
from scipy.stats import norm, uniform
from tests.policies.laws import KOLMOGOROV, kolmogorov_statistic

from steadyarm.numerics.compiled import plain_function
from steadyarm.policies.rules.noise import Noise, normal_at, uniform_at, words_of

SEED = np.uint64(3)


@pytest.mark.parametrize(
    ("sampler", "law"), [(uniform_at, uniform()), (normal_at, norm())], ids=["uniform", "normal"]
)
def test_numbers_have_their_law(sampler, law):
    values = np.array([sampler(Noise(SEED, run, 4), 7) for run in range(20_000)])
    assert kolmogorov_statistic(values, law.cdf) < KOLMOGOROV
    assert kolmogorov_statistic(values + 0.05, law.cdf) > KOLMOGOROV


def test_the_same_address_gives_the_same_number_and_any_other_another():
    noise = Noise(SEED, 1, 2)
    assert uniform_at(noise, 5) == uniform_at(Noise(SEED, 1, 2), 5)
    others = {
        uniform_at(noise, 5),
        uniform_at(noise, 6),
        uniform_at(noise._replace(round=3), 5),
        uniform_at(noise._replace(run=2), 5),
        uniform_at(noise._replace(seed=np.uint64(4)), 5),
    }
    assert len(others) == 5


def test_an_attempt_has_words_of_its_own_and_plain_python_has_the_same():
    words = plain_function(words_of)
    noise = Noise(SEED, 1, 2)
    assert len({words(noise, 0, attempt) for attempt in range(250)}) == 250
    assert plain_function(uniform_at)(noise, 5) == uniform_at(noise, 5)
