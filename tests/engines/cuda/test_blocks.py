"""Arithmetic of the GPU's kernels."""

from hypothesis import given
from hypothesis import strategies as st


@given(
    total=st.floats(-1e6, 1e6).filter(lambda total: total == 0.0 or abs(total) > 1e-200),
    n=st.integers(1, 2**40),
)
def test_the_quick_quotient_is_the_correctly_rounded_one(total, n):
    from steadyarm.engines.cuda import blocks

    assert blocks.quotient.py_func(total, float(n), 1.0 / n) == total / n
