"""The two curves: every term against its formula."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.policies.tilted import Tilted

import steadyarm as sa
from steadyarm.errors import InvalidInput
from steadyarm.policies.core.curves import Curves, tilted, upper


@given(
    n=st.integers(1, 10**9),
    total=st.floats(-1e6, 1e6),
    root=st.floats(0, 100),
    log_scale=st.floats(0, 10),
    log_reach=st.floats(1e-3, 1e6),
    inverse=st.floats(0, 100),
)
def test_upper_is_the_mean_plus_all_terms_of_the_width(n, total, root, log_scale, log_reach, inverse):
    curves = Curves(horizon=1e9, root=root, log_scale=log_scale, log_reach=log_reach, inverse=inverse)
    expected = (
        total / n
        + root / math.sqrt(n)
        + math.sqrt(log_scale * max(0.0, math.log(log_reach / n)) / n)
        + inverse / n
    )
    assert upper(curves, total, float(n)) == pytest.approx(expected, rel=1e-12, abs=1e-9)
    assert upper.py_func(curves, total, float(n)) == upper(curves, total, float(n))


@given(n=st.integers(1, 10**9), value=st.floats(-1e6, 1e6), tilt=st.floats(0, 100))
def test_tilted_adds_the_stabilizer(n, value, tilt):
    curves = Curves(horizon=1e9, tilt=tilt)
    expected = value + tilt * math.log(1e9 / n)
    assert tilted(curves, value, float(n)) == pytest.approx(expected, rel=1e-12, abs=1e-9)
    assert tilted.py_func(curves, value, float(n)) == tilted(curves, value, float(n))


@pytest.mark.parametrize("engine", ["step", "prefix", "reference", "leap"])
@pytest.mark.parametrize(
    ("numbers", "words"),
    [
        ({"root": math.nan}, "root in the curves of 'tilted' must be finite; got nan"),
        ({"log_scale": -1.0}, r"log_scale in the curves of 'tilted' must be at least 0\.0; got -1\.0"),
        ({"tilt": -0.1}, "tilt in the curves of 'tilted' must be at least"),
        ({"tilt": math.inf}, "tilt in the curves of 'tilted' must be finite"),
        ({"clip": math.nan}, "clip in the curves of 'tilted' must be finite"),
        ({"bend": 1.0, "kink": 9.0}, r"bend in the curves of 'tilted' must be at most 0\.99; got 1\.0"),
        ({"bend": 0.5, "kink": 101.0}, r"kink in the curves of 'tilted' must be at most 100\.0; got 101\.0"),
    ],
)
def test_numbers_that_make_no_index_are_refused_by_every_engine(engine, numbers, words):
    policy = Tilted(n_arms=2, horizon=100, **({"tilt": 0.1} | numbers))
    with pytest.raises(InvalidInput, match=words):
        sa.simulate(policy, sa.equal_arms(2), runs=1, engine=engine)
    with pytest.raises(InvalidInput, match=words):
        policy.start()


def test_curves_for_coins_need_a_policy_that_takes_only_them():
    class Careless(Tilted):
        @property
        def curves(self):
            return super().curves._replace(bernoulli=True)

    with pytest.raises(InvalidInput, match="Set unit_rewards = True"):
        sa.simulate(Careless(n_arms=2, horizon=50, tilt=0.0), sa.equal_arms(2), runs=1)
