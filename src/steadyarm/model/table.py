"""The reward table as a pure function (Section 2 of the paper: the rewards X[i, n], fixed in advance).

The table is never stored. The cell of (seed, run, arm, pull) comes from one Philox block: block q of an arm
holds its pulls 4q+1 … 4q+4. So a cell does not depend on who reads it, in which order, or how much at once.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from steadyarm.model import checks
from steadyarm.model.instance import BERNOULLI, GAUSSIAN, Instance
from steadyarm.numerics.arithmetic import gaussian_pair, whole
from steadyarm.numerics.compiled import inlined
from steadyarm.numerics.operations import fma
from steadyarm.numerics.philox import REWARDS, Words, words_at

CELLS_PER_BLOCK = 4

_STREAM = np.uint64(REWARDS)


class Row(NamedTuple):
    """The row of the table that holds an arm's rewards in one run, and the law that they have."""

    law: int
    location: float
    scale: float
    seed: np.uint64
    run: int
    arm: int


@inlined
def fill_cells(row: Row, first_block: int, blocks: int, cells: npt.NDArray[np.float64]) -> None:
    """Write the rewards of `blocks` consecutive blocks of a row into `cells` (four a block)."""
    for q in range(blocks):
        x0, x1, x2, x3 = four_cells(row, first_block + q)
        cells[4 * q], cells[4 * q + 1], cells[4 * q + 2], cells[4 * q + 3] = x0, x1, x2, x3


@inlined
def four_cells(row: Row, block: int) -> tuple[float, float, float, float]:
    """Return the four rewards of one block of a row."""
    law, location, scale, seed, run, arm = row
    w0, w1, w2, w3 = block_words(seed, run, arm, block)
    x0, x1 = two_cells(law, location, scale, w0, w1)
    x2, x3 = two_cells(law, location, scale, w2, w3)
    return x0, x1, x2, x3


@inlined
def block_words(seed: np.uint64, run: int, arm: int, block: int) -> Words:
    """Return the words behind one block of an arm's row."""
    return words_at(seed, np.uint64(run), np.uint64(arm), _STREAM, np.uint64(block))


@inlined
def two_cells(
    law: int, location: float, scale: float, first: np.uint64, second: np.uint64
) -> tuple[float, float]:
    """Return the two rewards that the first two or the last two words of a block become."""
    if law == BERNOULLI:
        return 1.0 if uniform(first) < location else 0.0, 1.0 if uniform(second) < location else 0.0
    if law == GAUSSIAN:
        x, y = gaussian_pair(first, second)
    else:
        x, y = uniform(first), uniform(second)
    return fma(scale, x, location), fma(scale, y, location)


@inlined
def uniform(word: np.uint64) -> float:
    """Map a 32-bit word to the middle of its cell of (0, 1)."""
    return whole((word << np.uint64(1)) | np.uint64(1)) * 2.0**-33


def reward_table(
    instance: Instance, *, seed: int = 0, run: int = 0, pulls: int = 100, first: int = 1
) -> npt.NDArray[np.float64]:
    """Return the rewards that pulls `first`, …, `first + pulls - 1` of every arm would reveal in a run.

    Row i is arm i; these are the very rewards that every policy meets in run `run` of a simulation with
    this seed. Probabilities are resolved to 2⁻³².

    >>> nu = Instance.bernoulli([0.5, 0.9])
    >>> reward_table(nu, seed=1, run=0, pulls=6)
    array([[...]])
    >>> bool((reward_table(nu, seed=1, pulls=2, first=5) == reward_table(nu, seed=1, pulls=6)[:, 4:]).all())
    True
    """
    checks.instance_of(instance, Instance, "instance")
    seed = checks.seed(seed)
    run = checks.run(run)
    pulls = checks.integer(pulls, "pulls", at_least=0)
    first = checks.integer(first, "first", at_least=1)
    checks.integer(first + pulls - 1, "first + pulls - 1", at_most=checks.LARGEST_HORIZON)
    first_block, skipped = divmod(first - 1, CELLS_PER_BLOCK)
    blocks = -(-(skipped + pulls) // CELLS_PER_BLOCK)
    cells = np.empty((instance.n_arms, blocks * CELLS_PER_BLOCK))
    for arm in range(instance.n_arms):
        row = Row(instance.law, instance.location[arm], instance.scale[arm], np.uint64(seed), run, arm)
        fill_cells(row, first_block, blocks, cells[arm])
    return cells[:, skipped : skipped + pulls]
