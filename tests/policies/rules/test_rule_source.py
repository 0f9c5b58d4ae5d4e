"""A rule's random numbers come from `noise`; any other generator is found, wherever it is called."""

# ruff: noqa: ARG001, NPY002 -- a rule's functions take what rules take, and these are wrong on purpose

import random
from random import random as drawn

import numba
import numpy as np
import pytest
from tests.policies.own_rules import first_arm, ruled

import steadyarm as sa
from steadyarm.errors import PolicyError
from steadyarm.policies import normal_at, uniform_at
from steadyarm.policies.rules.rule_source import draw_of_its_own

GENERATOR = np.random.default_rng(1)


@numba.njit
def coin():
    return np.random.random()


def numpy_global(parameters, noise, arm, counts, totals, state):
    best = 0.0
    return best + np.random.normal()


def numpy_generator(parameters, noise, arm, counts, totals, state):
    return GENERATOR.random()


def python_module(parameters, noise, arm, counts, totals, state):
    return random.random()


def python_function(parameters, noise, arm, counts, totals, state):
    return drawn()


def helper(parameters, noise, arm, counts, totals, state):
    return coin()


def inner(parameters, noise, arm, counts, totals, state):
    return max([np.random.random() for _ in range(3)])


def from_noise(parameters, noise, arm, counts, totals, state):
    return uniform_at(noise, arm) + normal_at(noise, arm) + np.sqrt(2.0)


@pytest.mark.parametrize(
    ("index", "line"),
    [
        (numpy_global, "return best + np.random.normal()"),
        (numpy_generator, "return GENERATOR.random()"),
        (python_module, "return random.random()"),
        (python_function, "return drawn()"),
        (helper, "return np.random.random()"),
        (inner, "return max([np.random.random() for _ in range(3)])"),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
@pytest.mark.parametrize("engine", ["step", "reference"])
def test_a_generator_of_the_rules_own_is_refused_with_its_line(index, line, engine):
    policy, _ = ruled(index=index)
    with pytest.raises(PolicyError) as caught:
        sa.simulate(policy, sa.equal_arms(3), runs=1, engine=engine)
    assert f"`{line}`. Use uniform_at(noise, arm)" in str(caught.value)


def test_noise_and_rules_without_chance_are_let_alone():
    assert draw_of_its_own(from_noise) is None
    assert draw_of_its_own(first_arm) is None
    policy, _ = ruled(index=from_noise)
    step, reference = (
        sa.simulate(policy, sa.equal_arms(3), runs=3, engine=engine).counts
        for engine in ("step", "reference")
    )
    assert np.array_equal(step, reference)
