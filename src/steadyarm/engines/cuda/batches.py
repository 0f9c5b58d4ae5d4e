"""The state of a batch of runs in the card's memory, and how launches move it forward."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numba import cuda

from steadyarm.engines.cuda import kernels, rules
from steadyarm.engines.cuda.blocks import Indices, Tabled
from steadyarm.engines.cuda.card import LANES
from steadyarm.engines.played.cuts import expected_level
from steadyarm.engines.played.game import tables_of
from steadyarm.engines.played.step_lanes import Frame
from steadyarm.engines.source import Source, source_of
from steadyarm.model.clipping import kinds_of_arms
from steadyarm.model.instance import Instance
from steadyarm.numerics.arrays import Integers
from steadyarm.policies.core.curves import Curves
from steadyarm.policies.core.own_history import OwnHistoryPolicy
from steadyarm.policies.rules.binding import not_an_arm
from steadyarm.policies.rules.rule import rule_of
from steadyarm.policies.rules.rule_policy import RulePolicy
from steadyarm.theory.fluid import fluid_counts, slope

_MOST_RUNS = 1 << 18  # runs under way at once; more than any card has threads for
_MEMORY_SHARE = 0.5  # of the free memory that a batch may take
_MOST_TABLED = 1 << 23  # pull counts whose curves are kept in a table
_SHARED_BYTES = 48 * 1024  # that every card gives to a block of threads
_WARP = 32
_FEW_THREADS = 1 << 14  # so few that small blocks spread better over the card
_MARGIN = 3.0  # standard deviations of the level by which the first cut stays above the expected one
_MOST_CUTS = 4
_MOST_LOWERED = 3  # times that a level that left rounds over is lowered
_LOW_MARGIN = 5.0  # standard deviations of the pulls that a lower level takes


def runs_that_fit(bytes_per_run: int) -> int:
    """Return how many runs a batch may have."""
    free, _ = cuda.current_context().get_memory_info()
    return int(max(1, min(_MOST_RUNS, _MEMORY_SHARE * free / bytes_per_run)))


def _grid(threads: int, most: int = 128) -> tuple[int, int]:
    """Return the number of blocks and the threads of each: small blocks where there are few threads."""
    each = most if threads > _FEW_THREADS else _WARP
    return -(-threads // each), each


def _source_on_card(instance: Instance, seed: int) -> Source:
    """Return the rewards of an instance with its arrays in the card's memory."""
    source = source_of(instance, seed)
    location, scale = (cuda.to_device(np.array(array)) for array in (source.location, source.scale))
    return source._replace(location=location, scale=scale)


def _below(curves: Curves, instance: Instance) -> tuple[float, float]:
    """Return how many more pulls a run takes when its level is lowered, and their variance; each per level.

    An arm's index falls by `slope` a pull and strays by σ/n, so its pulls stray by σ/(n·slope) times their root.
    """
    kinds, copies, _ = kinds_of_arms(instance, curves.clip)
    counts = np.empty(copies.size)
    fluid_counts(curves, np.ascontiguousarray(kinds[:, 1]), copies, curves.horizon, counts)
    slopes = np.array([slope(curves, count) for count in counts])
    if not (slopes > 0.0).all():
        return 0.0, 0.0
    strays = np.sqrt(kinds[:, 2]) / (counts * slopes)
    return float((copies / slopes).sum()), float((copies * strays**2 / slopes).sum())


class IndexGame:
    """An own-history policy on an instance, in the card's memory: what all batches share."""

    def __init__(self, policy: OwnHistoryPolicy, instance: Instance, seed: int, cut: bool) -> None:
        curves = policy.curves
        self.horizon, self.n_arms = policy.horizon, policy.n_arms
        self.level, self.spread = expected_level(curves, instance, policy.horizon) if cut else (math.inf, 0.0)
        self.per_level, self.noise = _below(curves, instance) if math.isfinite(self.level) else (0.0, 0.0)
        tabled = not curves.bernoulli and policy.horizon <= _MOST_TABLED
        tables = tables_of(curves, policy.horizon + kernels.RING if tabled else 1)
        inverses = 1.0 / np.arange(1, len(tables.bonuses))
        from_first_pull = (tables.bonuses[1:], tables.tilts[1:], inverses)
        left = Tabled(curves.clip, curves.envelope) if tabled else curves
        self.indices = Indices(left, *map(cuda.to_device, from_first_pull))
        self.source = _source_on_card(instance, seed)
        of_arm = 8 * 6 + 4 * 3 + 8 * kernels.RING  # six doubles or long integers, three short ones, indices
        self.runs_at_once = runs_that_fit(self.n_arms * of_arm + 24)
        shared = kernels.shared_bytes(self.n_arms)
        self.shared = shared if shared <= _SHARED_BYTES else 0

    def batch(self, first_run: int, runs: int) -> IndexBatch:
        """Begin a batch of runs."""
        return IndexBatch(self, first_run, runs)


class IndexBatch:
    """Runs of an own-history policy: cut at a level (or after one pull an arm), then played to the end."""

    def __init__(self, game: IndexGame, first_run: int, runs: int) -> None:
        self.game, self.runs = game, runs
        self.on_card = kernels.Game(game.indices, game.source, np.int64(first_run))
        rows = game.n_arms
        self.arms = kernels.Arms(
            rank=cuda.device_array((rows, runs), np.int64),
            arm_of=cuda.device_array(rows * runs, np.int32),
            filled=cuda.device_array(rows * runs, np.int64),
            total=cuda.device_array(rows * runs),
            value=cuda.device_array(rows * runs),
            ahead=cuda.device_array((kernels.RING + 1) * rows * runs),
            place=cuda.device_array(2 * rows * runs, np.int32),
        )
        self.table = cuda.device_array((runs, rows), np.int64)
        self.played = cuda.device_array(runs, np.int64)
        self.margins = np.full(runs, _MARGIN)
        self.cuts, self.lowered = 0, 0
        self.now = np.full(runs, math.inf)  # the level of each run
        self.lowest = np.zeros(runs, dtype=bool)  # whether it must not be lowered again
        self._begin(np.ones(runs, dtype=bool))

    def _begin(self, these: np.ndarray[Any, np.dtype[np.bool_]]) -> None:
        """Put runs to their start, with a level to be cut at; the others stay as they are."""
        game = self.game
        last = self.cuts == _MOST_CUTS
        self.now[these] = math.inf if last else (game.level + self.margins * game.spread)[these]
        self.levels = cuda.to_device(np.where(these, self.now, math.nan))
        self.cutting = True
        kernels.begin[_grid(self.runs)](self.on_card, self.levels, self.arms)

    def advance(self, rounds: int, until: int) -> int:
        """Play about so many more rounds of each run, up to round `until`; return the rounds played of all runs."""
        if self.cutting:
            return self._cut(rounds)
        game = self.game
        play = kernels.play_in_shared if game.shared else kernels.play_in_memory
        play[-(-self.runs // LANES), LANES, 0, game.shared](
            self.on_card, until, rounds, self.arms, self.played
        )
        return int(self.played.copy_to_host().sum())

    def _cut(self, pulls: int) -> int:
        game = self.game
        unfinished = cuda.to_device(np.zeros(1, np.int64))
        kernels.cut[_grid(self.runs * game.n_arms)](
            self.on_card, game.horizon, pulls, self.levels, self.arms, unfinished
        )
        if unfinished.copy_to_host()[0] > 0:
            return 0
        taken = self._count()
        too_low = taken > game.horizon
        if too_low.any():  # cut these again at a higher level
            self.cuts += self.lowered == 0
            self.margins[too_low] = 2.0 * self.margins[too_low] + 1.0
            self.lowest |= too_low & (self.lowered > 0)
            self._begin(too_low)
        elif not self._lower(game.horizon - taken):
            self.cutting = False
        return 0 if self.cutting else int(taken.sum())

    def _lower(self, left: Integers) -> bool:
        """Lower the levels to where it is nearly certain that no more than the rounds left are taken."""
        game = self.game
        if self.lowered == _MOST_LOWERED or game.per_level == 0.0:
            return False
        self.lowered += 1
        # per_level · d + margin · √(noise · d) = left, for √d
        reserve = _LOW_MARGIN * math.sqrt(game.noise)
        roots = (np.sqrt(reserve**2 + 4.0 * game.per_level * left) - reserve) / (2.0 * game.per_level)
        pays = (game.per_level * roots**2 > 0.2 * left) & ~self.lowest & (left > 0)
        self.now = np.where(pays, self.now - roots**2, self.now)
        self.levels = cuda.to_device(np.where(pays, self.now, math.nan))
        return bool(pays.any())

    def _count(self) -> Integers:
        kernels.count[_grid(self.runs)](self.game.n_arms, self.arms, self.table, self.played)
        taken: Integers = self.played.copy_to_host()
        return taken

    def counts_after(self, rounds: int) -> Integers:
        """Return the counts of all runs after the rounds that were played, or fewer if these are all first pulls."""
        if rounds < self.game.n_arms:
            first: Integers = (rounds > self.arms.rank.copy_to_host().T).astype(np.int64)
            return first
        self._count()
        counts: Integers = self.table.copy_to_host()
        return counts


class RuleGame:
    """A general policy on an instance, in the card's memory: what all batches share."""

    def __init__(self, policy: RulePolicy, instance: Instance, seed: int) -> None:
        self.policy, self.source = policy, _source_on_card(instance, seed)
        self.frame = Frame(policy.horizon, policy.room, policy.pulls_each_arm_first)
        self.parameters, self.rule = policy.parameters, rule_of(policy.parameters)
        of_arm = 8 * (4 + rules.RING)
        self.runs_at_once = runs_that_fit(policy.n_arms * of_arm + 8 * policy.room + 8 * 3)
        shared = rules.shared_bytes(policy.n_arms, max(1, policy.room))
        self.shared = shared if shared <= _SHARED_BYTES else 0
        self.play = rules.kernel_for(self.parameters, self.shared > 0)

    def batch(self, first_run: int, runs: int) -> RuleBatch:
        """Begin a batch of runs."""
        return RuleBatch(self, first_run, runs)


class RuleBatch:
    """Runs of a general policy."""

    def __init__(self, game: RuleGame, first_run: int, runs: int) -> None:
        self.game, self.first_run, self.runs = game, np.int64(first_run), runs
        arms = game.policy.n_arms
        self.state = rules.Runs(
            rank=cuda.device_array(arms * runs, np.int64),
            counts=cuda.to_device(np.zeros(arms * runs, np.int64)),
            totals=cuda.to_device(np.zeros(arms * runs)),
            drawn=cuda.to_device(np.zeros(arms * runs, np.int64)),
            state=cuda.to_device(np.zeros(max(1, game.policy.room) * runs)),
            cells=cuda.device_array(rules.RING * arms * runs),
            played=cuda.to_device(np.zeros(runs, np.int64)),
            faults=cuda.to_device(np.zeros(2 * runs, np.int64)),
        )

    def advance(self, rounds: int, until: int) -> int:
        """Play so many more rounds of each run, up to round `until`; return the rounds played of all runs."""
        game = self.game
        frame = game.frame._replace(horizon=until)
        grid = (-(-self.runs // LANES), LANES) if game.shared else _grid(self.runs)
        game.play[(*grid, 0, game.shared)](
            game.parameters, frame, game.source, self.first_run, rounds, self.state
        )
        numbers, arms = self.state.faults.copy_to_host().reshape(2, self.runs)
        if numbers.any():
            first = int(np.flatnonzero(numbers)[0])
            raise not_an_arm(
                game.policy, game.rule, int(self.first_run) + first, int(numbers[first]), int(arms[first])
            )
        return int(self.state.played.copy_to_host().sum())

    def counts_after(self, rounds: int) -> Integers:  # noqa: ARG002
        """Return the counts of all runs after the rounds that were played."""
        counts: Integers = self.state.counts.copy_to_host().reshape(-1, self.runs).T
        return counts
