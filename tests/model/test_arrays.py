"""Copying an array, compiled and in plain Python."""

import numpy as np
import pytest

from steadyarm.model.arrays import copy
from steadyarm.model.compiled import plain_function


@pytest.mark.parametrize("work", [copy, plain_function(copy)], ids=["compiled", "plain"])
@pytest.mark.parametrize("kind", [np.int64, np.float64])
def test_a_copy_fills_the_beginning_and_leaves_the_rest(work, kind):
    target = np.full(5, 9, kind)
    work(np.array([3, 1, 2], kind), target)
    assert target.tolist() == [3, 1, 2, 9, 9]
    work(np.empty(0, kind), target)
    assert target.tolist() == [3, 1, 2, 9, 9]
