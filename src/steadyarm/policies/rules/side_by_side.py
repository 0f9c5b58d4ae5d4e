"""What a rule chooses in many runs side by side, its numbers laid out in lanes: see `model.lanes`.

By an index, or a glance at it, all lanes find their leaders at once; else the rule says how all lanes choose, or every
lane asks it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numba.extending import overload

from steadyarm.model.arrays import Floats, Integers
from steadyarm.model.compiled import compiled
from steadyarm.model.lanes import LED_AT_ONCE, lane_of, lead, lead_clearly
from steadyarm.policies.rules.dispatch import choose_by, index_of, largest_index
from steadyarm.policies.rules.glances import glance_of, has_glance
from steadyarm.policies.rules.noise import Noise
from steadyarm.policies.rules.rule import rule_for

_TOGETHER: dict[type, Callable[..., None]] = {}


def side_by_side(parameters: type, choose: Callable[..., None]) -> None:
    """Say how a rule without an index chooses in all lanes: by a function that does as `choose_side_by_side`."""
    _TOGETHER[parameters] = choose


def choose_side_by_side(
    parameters: Any,
    noise: Any,
    unheard: Any,
    rank: Any,
    ranks: Any,
    count: Any,
    total: Any,
    state: Any,
    values: Any,
    errors: Any,
    leader: Any,
) -> None:
    """Write the arm that each lane plays next into `leader`; only compiled code can call it.

    The first lane has the `noise`, and the others are the runs after its run. A lane whose `unheard` is not zero is not
    asked for a choice; what is written for it has no meaning. `ranks` is `rank` with a row for each arm, and so are
    `values` and `errors`, which are room to work in.
    """
    raise TypeError("call a rule from compiled code")


@compiled
def fill_values(
    parameters: Any,
    noise: Noise,
    count: Integers,
    total: Floats,
    state: Floats,
    values: Floats,
) -> None:
    """Write the indices of all arms, a row each, in all lanes; a function of its own, where the loop is vectorised."""
    n_arms, lanes = values.shape
    for arm in range(n_arms):
        for lane in range(lanes):
            values[arm, lane] = index_of(
                parameters,
                Noise(noise.seed, noise.run + lane, noise.round),
                arm,
                lane_of(count, lane, lanes, n_arms),
                lane_of(total, lane, lanes, n_arms),
                lane_of(state, lane, lanes, state.size // lanes),
            )


def _leaders(
    parameters: Any,
    noise: Any,
    unheard: Any,
    rank: Any,
    ranks: Any,
    count: Any,
    total: Any,
    state: Any,
    values: Any,
    errors: Any,
    leader: Any,
) -> None:
    fill_values(parameters, noise, count, total, state, values)
    for lane in range(0, leader.size, LED_AT_ONCE):
        lead(values, ranks, leader, lane)


@compiled
def fill_glances(
    parameters: Any,
    noise: Noise,
    count: Integers,
    total: Floats,
    state: Floats,
    values: Floats,
    errors: Floats,
) -> None:
    """Do as `fill_values` does, by a glance at each arm, and write the errors too."""
    n_arms, lanes = values.shape
    for arm in range(n_arms):
        for lane in range(lanes):
            values[arm, lane], errors[arm, lane] = glance_of(
                parameters,
                Noise(noise.seed, noise.run + lane, noise.round),
                arm,
                lane_of(count, lane, lanes, n_arms),
                lane_of(total, lane, lanes, n_arms),
                lane_of(state, lane, lanes, state.size // lanes),
            )


def _clear_leaders(
    parameters: Any,
    noise: Any,
    unheard: Any,
    rank: Any,
    ranks: Any,
    count: Any,
    total: Any,
    state: Any,
    values: Any,
    errors: Any,
    leader: Any,
) -> None:
    n_arms, lanes = ranks.shape
    fill_glances(parameters, noise, count, total, state, values, errors)
    for first in range(0, lanes, LED_AT_ONCE):
        doubtful = lead_clearly(values, errors, leader, first)
        lane = first
        while doubtful > 0:
            if doubtful & 1:
                leader[lane] = largest_index(
                    parameters,
                    Noise(noise.seed, noise.run + lane, noise.round),
                    lane_of(rank, lane, lanes, n_arms),
                    lane_of(count, lane, lanes, n_arms),
                    lane_of(total, lane, lanes, n_arms),
                    lane_of(state, lane, lanes, state.size // lanes),
                )
            doubtful >>= 1
            lane += 1


def _own_choices(
    parameters: Any,
    noise: Any,
    unheard: Any,
    rank: Any,
    ranks: Any,
    count: Any,
    total: Any,
    state: Any,
    values: Any,
    errors: Any,
    leader: Any,
) -> None:
    n_arms, lanes = ranks.shape
    for lane in range(lanes):
        if unheard[lane] == 0:
            leader[lane] = choose_by(
                parameters,
                Noise(noise.seed, noise.run + lane, noise.round),
                lane_of(rank, lane, lanes, n_arms),
                lane_of(count, lane, lanes, n_arms),
                lane_of(total, lane, lanes, n_arms),
                lane_of(state, lane, lanes, state.size // lanes),
            )


@overload(choose_side_by_side, strict=False, jit_options={"forceinline": True})
def _choose_side_by_side(
    parameters: Any,
    noise: Any,
    unheard: Any,
    rank: Any,
    ranks: Any,
    count: Any,
    total: Any,
    state: Any,
    values: Any,
    errors: Any,
    leader: Any,
) -> Any:
    kind = parameters.instance_class
    if has_glance(kind):
        return _clear_leaders
    return _leaders if rule_for(kind).index else _TOGETHER.get(kind, _own_choices)
