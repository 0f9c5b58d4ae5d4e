"""The leap engine: terminal counts of own-history policies without playing the rounds.

By the top-prefix lemma the counts are the N_i(c) at the level c where they add up to T, with N_i(c) the first
n at which min over s ≤ n of g_i(s) is at most h(n). With an envelope g = mean + width and h(n) = c − tilt(n);
without one g is the whole index and h = c. As the minimum falls and h does not, "already passed at n" is monotone in
n: a binary search finds N_i(c), asking at each n only whether g dips to h(n) anywhere before n. A certificate (see
`walks`) answers that for whole blocks; a block that it cannot decide is halved. So a run costs O(K·polylog T),
with two small prices that are reported: a total-variation bound, and a tolerance in pulls.

The walks are sums of unclipped rewards, so an instance whose rewards clipping could change is refused.
"""

from __future__ import annotations

import math

import numpy as np

from steadyarm.engines.leap.passages import NO_ROOM, first_passage
from steadyarm.engines.leap.walks import DEVIATIONS, Walks, begin_walks, room_for
from steadyarm.engines.played.arms import Floats, Integers, Source, source_of
from steadyarm.errors import SteadyarmError
from steadyarm.model.clipping import clipped_moments, clipping_chances
from steadyarm.model.compiled import compiled
from steadyarm.model.instance import GAUSSIAN, Instance
from steadyarm.model.priority import fill_priority
from steadyarm.policies.core.base import OwnHistoryPolicy, Policy
from steadyarm.policies.core.curves import Curves
from steadyarm.theory.fluid import fluid_counts, fluid_spread, slope

LEAST_PULLS = 16  # per arm: below, `simulate` plays instead
_EXACT_UP_TO = 10**6  # horizon up to which counts are exact to the pull
_TOLERANCE = 1e-3  # of the predicted standard deviation, beyond
_FIRST_ROOM = 1 << 12  # blocks
_MOST_ROOM = 1 << 26
_MOST_LEVELS = 400
_MOST_CLIPPED = 1e-10  # chance that clipping changes a reward of a run, a tenth of what a run may be wrong by


def supports(policy: Policy, instance: Instance) -> bool:
    """Whether this engine can play the policy on the instance."""
    return not refusal(policy, instance)


def refusal(policy: Policy, instance: Instance) -> str:
    """Return why this engine cannot play the policy on the instance; nothing if it can."""
    if not isinstance(policy, OwnHistoryPolicy):
        return "its index is not one of each arm's own rewards and pulls alone"
    curves = policy.curves
    if curves.bernoulli:
        return "its index is no mean plus a width"
    if min(curves.root, curves.inverse) < 0.0:
        return "its width rises with the pulls"
    if instance.rewards not in ("gaussian", "bernoulli"):
        return f"sums of {instance.rewards} rewards cannot be drawn at once"
    if (chance := _clipped(policy, instance)) > _MOST_CLIPPED:
        arm = int(np.argmax(clipping_chances(instance, curves.clip)))
        return (
            f"rewards are clipped to [-{curves.clip:.4g}, {curves.clip:.4g}], which changes some in a run with "
            f"probability up to {min(1.0, chance):.1g} (arm {arm} has mean {instance.means[arm]:g}), and sums of "
            "clipped rewards cannot be drawn at once"
        )
    return ""


def _clipped(policy: OwnHistoryPolicy, instance: Instance) -> float:
    """Return a bound on the chance that clipping changes a reward of a run; rewards that are ignored do not count."""
    clip = policy.curves.clip
    return float(policy.horizon * clipping_chances(instance, clip).max()) if clip > 0.0 else 0.0


class Leaps:
    """Plays ranges of runs; `tolerance` is in pulls, `total_variation` the largest bound of a run so far."""

    effort: int
    """What a run costs, in rounds played one by one."""

    def __init__(self, policy: OwnHistoryPolicy, instance: Instance, seed: int) -> None:
        self.curves, self.horizon = policy.curves, policy.horizon
        self.effort = 50_000 * policy.n_arms
        self.source = source_of(instance, seed)
        if self.curves.clip == 0.0:  # rewards are ignored
            nothing = np.zeros(instance.n_arms)
            self.source = Source(GAUSSIAN, nothing, nothing, np.uint64(seed))
        self.counts, spreads = np.empty(instance.n_arms), np.empty(instance.n_arms)
        once = np.ones(instance.n_arms)
        means, variances = clipped_moments(instance, self.curves.clip)
        self.level = fluid_counts(self.curves, means, once, self.counts)
        self.spread = fluid_spread(self.curves, variances, once, self.counts, spreads)
        steep = [slope(self.curves, count) for count in self.counts]
        self.weight = sum(1.0 / each for each in steep if each > 0.0)
        if not math.isfinite(self.spread + self.weight) or self.spread <= 0.0:
            self.spread, self.weight = policy.noise_scale / math.sqrt(self.horizon), 0.0
        self.tolerance = 1
        if self.horizon > _EXACT_UP_TO:
            wanted = max(1.0, _TOLERANCE * float(np.max(spreads, initial=0.0, where=np.isfinite(spreads))))
            self.tolerance = int(2.0 ** math.floor(math.log2(min(wanted, 1e-6 * self.horizon + 1.0))))
        # A dip inside a block of this length moves the passage by less than the tolerance.
        steepness = min(
            (
                count * slope(self.curves, count) / scale
                for count, scale in zip(self.counts, self.source.scale, strict=True)
                if scale > 0.0
            ),
            default=0.0,
        )
        wanted = (self.tolerance * steepness / DEVIATIONS) ** 2
        self.resolution = 2.0 ** math.floor(math.log2(wanted)) if 1.0 < wanted < self.tolerance**2 else 1.0
        self.resolution = min(self.resolution, float(self.tolerance))
        self._clipped = _clipped(policy, instance)
        self._most_blocks = 0

    @property
    def total_variation(self) -> float:
        """A bound on the total-variation distance between the law of a run's counts and the true one."""
        return self._most_blocks * 2.0 * math.exp(-2.0 * DEVIATIONS**2) + self._clipped

    def __call__(self, first_run: int, counts: Integers, stop: Integers, done: Integers) -> None:
        """Play runs first_run, first_run + 1, … and write their counts, one row a run."""
        room = max(_FIRST_ROOM, 128 * counts.shape[1])
        walks = room_for(counts.shape[1], room)
        row = 0
        while row < counts.shape[0] and not stop[0]:
            row = _leap_range(
                self.curves,
                self.source,
                self.horizon,
                self.level,
                self.spread,
                self.weight,
                float(self.tolerance),
                self.resolution,
                first_run,
                row,
                counts,
                walks,
                stop,
                done,
            )
            if row < counts.shape[0] and not stop[0]:  # the next run needs more room; its walk stays the same
                room *= 4
                if room > _MOST_ROOM:
                    raise SteadyarmError(
                        f"run {first_run + row} needs more than {_MOST_ROOM:,} blocks of its walks. "
                        "Use engine='prefix', or a policy that explores more."
                    )
                walks = room_for(counts.shape[1], room)
            self._most_blocks = max(self._most_blocks, int(done[1]))


def prepare(policy: OwnHistoryPolicy, instance: Instance, seed: int) -> Leaps:
    """Return an object that plays a range of runs, one row of counts a run."""
    return Leaps(policy, instance, seed)


@compiled
def _leap_range(
    curves: Curves,
    source: Source,
    horizon: int,
    expected: float,
    spread: float,
    weight: float,
    tolerance: float,
    resolution: float,
    first_run: int,
    first_row: int,
    counts: Integers,
    walks: Walks,
    stop: Integers,
    done: Integers,
) -> int:
    """Fill rows from first_row on; return the row that ran out of room, or the number of rows."""
    for row in range(first_row, counts.shape[0]):
        if stop[0] != 0:
            return row
        run = first_run + row
        begin_walks(source, run, walks)
        if not _find_level(
            curves, source, run, walks, horizon, expected, spread, weight, tolerance, resolution, counts[row]
        ):
            return row
        done[0] += horizon
        done[1] = max(done[1], walks.used[0])
    return counts.shape[0]


@compiled
def _find_level(
    curves: Curves,
    source: Source,
    run: int,
    walks: Walks,
    horizon: int,
    expected: float,
    spread: float,
    weight: float,
    tolerance: float,
    resolution: float,
    counts: Integers,
) -> bool:
    """Find the level at which the pulls add up to T and write them; False if there is no room."""
    n_arms = counts.size
    most = np.empty(n_arms)  # pulls at the level `low`, which add up to T or more
    least = np.empty(n_arms)  # pulls at the level `high`, which add up to T or less
    pulls = np.empty(n_arms)
    low, high = -np.inf, np.inf
    total_low, total_high = np.inf, 0.0
    level = expected
    if tolerance > 1.0 and weight > 0.0:  # two Newton steps with rough counts
        rough = 1024.0 * tolerance
        for _ in range(2):
            total = _pulls_at(curves, source, run, walks, level, horizon, rough, rough, pulls)
            if total == NO_ROOM:
                return False
            level += (total - horizon) / weight
            rough = max(tolerance, rough / 64.0)
    step = max(spread / 1024.0, n_arms * tolerance / weight) if weight > 0.0 else spread
    for attempt in range(_MOST_LEVELS):
        total = _pulls_at(curves, source, run, walks, level, horizon, tolerance, resolution, pulls)
        if total == NO_ROOM:
            return False
        if total >= horizon:
            low, total_low = level, total
            most[:] = pulls
        if total <= horizon:
            high, total_high = level, total
            least[:] = pulls
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
        _share_by_rank(most, least, horizon, source.seed, run, counts)
    return True


@compiled
def _pulls_at(
    curves: Curves,
    source: Source,
    run: int,
    walks: Walks,
    level: float,
    horizon: int,
    tolerance: float,
    resolution: float,
    pulls: Floats,
) -> float:
    """Write every arm's pulls at a level and return their sum, or NO_ROOM."""
    total = 0.0
    for arm in range(pulls.size):
        n = first_passage(curves, source, run, arm, walks, level, float(horizon), tolerance, resolution)
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
def _share_by_rank(
    most: Floats, least: Floats, horizon: int, seed: np.uint64, run: int, counts: Integers
) -> None:
    """Fill up to T: the tied arms take all their pulls at the level, in order of priority."""
    rank, by_rank = np.empty(most.size, np.int64), np.empty(most.size, np.int64)
    fill_priority(seed, run, rank)
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
