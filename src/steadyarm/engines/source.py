"""Where kernels read rewards from."""

from typing import NamedTuple

import numpy as np

from steadyarm.model.instance import BERNOULLI, BOUNDED, GAUSSIAN, Instance
from steadyarm.model.table import Row
from steadyarm.numerics.arrays import Floats, Integers
from steadyarm.numerics.compiled import inlined
from steadyarm.numerics.operations import fma

NO_ARM = -1


class Source(NamedTuple):
    """The reward table of an instance in the form that kernels read, with at most one cell overridden."""

    law: int
    location: Floats
    scale: Floats
    seed: np.uint64
    overridden_arm: int = NO_ARM
    overridden_pull: int = 0  # from 1
    override: float = 0.0


def source_of(instance: Instance, seed: int) -> Source:
    """Return the rewards of an instance under a seed."""
    return Source(instance.law, instance.location, instance.scale, np.uint64(seed))


@inlined
def row_of(source: Source, run: int, arm: int) -> Row:
    """Return an arm's rewards in one run."""
    return Row(source.law, source.location[arm], source.scale[arm], source.seed, run, arm)


class MovingSource(NamedTuple):
    """The reward table as noise, one cell for each pull, and in which stretch of rounds which law is made of it."""

    law: int
    noise_law: int  # of a cell, whose location is 0 and whose scale is 1
    seed: np.uint64
    ends: Integers  # the last round of each stretch; that of the last one is never reached
    location: Floats  # (stretches, arms)
    scale: Floats  # likewise


def moving_source_of(instance: Instance, seed: int) -> MovingSource:
    """Return the rewards of an instance under a seed, cell and law apart."""
    noise_law = GAUSSIAN if instance.law == GAUSSIAN else BOUNDED
    ends = np.array([*instance.ends, np.iinfo(np.int64).max])
    location = np.array([stage.location for stage in instance.stages])
    scale = np.array([stage.scale for stage in instance.stages])
    return MovingSource(instance.law, noise_law, np.uint64(seed), ends, location, scale)


@inlined
def noise_of(source: MovingSource, run: int, arm: int) -> Row:
    """Return the noise of an arm's rewards in one run."""
    return Row(source.noise_law, 0.0, 1.0, source.seed, run, arm)


@inlined
def reward_from(law: int, location: float, scale: float, noise: float) -> float:
    """Return the reward that a cell's noise becomes: the bits that the reward table has."""
    if law == BERNOULLI:
        return 1.0 if noise < location else 0.0
    return fma(scale, noise, location)
