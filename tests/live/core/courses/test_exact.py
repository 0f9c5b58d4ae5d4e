"""Exact sums."""

import math

from hypothesis import given
from hypothesis import strategies as st

from steadyarm.live.core.courses.exact import added

NUMBERS = st.lists(st.floats(-1e200, 1e200) | st.floats(-1.0, 1.0))


@given(NUMBERS)
def test_a_sum_is_rounded_once_however_many_were_added_and_taken_back(numbers):
    parts = ()
    for number in numbers:
        parts = added(parts, number)
    assert math.fsum(parts) == math.fsum(numbers)
    assert len(parts) <= 40  # as many as fit beside each other in the range of a double
    for number in reversed(numbers):
        parts = added(parts, -number)
    assert parts == ()
