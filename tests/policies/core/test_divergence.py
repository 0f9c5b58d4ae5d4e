"""The divergence between coins against SciPy's, and the bound that it turns into."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import rel_entr

from steadyarm.numerics.compiled import plain_function
from steadyarm.policies.core.divergence import bernoulli_divergence, bernoulli_upper

RATES = st.floats(0.0, 1.0)
INSIDE = st.floats(1e-6, 1.0 - 1e-6)


@given(RATES, INSIDE)
def test_the_divergence_is_that_of_scipy_and_the_same_in_plain_python(p, q):
    expected = rel_entr(p, q) + rel_entr(1.0 - p, 1.0 - q)
    assert bernoulli_divergence(p, q) == pytest.approx(expected, rel=1e-9, abs=1e-12)
    assert plain_function(bernoulli_divergence)(p, q) == bernoulli_divergence(p, q)


@given(INSIDE, st.floats(1e-6, 5.0))
def test_the_upper_bound_is_the_last_rate_within_the_level(p, level):
    upper = bernoulli_upper(p, level)
    assert p <= upper <= 1.0
    if upper < 1.0:
        assert bernoulli_divergence(p, upper) <= level
    beyond = upper + 1e-9
    if beyond < 1.0:
        assert bernoulli_divergence(p, beyond) > level * (1.0 - 1e-6)


def test_without_a_level_and_at_one_nothing_is_added():
    assert bernoulli_upper(0.3, 0.0) == 0.3
    assert bernoulli_upper(0.3, -math.inf) == 0.3
    assert bernoulli_upper(1.0, 2.0) == 1.0


def test_without_any_success_the_bound_has_a_closed_form():
    assert bernoulli_upper(0.0, 0.7) == pytest.approx(1.0 - math.exp(-0.7), rel=1e-12)
