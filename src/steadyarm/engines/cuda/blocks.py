"""An arm's next four pulls on the GPU: their rewards, and the indices that follow from them.

Where tables hold a policy's curves for every pull, kernels are compiled without the formulas: smaller, faster.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba.cuda.extending import overload

from steadyarm.engines.cuda.operations import inlined, pair_at
from steadyarm.model.table import Row, four_cells
from steadyarm.numerics.operations import fma
from steadyarm.policies.core.curves import bonus_at, tilt, upper_from_bonus

_CELLS_BITS = 2  # of a cell's place in its block


@inlined
def quotient(total, n, inverse):
    """Return total/n, correctly rounded, given the correctly rounded 1/n (Markstein 1990): a third of a division."""
    first = total * inverse
    return fma(fma(-n, first, total), inverse, first)


class Tabled(NamedTuple):
    """What is left of a policy's curves where tables hold their values for every pull."""

    clip: float
    envelope: bool


class Indices(NamedTuple):
    """What an index is worked out from: the curves, and tables of both and of 1/n, pull n + 1 at n."""

    curves: Any
    bonuses: Any
    tilts: Any
    inverses: Any


@inlined
def _clipped(curves, reward):
    return min(curves.clip, max(-curves.clip, reward))


@inlined
def _next(curves, bonus, tilted, inverse, n, reward, total, value):
    """Return the reward sum, envelope and index after pull n, whose curves are given."""
    total += _clipped(curves, reward)
    now = quotient(total, np.float64(n), inverse) + bonus
    value = min(value, now) if curves.envelope else now
    return total, value, value + tilted


def _block_from_tables(indices, n, cells, total, value):
    # Threads are at different pulls: each load is one of their many.
    curves, (x0, x1, x2, x3) = indices.curves, cells
    r0, r1 = pair_at(indices.bonuses, n)
    r2, r3 = pair_at(indices.bonuses, n + 2)
    t0, t1 = pair_at(indices.tilts, n)
    t2, t3 = pair_at(indices.tilts, n + 2)
    v0, v1 = pair_at(indices.inverses, n)
    v2, v3 = pair_at(indices.inverses, n + 2)
    total, value, i0 = _next(curves, r0, t0, v0, n + 1, x0, total, value)
    total, value, i1 = _next(curves, r1, t1, v1, n + 2, x1, total, value)
    total, value, i2 = _next(curves, r2, t2, v2, n + 3, x2, total, value)
    total, value, i3 = _next(curves, r3, t3, v3, n + 4, x3, total, value)
    return total, value, (i0, i1, i2, i3)


@inlined
def _next_by_formula(curves, n, reward, total, value):
    pulls = np.float64(n)
    total += _clipped(curves, reward)
    now = upper_from_bonus(curves, total / pulls, bonus_at(curves, pulls), pulls)
    value = min(value, now) if curves.envelope else now
    return total, value, value + tilt(curves, pulls)


def _block_from_formulas(indices, n, cells, total, value):
    curves, (x0, x1, x2, x3) = indices.curves, cells
    total, value, i0 = _next_by_formula(curves, n + 1, x0, total, value)
    total, value, i1 = _next_by_formula(curves, n + 2, x1, total, value)
    total, value, i2 = _next_by_formula(curves, n + 3, x2, total, value)
    total, value, i3 = _next_by_formula(curves, n + 4, x3, total, value)
    return total, value, (i0, i1, i2, i3)


def _block(indices, n, cells, total, value):
    """Take in four rewards. Which way follows from the type of the curves."""
    block = _block_from_tables if isinstance(indices.curves, Tabled) else _block_from_formulas
    return block(indices, n, cells, total, value)


@overload(_block, strict=False)
def _compiled_block(indices, n, cells, total, value):
    return _block_from_tables if indices.types[0].instance_class is Tabled else _block_from_formulas


@inlined
def next_block(indices, source, run, arm, n, total, value):
    """Return the reward sum and envelope after pull n + 4, and the indices after pulls n + 1, …, n + 4."""
    row = Row(source.law, source.location[arm], source.scale[arm], source.seed, run, arm)
    cells = four_cells(row, n >> _CELLS_BITS)
    return _block(indices, n, cells, total, value)
