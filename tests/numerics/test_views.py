"""A view is read and written where the array of one run would be."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from steadyarm.numerics.compiled import uncached
from steadyarm.numerics.lanes import lane_of


@uncached
def doubled(numbers, first, step, size):
    """Double the numbers of a view, from its last place to its first, and return how many it says there are."""
    view = lane_of(numbers, first, step, size)
    for place in range(view.size - 1, -1, -1):
        view[place] = view[place] + view[place]
    return view.size


@given(first=st.integers(0, 5), step=st.integers(1, 5), size=st.integers(0, 6), whole=st.booleans())
def test_a_view_reaches_the_places_of_a_slice_and_no_others(first, step, size, whole):
    numbers = np.arange(1, 41, dtype=np.int64 if whole else np.float64)
    expected = numbers.copy()
    expected[first : first + step * size : step] *= 2
    assert doubled(numbers, first, step, size) == size
    assert np.array_equal(numbers, expected)
