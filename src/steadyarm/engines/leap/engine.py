"""The leap engine: terminal counts of own-history policies without playing the rounds.

By the top-prefix lemma the counts are the N_i(c) at the level c where they add up to T, with N_i(c) the first
n at which min over s ≤ n of g_i(s) is at most h(n). With an envelope g = mean + width and h(n) = c − tilt(n);
without one g is the whole index and h = c. As the minimum falls and h does not, "already passed at n" is monotone in
n: a binary search finds N_i(c), asking at each n only whether g dips to h(n) anywhere before n. A certificate (see
`walks`) answers that for whole blocks; a block that it cannot decide is halved. So a run costs O(K·polylog T),
with two small prices that are reported: a total-variation bound, and a tolerance in pulls. Counts after t rounds are
those at the level where they add up to t, of the same walks: one path, whatever moments are asked for.

The walks are sums of unclipped rewards, so an instance whose rewards clipping could change is refused.
"""

from __future__ import annotations

import math
from threading import Lock

import numpy as np

from steadyarm.engines.interface import Engine, Player, Setting, Watch
from steadyarm.engines.leap.level import Search, fill_rows
from steadyarm.engines.leap.walks import DEVIATIONS, room_for
from steadyarm.engines.played.game import NOT_OWN_HISTORY
from steadyarm.engines.source import Source, source_of
from steadyarm.errors import SteadyarmError
from steadyarm.model.clipping import clipped_moments, clipping_chances
from steadyarm.model.instance import GAUSSIAN, Instance
from steadyarm.numerics.arrays import Floats, Integers
from steadyarm.policies.core.curves import Curves
from steadyarm.policies.core.own_history import OwnHistoryPolicy
from steadyarm.policies.core.policy import Policy
from steadyarm.theory.fluid import fluid_counts, fluid_spread, slope

_EXACT_UP_TO = 10**6  # horizon up to which counts are exact to the pull
_TOLERANCE = 1e-3  # of the predicted standard deviation, beyond
_FIRST_ROOM = 1 << 12  # blocks
_MOST_ROOM = 1 << 26
_MOST_CLIPPED = 1e-10  # chance that clipping changes a reward of a run, a tenth of what a run may be wrong by


class Leap(Engine):
    """Plays own-history policies on Gaussian and Bernoulli rewards."""

    name = "leap"
    reads_table = False

    def refusal(self, policy: Policy, instance: Instance) -> str | None:
        """Refuse what has no walk, or no certificate."""
        if not isinstance(policy, OwnHistoryPolicy):
            return NOT_OWN_HISTORY
        curves = policy.curves
        if curves.bernoulli:
            return "its index is not a mean plus a width"
        if min(curves.root, curves.inverse) < 0.0:
            return "its width grows with the pulls"
        if instance.rewards not in ("gaussian", "bernoulli"):
            return f"sums of {instance.rewards} rewards cannot be drawn at once"
        if (chance := _clipping_chance(policy, instance)) > _MOST_CLIPPED:
            arm = int(np.argmax(clipping_chances(instance, curves.clip)))
            return (
                f"rewards are clipped to [-{curves.clip:.4g}, {curves.clip:.4g}], which changes some in a run with "
                f"probability up to {min(1.0, chance):.1g} (arm {arm} has mean {instance.means[arm]:g}), and sums of "
                "clipped rewards cannot be drawn at once"
            )
        return None

    def run_cost(self, policy: Policy) -> float:
        """Return the seconds of a level: more on flat indices, whose walks have to be looked at closely."""
        assert isinstance(policy, OwnHistoryPolicy)
        decades = max(0.0, math.log10(policy.horizon) - 5.0)
        if policy.curves.tilt > 0.0:
            milliseconds = 0.15 + 0.05 * decades
        elif policy.curves.log_scale > 0.0:
            milliseconds = 0.6 + 1.1 * decades
        else:
            milliseconds = 0.4 + 0.2 * decades
        return 1e-3 * policy.n_arms * milliseconds

    def prepare(self, setting: Setting) -> Player:
        """Return a player that knows where the level is expected."""
        policy = setting.policy
        assert isinstance(policy, OwnHistoryPolicy)
        return LeapPlayer(policy, setting.instance, setting.seed, setting.at, self.run_cost(policy))


def _clipping_chance(policy: OwnHistoryPolicy, instance: Instance) -> float:
    """Return a bound on the chance that clipping changes a reward of a run; rewards that are ignored do not count."""
    clip = policy.curves.clip
    return float(policy.horizon * clipping_chances(instance, clip).max()) if clip > 0.0 else 0.0


class LeapPlayer(Player):
    """Looks for the levels of run after run."""

    def __init__(
        self, policy: OwnHistoryPolicy, instance: Instance, seed: int, at: Integers, run_cost: float
    ) -> None:
        self.rounds, self.run_cost = policy.horizon, run_cost * len(at)
        self.curves, self.source = policy.curves, source_of(instance, seed)
        if self.curves.clip == 0.0:  # rewards are ignored
            nothing = np.zeros(instance.n_arms)
            self.source = Source(GAUSSIAN, nothing, nothing, np.uint64(seed))
        self.searches = np.array([_search(policy, instance, self.source, int(rounds)) for rounds in at])
        tolerances = self.searches[:, Search._fields.index("tolerance")]
        self.tolerance = int(tolerances[-1])
        tolerances[:] = np.minimum(tolerances, self.tolerance)
        self._clipping_chance = _clipping_chance(policy, instance)
        self._most_blocks, self._lock = 0, Lock()

    @property
    def total_variation(self) -> float:
        """A bound on the total-variation distance between the law of a run's counts and the true one."""
        return self._most_blocks * 2.0 * math.exp(-2.0 * DEVIATIONS**2) + self._clipping_chance

    def play(self, first_run: int, rows: Integers, watch: Watch) -> None:
        """Play runs first_run, first_run + 1, … and write their counts, one row a run."""
        room = max(_FIRST_ROOM, 128 * rows.shape[2])
        walks = room_for(self.curves, self.source, room)
        most_blocks = np.zeros(1, dtype=np.int64)
        row = 0
        while row < rows.shape[0] and not watch.stop[0]:
            row = fill_rows(self.searches, walks, first_run, row, rows, most_blocks, watch)
            if (
                row < rows.shape[0] and not watch.stop[0]
            ):  # the next run needs more room; its walk stays the same
                room *= 4
                if room > _MOST_ROOM:
                    raise SteadyarmError(
                        f"run {first_run + row} needs more than {_MOST_ROOM:,} blocks of its walks. "
                        "Use engine='prefix', or a policy that explores more."
                    )
                walks = room_for(self.curves, self.source, room)
        with self._lock:
            self._most_blocks = max(self._most_blocks, int(most_blocks[0]))


def _search(policy: OwnHistoryPolicy, instance: Instance, source: Source, rounds: int) -> Search:
    """Return where the level is expected after so many rounds, and how finely it has to be looked for."""
    curves, once = policy.curves, np.ones(instance.n_arms)
    counts, spreads = np.empty(instance.n_arms), np.empty(instance.n_arms)
    means, variances = clipped_moments(instance, curves.clip)
    level = fluid_counts(curves, means, once, float(rounds), counts)
    spread = fluid_spread(curves, variances, once, counts, spreads)
    weight = sum(1.0 / each for each in (slope(curves, count) for count in counts) if each > 0.0)
    if not math.isfinite(spread + weight) or spread <= 0.0:
        spread, weight = policy.noise_scale / math.sqrt(rounds), 0.0
    tolerance = _tolerance(rounds, spreads)
    return Search(rounds, level, spread, weight, tolerance, _resolution(curves, source, counts, tolerance))


def _tolerance(horizon: int, spreads: Floats) -> int:
    """Return how many pulls counts may be off by: a small part of their standard deviation, as a power of two."""
    if horizon <= _EXACT_UP_TO:
        return 1
    wanted = max(1.0, _TOLERANCE * float(np.max(spreads, initial=0.0, where=np.isfinite(spreads))))
    return int(2.0 ** math.floor(math.log2(min(wanted, 1e-6 * horizon + 1.0))))


def _resolution(curves: Curves, source: Source, counts: Floats, tolerance: int) -> float:
    """Return the length of a block in which a dip moves the passage by less than the tolerance."""
    steepness = min(
        (
            count * slope(curves, count) / scale
            for count, scale in zip(counts, source.scale, strict=True)
            if scale > 0.0
        ),
        default=0.0,
    )
    wanted = (tolerance * steepness / DEVIATIONS) ** 2
    resolution = 2.0 ** math.floor(math.log2(wanted)) if 1.0 < wanted < tolerance**2 else 1.0
    return min(resolution, float(tolerance))
