"""Where kernels read rewards from."""

from typing import NamedTuple

import numpy as np

from steadyarm.model.arrays import Floats
from steadyarm.model.instance import Instance

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
