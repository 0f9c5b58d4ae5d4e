"""The draw that mixes a random arm into a policy's choices, for plays and kernels alike."""

from steadyarm.model.compiled import compiled
from steadyarm.model.table import uniform
from steadyarm.policies.rules.noise import Noise, words_of

_PLACE = 2**31 + 1  # in the policy's own stream: no arm of the policy has it, and no dummy reward


@compiled
def mixed_arm(noise: Noise, share: float, n_arms: int, choice: int) -> int:
    """Return the policy's choice, or with probability `share` any arm, all equally likely; resolved to 2⁻³²."""
    words = words_of(noise, _PLACE, 0)
    if uniform(words[0]) < share:
        return int(uniform(words[1]) * n_arms)
    return choice
