"""For which rewards a policy is set up, where it takes them for quieter than their range allows."""

from steadyarm.model.instance import coin_deviation, sub_gaussian_scale
from steadyarm.policies import SLEUCB, Policy

_HALVINGS = 60


def noise_words(policy: Policy, rewards: str, half: float) -> str:
    """Return for which rewards a policy is set up.

    >>> import steadyarm as sa
    >>> steady = sa.Steady(n_arms=2, horizon=1000, noise_scale=0.2, spread=50.0)
    >>> print(noise_words(steady, "bernoulli", 0.5))
    The policy is set up for rates of at most 0.0417, or at least 0.9583, as its noise_scale of 0.2 says. ...
    """
    if rewards != "bernoulli":
        return (
            f"The policy takes rewards for quieter than any in their range, half of which is {half:g}: noise_scale is "
            f"{policy.noise_scale:g}. If they are not that quiet, guarantees do not hold, and counts spread more."
        )
    noise = sub_gaussian_scale if isinstance(policy, SLEUCB) else coin_deviation
    low, high = 0.0, 0.5
    for _ in range(_HALVINGS):
        middle = (low + high) / 2.0
        low, high = (middle, high) if noise(middle) <= policy.noise_scale else (low, middle)
    return (
        f"The policy is set up for rates of at most {low:.3g}, or at least {1.0 - low:.4g}, as its noise_scale of "
        f"{policy.noise_scale:.3g} says. Between them outcomes vary more, and counts would spread more."
    )
