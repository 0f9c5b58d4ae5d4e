"""When SLE-UCB hardly adapts: how near its allocation is to equal shares, and the words that say so."""

import math

from steadyarm.policies.own_history.sle_ucb import SLEUCB

NEARLY_UNIFORM = 0.8
"""Of what equal shares lose: from here on an allocation hardly adapts."""

_LEAST = 1e-6  # smaller shares are as good as none


def share_of_uniform(policy: SLEUCB, widest_gap: float | None = None) -> float:
    """Return the expected regret as a share of what equal shares lose, with arms as far apart as the class allows.

    One arm is better than all others by the widest gap, 2M unless the rewards have a narrower range: there equal
    shares lose most, and whoever adapts loses little. It is the fluid prediction, in which all indices end at one
    level, for two kinds of arms.

    >>> paper = SLEUCB(n_arms=2, horizon=10_000)
    >>> round(share_of_uniform(paper), 2), round(share_of_uniform(paper.replace(constants="sharp")), 2)
    (0.86, 0.09)
    """
    from scipy.optimize import brentq  # here: it takes a while to import, and servers start without it

    fair = policy.horizon / policy.n_arms
    gap = 2.0 * policy.mean_bound if widest_gap is None else widest_gap

    def excess(share: float) -> float:
        losing = fair * share
        winning = policy.horizon - (policy.n_arms - 1) * losing
        return _bonus(policy, losing) - _bonus(policy, winning) - gap

    return float(brentq(excess, _LEAST, 1.0)) if excess(_LEAST) > 0.0 else 0.0


def _bonus(policy: SLEUCB, pulls: float) -> float:
    return policy.beta / math.sqrt(pulls) + policy.lam * math.log(policy.horizon / pulls)


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
