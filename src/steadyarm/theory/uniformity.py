"""When SLE-UCB hardly adapts: how near its allocation is to equal shares, and the words that say so."""

from functools import lru_cache

from steadyarm.model.instance import Instance
from steadyarm.policies.sle_ucb import SLEUCB
from steadyarm.theory.prediction import predict

NEARLY_UNIFORM = 0.8
"""Of what equal shares lose: from here on an allocation hardly adapts."""


@lru_cache(maxsize=1024)
def share_of_uniform(policy: SLEUCB, widest_gap: float | None = None) -> float:
    """Return the expected regret as a share of what equal shares lose, with arms as far apart as the class allows.

    One arm is better than all others by the widest gap, 2M unless the rewards have a narrower range: there equal
    shares lose most, and whoever adapts loses little.

    >>> paper = SLEUCB(n_arms=2, horizon=10_000)
    >>> round(share_of_uniform(paper), 2), round(share_of_uniform(paper.replace(constants="sharp")), 2)
    (0.86, 0.09)
    """
    reach = policy.mean_bound if widest_gap is None else widest_gap / 2.0
    instance = Instance.gaussian([reach, *[-reach] * (policy.n_arms - 1)], policy.noise_scale)
    uniform = sum(instance.gaps) * policy.horizon / policy.n_arms
    return predict(policy, instance).regret / uniform


def is_nearly_uniform(policy: SLEUCB, widest_gap: float | None = None) -> bool:
    """Return whether SLE-UCB hardly adapts at its horizon."""
    return share_of_uniform(policy, widest_gap) >= NEARLY_UNIFORM


def uniformity_note(policy: SLEUCB, widest_gap: float | None = None) -> tuple[str, ...]:
    """Return a sentence with the number if SLE-UCB hardly adapts at its horizon; nothing if it does adapt.

    >>> uniformity_note(SLEUCB(n_arms=2, horizon=10_000, constants="sharp"))
    ()
    """
    if not is_nearly_uniform(policy, widest_gap):
        return ()
    if not policy.guaranteed:
        remedy = "A smaller beta adapts sooner"
    elif policy.constants == "paper":
        remedy = 'constants="sharp" (--constants sharp) adapts sooner and keeps the guarantee'
    else:
        remedy = "A smaller alpha or a longer horizon adapts more"
    share = share_of_uniform(policy, widest_gap)
    return (
        "The allocation is nearly uniform: with arms as far apart as the class allows it is expected to lose "
        f"{share:.0%} of what equal shares lose. It is steady because it hardly adapts. {remedy}.",
    )
