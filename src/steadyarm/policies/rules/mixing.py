"""The draw that mixes a random arm into a policy's choices, for plays and kernels alike."""

from typing import NamedTuple

import numpy as np

from steadyarm.model.table import uniform
from steadyarm.numerics.arithmetic import exp, log
from steadyarm.numerics.compiled import compiled
from steadyarm.policies.rules.noise import Noise, words_of

_PLACE = 2**31 + 1  # in the policy's own stream: no arm of the policy has it, and no dummy reward


class Mixing(NamedTuple):
    """How many rounds are given at random: of round t the share t^−decay times `share`."""

    share: float
    decay: float


NO_MIXING = Mixing(0.0, 0.0)


@compiled
def share_in(mixing: Mixing, number: int) -> float:
    """Return the probability that a round, counted from 1, is given at random.

    >>> share_in(Mixing(0.3, 0.0), 100), round(share_in(Mixing(0.3, 0.5), 100), 12)
    (0.3, 0.03)
    """
    if mixing.decay == 0.0:
        return mixing.share
    return mixing.share * exp(-mixing.decay * log(np.float64(number)))


@compiled
def mixed_arm(noise: Noise, share: float, n_arms: int, choice: int) -> int:
    """Return the policy's choice, or with probability `share` any arm, all equally likely; resolved to 2⁻³²."""
    words = words_of(noise, _PLACE, 0)
    if uniform(words[0]) < share:
        return int(uniform(words[1]) * n_arms)
    return choice
