"""What all runs of an own-history policy share: its curves, in tables as far as that pays, and the rewards."""

from typing import NamedTuple

import numpy as np

from steadyarm.engines.source import Source, source_of
from steadyarm.model.instance import Instance
from steadyarm.numerics.arrays import Floats
from steadyarm.numerics.compiled import compiled, inlined
from steadyarm.policies.core.curves import Curves, bonus_at, tilt, width
from steadyarm.policies.core.own_history import OwnHistoryPolicy

NOT_OWN_HISTORY = "it does not choose by an index of each arm's own rewards and pulls"
"""Why an engine refuses a policy that is no `OwnHistoryPolicy`."""

_MOST_TABLED = 1 << 18  # pull counts whose curves are kept in a table


class Tables(NamedTuple):
    """The curves at n = 0, 1, 2, … (entry 0 is not used)."""

    bonuses: Floats
    tilts: Floats


class Game(NamedTuple):
    """A policy's curves, the rewards it meets, and for how many rounds."""

    curves: Curves
    tables: Tables
    source: Source
    horizon: int


def game_of(policy: OwnHistoryPolicy, instance: Instance, seed: int) -> Game:
    """Return a policy on an instance in the form that kernels read."""
    return Game(policy.curves, tables_of(policy.curves), source_of(instance, seed), policy.horizon)


def tables_of(curves: Curves, last: int | None = None) -> Tables:
    """Return the curves of a policy in tables up to `last` pulls; by default of bounded length."""
    last = int(min(curves.horizon, _MOST_TABLED)) if last is None else last
    tables = Tables(np.empty(last + 1), np.empty(last + 1))
    _fill_tables(curves, tables)
    return tables


@compiled
def _fill_tables(curves: Curves, tables: Tables) -> None:
    bonuses, tilts = tables.bonuses, tables.tilts
    if curves.bernoulli:
        for n in range(1, bonuses.size):
            bonuses[n] = bonus_at(curves, np.float64(n))
    else:
        fill_widths(curves, 1, bonuses[1:])
    if curves.tilt == 0.0:
        tilts[:] = 0.0
    else:
        _fill_tilts(curves, tilts[1:])
    bonuses[0] = tilts[0] = np.inf


# A function each, whose loop the compiler vectorises.


@compiled
def fill_widths(curves: Curves, first: int, widths: Floats) -> None:
    """Write the widths after first, first + 1, … pulls."""
    for place in range(widths.size):
        widths[place] = width(curves, np.float64(first + place))


@compiled
def _fill_tilts(curves: Curves, tilts: Floats) -> None:
    for place in range(tilts.size):
        tilts[place] = tilt(curves, np.float64(place + 1))


@inlined
def tilt_after(curves: Curves, tilts: Floats, n: int) -> float:
    """Return the tilt after n pulls, from the table as far as it goes."""
    return tilts[np.uint64(n)] if n < tilts.size else tilt(curves, np.float64(n))
