"""The kinds of arrays that compiled functions work on, and how one is copied."""

import numpy as np
import numpy.typing as npt

from steadyarm.model.compiled import compiled

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]
Singles = npt.NDArray[np.float32]  # single precision
HalfWords = npt.NDArray[np.uint32]  # 32 bits


@compiled
def copy(source: Floats | Integers, target: Floats | Integers) -> None:
    """Copy an array into one at least as long.

    By a loop: for `target[:] = source` Numba compiles the words of an error too, which takes it two seconds.

    >>> copy(np.array([1, 2]), room := np.zeros(3, np.int64))
    >>> room
    array([1, 2, 0])
    """
    for place in range(source.size):
        target[place] = source[place]
