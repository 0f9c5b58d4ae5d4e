"""The noise of an arm's next pulls, read ahead from the reward table for kernels that go from round to round."""

from steadyarm.model.arrays import Floats, Integers
from steadyarm.model.compiled import inlined
from steadyarm.model.table import CELLS_PER_BLOCK, Row, fill_cells

BUFFERED = 64
"""Cells of one arm read ahead."""


@inlined
def read_ahead(noise: Row, pulled: int, cells: Floats, start: Integers, filled: Integers, place: int) -> None:
    """Write the cells of an arm after so many pulls into its place, the more of them the more it has been pulled."""
    blocks = max(1, min(BUFFERED, pulled) // CELLS_PER_BLOCK)
    fill_cells(noise, pulled // CELLS_PER_BLOCK, blocks, cells[place])
    start[place], filled[place] = pulled, pulled + blocks * CELLS_PER_BLOCK
