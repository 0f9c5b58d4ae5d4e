"""What a rule chooses in many runs side by side, its numbers laid out in lanes: see `numerics.lanes`.

By an index, or a glance at it, all lanes find their leaders at once; else the rule says how all lanes choose, or every
lane asks it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numba.extending import overload

from steadyarm.numerics.arrays import Floats, Integers, Singles
from steadyarm.numerics.compiled import compiled
from steadyarm.numerics.lanes import LED_AT_ONCE, lane_of, lead, lead_clearly
from steadyarm.policies.rules.dispatch import choose_by, index_of, largest_of_close
from steadyarm.policies.rules.glances import glance_of, has_glance
from steadyarm.policies.rules.noise import Noise, RoughNormals, fill_normals, fill_words
from steadyarm.policies.rules.rule import rule_for

_TOGETHER: dict[type, Callable[..., None]] = {}


class Runs(NamedTuple):
    """Runs at the same round, flat with a row for each number and a lane for each run."""

    rank: Integers
    ranks: Integers  # the same, with a row for each arm
    counts: Integers
    totals: Floats
    state: Floats
    unheard: Integers  # by lane: how many arms have no reward yet, where that decides
    leader: Integers  # by lane: the arm that is played


class Room(NamedTuple):
    """Room to work in: numbers of all arms in all lanes."""

    values: Floats
    errors: Floats
    rough: RoughNormals


def runs_for(n_arms: int, lanes: int, state_size: int) -> Runs:
    """Return room for the numbers of so many runs."""
    whole, real = np.zeros((2, n_arms * lanes), np.int64), np.zeros((n_arms + state_size) * lanes)
    rank, counts = whole
    totals, state = real[: n_arms * lanes], real[n_arms * lanes :]
    unheard, leader = np.zeros((2, lanes), np.int64)
    return Runs(rank, rank.reshape(n_arms, lanes), counts, totals, state, unheard, leader)


def room_for(n_arms: int, lanes: int) -> Room:
    """Return room to work in for so many arms and lanes."""
    values, errors = np.empty((2, n_arms, lanes))
    radius_words, angle_words = np.empty((2, n_arms * lanes), np.uint32)
    return Room(values, errors, RoughNormals(np.empty(n_arms * lanes, np.float32), radius_words, angle_words))


def side_by_side(parameters: type, choose: Callable[..., None]) -> None:
    """Say how a rule without an index chooses in all lanes: by a function that does as `choose_side_by_side`."""
    _TOGETHER[parameters] = choose


def choose_side_by_side(parameters: Any, noise: Any, runs: Any, room: Any) -> None:
    """Write the arm that each lane plays next into `runs.leader`; only compiled code can call it.

    The first lane has the `noise`, and the others are the runs after its run. A lane with arms that are
    `unheard` is not asked for a choice; what is written for it has no meaning.
    """
    raise TypeError("call a rule from compiled code")


@compiled
def fill_values(
    parameters: Any, noise: Noise, counts: Integers, totals: Floats, state: Floats, values: Floats
) -> None:
    """Write the indices of all arms, a row each, in all lanes; a function of its own, where the loop is vectorised."""
    n_arms, lanes = values.shape
    for arm in range(n_arms):
        for lane in range(lanes):
            values[arm, lane] = index_of(
                parameters,
                Noise(noise.seed, noise.run + lane, noise.round),
                arm,
                lane_of(counts, lane, lanes, n_arms),
                lane_of(totals, lane, lanes, n_arms),
                lane_of(state, lane, lanes, state.size // lanes),
            )


def _leaders(parameters: Any, noise: Any, runs: Any, room: Any) -> None:
    fill_values(parameters, noise, runs.counts, runs.totals, runs.state, room.values)
    for lane in range(0, runs.leader.size, LED_AT_ONCE):
        lead(room.values, runs.ranks, runs.leader, lane)


@compiled
def fill_glances(
    parameters: Any,
    normals: Singles,
    counts: Integers,
    totals: Floats,
    state: Floats,
    values: Floats,
    errors: Floats,
) -> None:
    """Do as `fill_values` does, by a glance at each arm with its rough normal, and write the errors too."""
    n_arms, lanes = values.shape
    for arm in range(n_arms):
        of_arm = normals[arm * lanes : (arm + 1) * lanes]
        for lane in range(lanes):
            values[arm, lane], errors[arm, lane] = glance_of(
                parameters,
                float(of_arm[lane]),
                arm,
                lane_of(counts, lane, lanes, n_arms),
                lane_of(totals, lane, lanes, n_arms),
                lane_of(state, lane, lanes, state.size // lanes),
            )


def _clear_leaders(parameters: Any, noise: Any, runs: Any, room: Any) -> None:
    n_arms, lanes = runs.ranks.shape
    rough = room.rough
    fill_words(noise, lanes, rough.radius_words, rough.angle_words)
    fill_normals(rough.radius_words, rough.angle_words, rough.normals)
    fill_glances(parameters, rough.normals, runs.counts, runs.totals, runs.state, room.values, room.errors)
    for first in range(0, lanes, LED_AT_ONCE):
        doubtful = lead_clearly(room.values, room.errors, runs.leader, first)
        lane = first
        while doubtful > 0:
            if doubtful & 1:
                lowest = -np.inf
                for arm in range(n_arms):
                    lowest = max(lowest, room.values[arm, lane] - room.errors[arm, lane])
                runs.leader[lane] = largest_of_close(
                    parameters,
                    Noise(noise.seed, noise.run + lane, noise.round),
                    lowest,
                    lane_of(runs.rank, lane, lanes, n_arms),
                    lane_of(runs.counts, lane, lanes, n_arms),
                    lane_of(runs.totals, lane, lanes, n_arms),
                    lane_of(runs.state, lane, lanes, runs.state.size // lanes),
                )
            doubtful >>= 1
            lane += 1


def _own_choices(parameters: Any, noise: Any, runs: Any, room: Any) -> None:
    n_arms, lanes = runs.ranks.shape
    for lane in range(lanes):
        if runs.unheard[lane] == 0:
            runs.leader[lane] = choose_by(
                parameters,
                Noise(noise.seed, noise.run + lane, noise.round),
                lane_of(runs.rank, lane, lanes, n_arms),
                lane_of(runs.counts, lane, lanes, n_arms),
                lane_of(runs.totals, lane, lanes, n_arms),
                lane_of(runs.state, lane, lanes, runs.state.size // lanes),
            )


@overload(choose_side_by_side, strict=False, jit_options={"forceinline": True})
def _choose_side_by_side(parameters: Any, noise: Any, runs: Any, room: Any) -> Any:
    kind = parameters.instance_class
    if has_glance(kind):
        return _clear_leaders
    return _leaders if rule_for(kind).index else _TOGETHER.get(kind, _own_choices)
