"""The compiler that uses a machine's widest vectors."""

import numba
import numpy as np

from steadyarm.numerics.compiled import uncached

WIDE = '"prefer-vector-width"="512"'


def twice(numbers):
    for place in range(numbers.size):
        numbers[place] *= 2.0


def code_of(dispatcher):
    dispatcher(np.ones(3))
    return next(iter(dispatcher.inspect_llvm().values()))


def test_our_functions_ask_for_wide_vectors():
    assert WIDE in code_of(uncached(twice))  # of what is cached on disk Numba cannot show the code


def test_others_functions_are_left_alone():
    assert WIDE not in code_of(numba.njit(twice))


def test_the_result_is_that_of_the_ordinary_compiler():
    numbers = np.random.default_rng(1).normal(size=1000)
    ours, theirs = numbers.copy(), numbers.copy()
    uncached(twice)(ours)
    numba.njit(twice)(theirs)
    assert np.array_equal(ours, theirs)
