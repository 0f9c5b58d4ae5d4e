"""Deliberately broken parts, at least one for each claim that must make it fail."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np

import steadyarm as sa
from steadyarm.policies.padded import PaddedPlay
from steadyarm.study.adversary import Chain, Link
from steadyarm.study.verify.claims.base import Setting
from steadyarm.study.verify.claims.sequences import top_prefix
from steadyarm.theory.estimates import Estimate


def with_curves(change: Callable[..., dict], kind: type = sa.SLEUCB) -> type:
    """A policy that says one thing and plays another."""

    class Broken(kind):
        @property
        def curves(self):
            return super().curves._replace(**change(super().curves, self))

    return Broken


no_envelope = with_curves(lambda _curves, _policy: {"envelope": False})
no_stabilizer = with_curves(lambda _curves, _policy: {"tilt": 0.0})
overdone_stabilizer = with_curves(lambda curves, _policy: {"tilt": 100.0 * curves.tilt})
no_exploration = with_curves(lambda curves, _policy: {"root": curves.root / 1e4, "tilt": curves.tilt / 1e4})
narrow = with_curves(lambda curves, _policy: {"root": curves.root / 100.0})
narrow_and_flat = with_curves(
    lambda curves, _policy: {"root": curves.root / 20.0, "tilt": curves.tilt / 20.0}
)
stronger_stabilizer = with_curves(lambda curves, _policy: {"tilt": 1.2 * curves.tilt})
deaf_to_alpha = with_curves(lambda curves, policy: {"tilt": curves.tilt / policy.alpha})


flat_steady = with_curves(lambda curves, _policy: {"tilt": 0.7 * curves.tilt}, sa.Steady)
freezing_steady = with_curves(lambda _curves, _policy: {"log_scale": 0.0}, sa.Steady)
straight_steady = with_curves(lambda _curves, _policy: {"bend": 0.0}, sa.Steady)


class SmallBeta(sa.SLEUCB):
    @property
    def _derived_beta(self):
        return super()._derived_beta / 100.0


class LowClip(sa.SLEUCB):
    @property
    def clip(self):
        return self.mean_bound + 2.0 * self.noise_scale * self.iota


class WrongTies(sa.SLEUCB):
    """Gives ties to the largest rank."""

    def start(self, *, seed=0, run=0, priority=None):
        if priority is not None:
            priority = [max(priority) - rank for rank in priority]
        return super().start(seed=seed, run=run, priority=priority)


def deaf_to_priority(index, priority, horizon):
    return top_prefix(index, sorted(priority), horizon)


def one_pull_ahead(index, priority, horizon):
    """Item (i, n) gets the value I_i(n): it knows the reward of the pull that it decides on."""
    return top_prefix(index[:, 1:], priority, horizon)


def one_pull_moved(policy, instance, **options):
    """A cut that is off by one pull, in one run."""
    result = sa.simulate(policy, instance, **options)
    counts = result.counts.copy()
    counts[0, :2] += (1, -1)
    return replace(result, counts=counts)


def clairvoyant(policy, instance, **options):
    """Knows the best arm and plays the others once."""
    result = sa.simulate(policy, instance, **options)
    counts = np.ones_like(result.counts)
    best = int(np.argmin(instance.gaps))
    counts[:, best] = policy.horizon - (policy.n_arms - 1)
    return replace(result, counts=counts)


def clairvoyant_chain(policy, **options):
    """The chain of one that always plays the same: pulls fall all the same, and nothing strays."""
    chain = sa.adversary(policy, **options)
    still = Estimate(0.0, 0.0, 0.0, 100)
    links = tuple(Link(link.gap, link.suboptimal_pulls, still) for link in chain.links)
    return replace(chain, links=links)


def long_steps(policy, **options):
    """A chain with every other link left out: neighbours can be told apart."""
    chain: Chain = sa.adversary(policy, **options)
    return replace(chain, links=chain.links[::2] if len(chain.links) > 2 else chain.links)


def short_chain(policy, **options):
    """A chain that stops half-way, before the pulls have fallen."""
    chain: Chain = sa.adversary(policy, **options)
    return replace(chain, links=chain.links[: max(2, len(chain.links) // 4)])


def smaller_beta_by_hand(**parameters):
    """Takes seven tenths of a β that was asked for."""
    if "beta" in parameters:
        parameters["beta"] *= 0.7
    return sa.SLEUCB(**parameters)


def with_spread(scale: Callable[[sa.Policy], float]):
    """A simulation that reports so many times the spread, about the right mean."""

    def simulate(policy, instance, **options):
        result = sa.simulate(policy, instance, **options)
        centre = result.counts.mean(axis=0)
        return replace(result, counts=centre + scale(policy) * (result.counts - centre))

    return simulate


variance_understated = with_spread(lambda _policy: np.sqrt(0.8))
steadier_than_allowed = with_spread(lambda _policy: 0.5)
wider_by_log_t = with_spread(lambda policy: np.log(policy.horizon) / 10.0)


def quieter_chain(policy, **options):
    """A chain whose spread is half of what was measured."""
    chain: Chain = sa.adversary(policy, **options)
    links = [
        replace(
            link,
            instability=replace(
                link.instability,
                value=link.instability.value / 2.0,
                low=link.instability.low / 2.0,
                high=link.instability.high / 2.0,
            ),
        )
        for link in chain.links
    ]
    return replace(chain, links=tuple(links))


def quarter_of_the_cells(policy, instance, **options):
    bounds = sa.efron_stein(policy, instance, **options)
    return [Estimate(b.value / 4.0, b.low / 4.0, b.high / 4.0, b.runs) for b in bounds]


class GreedyPadded(sa.Padded):
    """Gives every dummy request to the second arm instead of taking turns."""

    def start(self, *, seed=0, run=0, priority=None):
        return GreedyPlay(self, seed, run, priority)


class GreedyPlay(PaddedPlay):
    def _choose(self):
        arm = super()._choose()
        return arm if self._request < 2 else 1


def bound_at_another_alpha(factor):
    def regret_bound(policy):
        return sa.theory.regret_bound(policy.replace(alpha=factor * policy.alpha))

    return regret_bound


SHORT = (1000, 10_000, 100_000)
MOSS = (sa.MOSS(n_arms=3, horizon=2000, noise_scale=0.1),)
SHARP = (sa.SLEUCB(n_arms=3, horizon=2000, noise_scale=0.1, constants="sharp"),)
STEADY = (sa.SLEUCB(n_arms=3, horizon=200, noise_scale=0.5, constants="sharp"),)
LONGER = (STEADY[0].replace(horizon=2000),)

CONTROLS = {
    1: {"a pull moved": Setting(simulate=one_pull_moved)},
    2: {
        "wrong ties": Setting(sle_ucb=WrongTies),
        "no envelope": Setting(sle_ucb=no_envelope),
        "small beta": Setting(sle_ucb=SmallBeta),
        "low clip": Setting(sle_ucb=LowClip),
    },
    3: {"no envelope": Setting(sle_ucb=no_envelope), "no stabilizer": Setting(sle_ucb=no_stabilizer)},
    4: {"low clip": Setting(sle_ucb=LowClip)},
    5: {
        "small beta": Setting(sle_ucb=SmallBeta),
        "smaller beta by hand": Setting(sle_ucb=smaller_beta_by_hand),
    },
    6: {"overdone stabilizer": Setting(sle_ucb=overdone_stabilizer)},
    7: {"overdone stabilizer": Setting(sle_ucb=overdone_stabilizer, horizons=SHORT)},
    8: {
        "deaf to priority": Setting(offline=deaf_to_priority),
        "one pull ahead": Setting(offline=one_pull_ahead),
        "no envelope": Setting(sle_ucb=no_envelope),
    },
    9: {"no stabilizer": Setting(sle_ucb=no_stabilizer)},
    10: {"narrow": Setting(sle_ucb=narrow)},
    11: {"narrow": Setting(sle_ucb=narrow)},
    12: {"one pull ahead": Setting(offline=one_pull_ahead)},
    13: {"no stabilizer": Setting(sle_ucb=no_stabilizer)},
    14: {"a quarter of the cells": Setting(efron_stein=quarter_of_the_cells)},
    15: {"no stabilizer": Setting(sle_ucb=no_stabilizer)},
    16: {"narrow and flat": Setting(sle_ucb=narrow_and_flat, horizons=SHORT)},
    17: {
        "no exploration": Setting(sle_ucb=no_exploration, horizons=SHORT),
        "a log T more": Setting(simulate=wider_by_log_t, horizons=(10**4, 10**8, 10**12)),
    },
    18: {"bound at another alpha": Setting(regret_bound=bound_at_another_alpha(2.0))},
    19: {
        "clairvoyant": Setting(adversary=clairvoyant_chain, policies=MOSS),
        "quieter": Setting(adversary=quieter_chain, policies=SHARP),
    },
    20: {
        "clairvoyant": Setting(adversary=clairvoyant_chain, policies=MOSS),
        "quieter": Setting(adversary=quieter_chain, policies=SHARP),
    },
    21: {
        "quieter": Setting(adversary=quieter_chain, policies=SHARP),
        "long steps": Setting(adversary=long_steps, policies=MOSS),
        "short chain": Setting(adversary=short_chain, policies=MOSS),
    },
    22: {
        "clairvoyant": Setting(adversary=clairvoyant_chain, policies=MOSS),
        "quieter": Setting(adversary=quieter_chain, policies=SHARP),
    },
    23: {"clairvoyant": Setting(simulate=clairvoyant, policies=MOSS)},
    24: {"dummies to one arm": Setting(padded=GreedyPadded)},
    25: {
        "deaf to alpha": Setting(sle_ucb=deaf_to_alpha),
        "bound at another alpha": Setting(regret_bound=bound_at_another_alpha(0.01)),
    },
    26: {
        "wrong ties": Setting(sle_ucb=WrongTies),
        "deaf to priority": Setting(offline=deaf_to_priority),
    },
    27: {"a variance understated by 20 %": Setting(simulate=variance_understated, policies=STEADY)},
    28: {
        "clairvoyant": Setting(simulate=clairvoyant, policies=STEADY),
        "steadier than allowed": Setting(simulate=steadier_than_allowed, policies=STEADY),
    },
    29: {"overdone stabilizer": Setting(sle_ucb=overdone_stabilizer, horizons=(100_000,))},
    30: {"narrow and flat": Setting(sle_ucb=narrow_and_flat, horizons=(100_000,))},
    31: {
        "too flat": Setting(steady=flat_steady),
        "without a bonus": Setting(steady=freezing_steady),
        "without a kink": Setting(steady=straight_steady),
    },
    32: {"a stronger stabilizer": Setting(sle_ucb=stronger_stabilizer)},
    33: {"clairvoyant": Setting(simulate=clairvoyant, policies=LONGER)},
}
