"""From the type of a rule's parameters to its functions, compiled into kernels.

Which functions a kernel contains follows from the type of its parameters. So one kernel in a file of its own serves
all rules of steadyarm's and can be cached on disk, which Numba cannot do for functions passed as arguments. A
user's rules are bound into copies of the kernels: see `binding`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba.extending import overload

from steadyarm.numerics.arrays import Floats, Integers
from steadyarm.numerics.compiled import compiled
from steadyarm.policies.core.fingerprints import is_ours
from steadyarm.policies.rules.binding import bind, bind_for_gpu, bind_plain, nothing_kept, nothing_more
from steadyarm.policies.rules.glances import NOBODY, better_of, glance_of, has_glance
from steadyarm.policies.rules.noise import NO_NOISE, Noise, rough_normal_at
from steadyarm.policies.rules.rule import rule_for, rule_of


def _largest_index(parameters: Any, noise: Any, rank: Any, counts: Any, totals: Any, state: Any) -> int:
    best, leader, arm = -np.inf, 0, 0
    while arm < counts.size:
        value = index_of(parameters, noise, arm, counts, totals, state)
        ahead = value > best or arm == 0
        if (
            value == best
        ):  # rare: what is beside it has no branch, which a GPU's threads would have to wait for
            ahead = rank[arm] < rank[leader] or arm == 0
        best = value if ahead else best
        leader = arm if ahead else leader
        arm += 1
    return leader


def _clearly_largest(parameters: Any, noise: Any, rank: Any, counts: Any, totals: Any, state: Any) -> int:
    best, arm = NOBODY, 0
    while arm + 1 < counts.size:  # two at once: a GPU's thread would wait for each step of one
        one = glance_of(parameters, rough_normal_at(noise, arm), arm, counts, totals, state)
        two = glance_of(parameters, rough_normal_at(noise, arm + 1), arm + 1, counts, totals, state)
        best = better_of(better_of(best, one[0], one[1], arm), two[0], two[1], arm + 1)
        arm += 2
    if arm < counts.size:
        one = glance_of(parameters, rough_normal_at(noise, arm), arm, counts, totals, state)
        best = better_of(best, one[0], one[1], arm)
    if best.lowest > best.others:
        return best.arm
    return largest_of_close(parameters, noise, best.lowest, rank, counts, totals, state)


def _largest_of_close(
    parameters: Any, noise: Any, lowest: Any, rank: Any, counts: Any, totals: Any, state: Any
) -> int:
    best, leader = -np.inf, -1
    for arm in range(counts.size):
        value, error = glance_of(parameters, rough_normal_at(noise, arm), arm, counts, totals, state)
        if value + error < lowest:
            continue
        index = index_of(parameters, noise, arm, counts, totals, state)
        if leader < 0 or index > best or (index == best and rank[arm] < rank[leader]):
            best, leader = index, arm
    return leader


def largest_of_close(
    parameters: Any, noise: Any, lowest: Any, rank: Any, counts: Any, totals: Any, state: Any
) -> int:
    """Return the arm with the largest index, ties by rank, where some index is at least `lowest`.

    A glance tells which arms may be so large, and only their indices are worked out. Only compiled code can call it.
    """
    raise TypeError("call a rule from compiled code")


def index_of(parameters: Any, noise: Any, arm: Any, counts: Any, totals: Any, state: Any) -> float:
    """Return an arm's index; only compiled code can call it."""
    raise TypeError("call a rule from compiled code")


def choose_by(parameters: Any, noise: Any, rank: Any, counts: Any, totals: Any, state: Any) -> int:
    """Return the arm of the next round; only compiled code can call it."""
    raise TypeError("call a rule from compiled code")


def update_by(
    parameters: Any, noise: Any, arm: Any, reward: Any, counts: Any, totals: Any, state: Any
) -> None:
    """Take in a reward; only compiled code can call it."""
    raise TypeError("call a rule from compiled code")


def keep_by(parameters: Any, arm: Any, counts: Any, totals: Any, state: Any) -> None:
    """Keep what follows from an arm's numbers; only compiled code can call it."""
    raise TypeError("call a rule from compiled code")


@overload(index_of, strict=False, jit_options={"forceinline": True})
def _index_of(parameters: Any, noise: Any, arm: Any, counts: Any, totals: Any, state: Any) -> Any:
    return rule_for(parameters.instance_class).index


@overload(largest_of_close, strict=False)
def _compiled_largest_of_close(
    parameters: Any, noise: Any, lowest: Any, rank: Any, counts: Any, totals: Any, state: Any
) -> Any:
    return _largest_of_close


@overload(choose_by, strict=False, jit_options={"forceinline": True})
def _choose_by(parameters: Any, noise: Any, rank: Any, counts: Any, totals: Any, state: Any) -> Any:
    kind = parameters.instance_class
    return rule_for(kind).choose or (_clearly_largest if has_glance(kind) else _largest_index)


@overload(update_by, strict=False, jit_options={"forceinline": True})
def _update_by(
    parameters: Any, noise: Any, arm: Any, reward: Any, counts: Any, totals: Any, state: Any
) -> Any:
    return rule_for(parameters.instance_class).update or nothing_more


@overload(keep_by, strict=False, jit_options={"forceinline": True})
def _keep_by(parameters: Any, arm: Any, counts: Any, totals: Any, state: Any) -> Any:
    return rule_for(parameters.instance_class).keep or nothing_kept


@compiled
def fill_indices(
    parameters: Any, noise: Noise, counts: Integers, totals: Floats, state: Floats, values: Floats
) -> None:
    """Write the index of every arm."""
    for arm in range(counts.size):
        values[arm] = index_of(parameters, noise, arm, counts, totals, state)


@compiled
def fill_success_indices(
    parameters: Any, noise: Noise, arm: int, counts: Integers, state: Floats, values: Floats
) -> None:
    """Write the index of an arm after 0, 1, 2, … rewards of one among its `counts`; the rule has no other state."""
    totals = np.zeros(counts.size)
    for ones in range(values.size):
        totals[arm] = ones
        keep_by(parameters, arm, counts, totals, state)
        values[ones] = index_of(parameters, noise, arm, counts, totals, state)


@compiled
def choose_arm(
    parameters: Any, noise: Noise, rank: Integers, counts: Integers, totals: Floats, state: Floats
) -> int:
    """Return the arm of the next round."""
    return choose_by(parameters, noise, rank, counts, totals, state)


@compiled
def absorb_reward(
    parameters: Any,
    noise: Noise,
    arm: int,
    reward: float,
    counts: Integers,
    totals: Floats,
    state: Floats,
) -> None:
    """Take one reward into counts, totals and the rule's state."""
    counts[arm] += 1
    totals[arm] += reward
    update_by(parameters, noise, arm, reward, counts, totals, state)
    keep_by(parameters, arm, counts, totals, state)


@compiled
def absorb_rewards(
    parameters: Any,
    noise: Noise,
    arms: Integers,
    rewards: Floats,
    counts: Integers,
    totals: Floats,
    state: Floats,
) -> None:
    """Take many rewards in as `absorb_reward` does one by one; the noise of each is that of its number."""
    number = 0
    for arm in range(counts.size):
        number += counts[arm]
    for place in range(arms.size):
        arm, reward, number = arms[place], rewards[place], number + 1
        counts[arm] += 1
        totals[arm] += reward
        update_by(parameters, Noise(noise.seed, noise.run, number), arm, reward, counts, totals, state)
        keep_by(parameters, arm, counts, totals, state)


@compiled
def keep_all(parameters: Any, counts: Integers, totals: Floats, state: Floats) -> None:
    """Keep anew what follows from the numbers of the arms that have a reward."""
    for arm in range(counts.size):
        if counts[arm] > 0:
            keep_by(parameters, arm, counts, totals, state)


def specialise_kernels(kernels: list[Any], parameters: Any, *, or_plain: bool = False) -> list[Any]:
    """Return the kernels themselves for a rule of steadyarm's, and some with the rule as it is now for a user's.

    With `or_plain` those are plain Python if the user's rule cannot be compiled.
    """
    rule = rule_of(parameters)
    if is_ours(type(parameters)):
        return kernels
    bound = bind(rule, parameters, NO_NOISE, or_plain=or_plain)
    return [bound.specialise(kernel) for kernel in kernels]


def plain_kernels(kernels: list[Any], parameters: Any) -> list[Any]:
    """Return the kernels with a user's rule as plain Python."""
    bound = bind_plain(rule_of(parameters))
    return [bound.specialise(kernel) for kernel in kernels]


def specialise_for_gpu(parameters: Any) -> tuple[Any, Any]:
    """Return `choose_arm` and `absorb_reward` for kernels of a GPU, with the rule as it is now."""
    rule = rule_of(parameters)
    if is_ours(type(parameters)):
        return choose_arm, absorb_reward
    bound = bind_for_gpu(rule, parameters, NO_NOISE)
    return bound.specialise(choose_arm), bound.specialise(absorb_reward)
