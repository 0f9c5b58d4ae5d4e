"""Trials that may stop early: looks on the way, and how each run stands when it stops."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from steadyarm.engines.checkpoints import checkpoints, with_ends
from steadyarm.engines.result import Simulation
from steadyarm.engines.sums import reward_moments
from steadyarm.inference.outcomes import Outcomes, Truths, simulated
from steadyarm.inference.pairs import pairs_of
from steadyarm.inference.sample import Sample
from steadyarm.inference.validity import AUTO
from steadyarm.model import checks
from steadyarm.model.instance import Instance
from steadyarm.numerics.arrays import Integers
from steadyarm.policies.core.policy import Policy

Looks = int | Sequence[int] | None
"""What a caller may say: how many looks, after which rounds, or none before the end."""


def looks_of(looks: Looks, policy: Policy) -> Integers:
    """Return the rounds after which somebody looks; a number of looks is spaced evenly, the last at the end.

    >>> import steadyarm as sa
    >>> looks_of(3, sa.MOSS(n_arms=2, horizon=300)), looks_of([100, 250], sa.MOSS(n_arms=2, horizon=300))
    (array([100, 200, 300]), array([100, 250, 300]))
    """
    if looks is None:
        return np.array([policy.horizon])
    if isinstance(looks, int | np.integer):
        most = policy.horizon // policy.n_arms
        number = checks.integer(looks, "looks", at_least=1, at_most=most, remedy="Give fewer looks.")
        return np.rint(np.linspace(0, policy.horizon, number + 1)[1:]).astype(np.int64)
    moments = checkpoints(looks, policy, "looks")
    return moments if moments[-1] == policy.horizon else np.append(moments, policy.horizon)


def moments_of(looks: Integers, instance: Instance) -> Integers:
    """Return the rounds after which counts are needed: the looks, and the ends of stretches if means move."""
    return with_ends(looks, instance)


def standing_at(simulation: Simulation, look: int, threads: int | None) -> Outcomes:
    """Return how the runs stand at a look; the ends of stretches must be among the moments if means move."""
    instance, at = simulation.instance, simulation.at
    place = int(np.searchsorted(at, look))
    counts = pulls = simulation.counts_at[:, place]
    if instance.moves:
        ends = np.minimum(np.searchsorted(at, instance.ends), len(at) - 1)
        pulls = np.minimum(simulation.counts_at[:, [*ends, -1]], counts[:, None])
    moments = reward_moments(instance, pulls, seed=simulation.seed, threads=threads)
    return simulated(simulation, moments, counts, place)


def stopped(
    looks: Sequence[Outcomes], method: str, level: float, control: int | None, optimal_at: float
) -> Outcomes:
    """Return every run as it stands at the first look at which it is decided, or at the last one.

    Decided is that one arm is better than all others; with a control, that some arm is better than it. By "auto" looks
    on the way decide by anytime-valid intervals, since more may follow.
    """
    last = looks[-1]
    n_arms = last.sample.counts.shape[1]
    pairs = pairs_of(n_arms, control)
    each = 1.0 - (1.0 - level) / len(pairs)
    place = np.full(len(last.sample.counts), len(looks) - 1)
    for look in reversed(range(len(looks) - 1)):
        signs = looks[look].shown_signs("anytime" if method == AUTO else method, each, pairs, optimal_at)
        place[_decided(signs, pairs, n_arms, control)] = look
    runs = np.arange(len(place))
    lost: list[Any] = [look.losses for look in looks]
    losses = None if last.losses is None else np.stack(lost)[place, runs]
    sample = _at([look.sample for look in looks], place)
    return replace(last, sample=sample, stopped_early=place < len(looks) - 1, losses=losses)


def _decided(signs: Any, pairs: Sequence[tuple[int, int]], n_arms: int, control: int | None) -> Truths:
    """Return in which runs the signs of the pairs' differences decide the trial."""
    if control is not None:
        better: Truths = (signs > 0).any(axis=1)
        return better
    wins = np.zeros((len(signs), n_arms), dtype=int)
    for place, (arm, other) in enumerate(pairs):
        wins[:, arm] += signs[:, place] > 0
        wins[:, other] += signs[:, place] < 0
    best: Truths = (wins == n_arms - 1).any(axis=1)
    return best


def _at(samples: Sequence[Sample], place: Integers) -> Sample:
    """Return the sample in which each run is taken from the look at its place."""
    runs = np.arange(len(place))

    def of(name: str) -> Any:
        values = [getattr(sample, name) for sample in samples]
        return None if values[0] is None else np.stack(values)[place, runs]

    moments = {name: of(name) for name in ("counts", "sums", "squares", "deviations")}
    return replace(samples[-1], **moments)
