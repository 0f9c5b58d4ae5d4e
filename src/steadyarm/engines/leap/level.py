"""The level of a leapt run: the one at which all arms' first passages add up to the horizon."""

import math
from typing import NamedTuple

import numpy as np

from steadyarm.engines.interface import Watch
from steadyarm.engines.leap.passages import NO_ROOM, first_passage
from steadyarm.engines.leap.walks import Walks, begin_walks
from steadyarm.engines.played.arms import first_counts
from steadyarm.model.priority import fill_priority
from steadyarm.numerics.arrays import Floats, Integers, borrowed, copy
from steadyarm.numerics.compiled import compiled

_MOST_LEVELS = 400


class Search(NamedTuple):
    """Where the level is expected after some rounds, and how finely it is looked for."""

    rounds: int
    expected: float
    spread: float  # the standard deviation of the level
    weight: float  # pulls of all arms that a level lower by one adds; 0 if nobody knows
    tolerance: float  # in pulls
    resolution: float  # blocks of this length are not looked into for dips


@compiled
def _search(searches: Floats, moment: int) -> Search:
    """Return one row as a search: a tuple of searches would be compiled anew for each number of them."""
    rounds, expected, spread, weight, tolerance, resolution = searches[moment]
    return Search(int(rounds), expected, spread, weight, tolerance, resolution)


@compiled
def fill_rows(
    searches: Floats,
    walks: Walks,
    first_run: int,
    first_row: int,
    counts: Integers,
    most_blocks: Integers,
    watch: Watch,
) -> int:
    """Fill rows from first_row on; return the row that ran out of room, or the number of rows.

    The levels of all moments, one search each, are looked for on the same walks. That of the horizon comes first, so
    that its counts cannot depend on the other moments. `most_blocks` keeps the most blocks that a run took.
    """
    walks, watch = borrowed(walks), borrowed(watch)
    last = len(searches) - 1
    rank = np.empty(counts.shape[2], np.int64)
    for row in range(first_row, counts.shape[0]):
        if watch.stop[0] != 0:
            return row
        run = first_run + row
        begin_walks(walks, run)
        fill_priority(walks.source.seed, run, rank)
        for place in range(last + 1):
            moment = last if place == 0 else place - 1
            search = _search(searches, moment)
            if search.rounds <= rank.size:
                first_counts(rank, search.rounds, counts[row, moment])
            elif not _find_level(search, walks, run, rank, counts[row, moment]):
                return row
        watch.done[0] += int(searches[last, 0])
        most_blocks[0] = max(most_blocks[0], walks.used[0])
    return len(counts)


@compiled
def _find_level(search: Search, walks: Walks, run: int, rank: Integers, counts: Integers) -> bool:
    """Find the level at which the pulls add up to the rounds T and write them; False if there is no room."""
    n_arms, horizon = counts.size, search.rounds
    weight, tolerance, resolution = search.weight, search.tolerance, search.resolution
    most = np.empty(n_arms)  # pulls at the level `low`, which add up to T or more
    least = np.empty(n_arms)  # pulls at the level `high`, which add up to T or less
    pulls = np.empty(n_arms)
    low, high = -np.inf, np.inf
    total_low, total_high = np.inf, 0.0
    level = search.expected
    if tolerance > 1.0 and weight > 0.0:  # two Newton steps with rough counts
        rough = 1024.0 * tolerance
        for _ in range(2):
            total = _pulls_at(walks, run, level, horizon, rough, rough, pulls)
            if total == NO_ROOM:
                return False
            level += (total - horizon) / weight
            rough = max(tolerance, rough / 64.0)
    step = max(search.spread / 1024.0, n_arms * tolerance / weight) if weight > 0.0 else search.spread
    for attempt in range(_MOST_LEVELS):
        total = _pulls_at(walks, run, level, horizon, tolerance, resolution, pulls)
        if total == NO_ROOM:
            return False
        if total >= horizon:
            low, total_low = level, total
            copy(pulls, most)
        if total <= horizon:
            high, total_high = level, total
            copy(pulls, least)
        if low > -np.inf and high < np.inf:
            if (
                total_low - total_high <= 2.0 * n_arms * (tolerance - 1.0)
                or _differing(most, least) <= 1
                or not low < 0.5 * (low + high) < high
            ):
                break
            # Regula falsi, and every third time a bisection, so that one end cannot stay for ever.
            aim = low + (high - low) * (total_low - horizon) / (total_low - total_high)
            level = aim if attempt % 3 != 2 and low < aim < high else 0.5 * (low + high)
        else:
            newton = abs(total - horizon) / weight if weight > 0.0 else 0.0
            away = max(1.25 * newton, step)
            level = level + away if total > horizon else level - away
            step *= 4.0
    if low < 0.5 * (low + high) < high:
        _share_out(most, least, horizon, counts)
    else:  # the level is found to the last bit: a tie, and priority decides
        _share_by_rank(most, least, horizon, rank, counts)
    return True


@compiled
def _pulls_at(
    walks: Walks, run: int, level: float, horizon: int, tolerance: float, resolution: float, pulls: Floats
) -> float:
    """Write every arm's pulls at a level and return their sum, or NO_ROOM."""
    total = 0.0
    for arm in range(pulls.size):
        n = first_passage(walks, run, arm, level, float(horizon), tolerance, resolution)
        if n == NO_ROOM:
            return NO_ROOM
        pulls[arm] = n
        total += n
    return total


@compiled
def _differing(most: Floats, least: Floats) -> int:
    count = 0
    for arm in range(most.size):
        if most[arm] != least[arm]:
            count += 1
    return count


@compiled
def _share_by_rank(most: Floats, least: Floats, horizon: int, rank: Integers, counts: Integers) -> None:
    """Fill up to T: the tied arms take all their pulls at the level, in order of priority."""
    by_rank = np.empty(most.size, np.int64)
    for arm in range(most.size):
        by_rank[rank[arm]] = arm
    left = horizon - least.sum()
    for place in range(most.size):
        arm = by_rank[place]
        taken = min(left, most[arm] - least[arm])
        counts[arm] = int(least[arm] + taken)
        left -= taken


@compiled
def _share_out(most: Floats, least: Floats, horizon: int, counts: Integers) -> None:
    """Fill up to T: the arms whose pulls differ between the two levels share what is left."""
    left = horizon - least.sum()
    gained = (most - least).sum()
    given, seen = 0.0, 0.0
    for arm in range(counts.size):
        seen += most[arm] - least[arm]
        upto = math.floor(left * seen / gained + 0.5) if gained > 0.0 else 0.0
        counts[arm] = int(least[arm] + (upto - given))
        given = upto
