"""Measures what skewed revenue does to a plan that takes it for Gaussian.

Few visitors buy, for a log-normal amount. Of a better variant they buy for more, or more of them buy; or everybody
brings the same amount more, so that nothing but the skew differs from the plan. It prints the tables of
docs/product-team.md.
Run it with `.venv/bin/python tools/skewed_measured.py` (six minutes on a quiet core).
"""

import math
from dataclasses import dataclass, replace

import numba
import numpy as np

import steadyarm as sa
from steadyarm.inference.outcomes import Outcomes
from steadyarm.inference.pairs import pairs_of
from steadyarm.inference.sample import Sample
from steadyarm.inference.validity import AUTO
from steadyarm.policies.core.curves import tilted, upper
from steadyarm.theory.estimates import mean_estimate, sd_estimate

RUNS = 4000
SAME_SPREAD, LARGER_ORDERS, MORE_BUYERS = "same spread", "larger orders", "more buyers"


@dataclass(frozen=True)
class Setting:
    """A situation, which part of the visitors buy today, and the standard deviation that the plan is told."""

    n_arms: int
    horizon: int
    mean: float
    sd: float
    smallest_difference: float
    buyers: float
    told: float

    def plan(self):
        """Return the plan that a team would make, as it comes."""
        return sa.plan(
            n_arms=self.n_arms,
            horizon=self.horizon,
            baseline=(self.mean, self.told),
            smallest_difference=self.smallest_difference,
            progress=False,
        )

    @property
    def shape(self):
        """The log-normal's own: the second moment of an outcome is buyers·(mean order)²·exp(shape²) = mean² + sd²."""
        return math.sqrt(math.log((self.mean**2 + self.sd**2) * self.buyers / self.mean**2))


OURS = Setting(3, 60_000, 8.0, 50.0, 1.0, buyers=0.05, told=50.0)
RARE = Setting(2, 40_000, 3.2, 40.0, 1.2, buyers=0.03, told=40.0)
RARE_AND_CAREFUL = replace(RARE, told=40.0 * (3.2 + 1.2) / 3.2)


@numba.njit
def outcome(random, mean, better_by, today, buyers, shape):
    """Return a visitor's revenue; better by the same from everybody (0), by larger orders (1) or by more buyers (2)."""
    more = mean - today if better_by == 0 else 0.0
    chance = buyers * mean / today if better_by == 2 else buyers
    order = today / buyers * (mean / today if better_by == 1 else 1.0)
    if random.random() >= chance:
        return more
    return more + order * math.exp(random.normal(-0.5 * shape * shape, shape))


@numba.njit
def play(curves, equal, means, better_by, today, buyers, shape, horizon, runs, random):
    """Return counts and moments of each arm, run by run; equal shares take turns."""
    arms = len(means)
    counts, sums, squares = np.zeros((runs, arms)), np.zeros((runs, arms)), np.zeros((runs, arms))
    deviations = np.zeros((runs, arms))
    for run in range(runs):
        lows, indices = np.full(arms, np.inf), np.full(arms, np.inf)
        for t in range(horizon):
            arm = t % arms if equal else np.argmax(indices)
            reward = outcome(random, means[arm], better_by, today, buyers, shape)
            if counts[run, arm] > 0:
                deviations[run, arm] += (reward - sums[run, arm] / counts[run, arm]) ** 2
            counts[run, arm] += 1
            sums[run, arm] += reward
            squares[run, arm] += reward * reward
            if not equal:
                n = counts[run, arm]
                here = upper(curves, sums[run, arm], n)
                lows[arm] = min(lows[arm], here)
                indices[arm] = tilted(curves, lows[arm] if curves.envelope else here, n)
    return counts, sums, squares, deviations


def measured(setting, plan, design, rewards, seed=1):
    """Return what is lost, the spread, the best share, the power, and how often the interval holds the difference."""
    instance, arms = plan.situation.at_smallest, setting.n_arms
    counts, *moments = play(
        design.policy.curves,
        isinstance(design.policy, sa.RoundRobin),
        np.array(instance.means),
        (SAME_SPREAD, LARGER_ORDERS, MORE_BUYERS).index(rewards),
        setting.mean,
        setting.buyers,
        setting.shape,
        setting.horizon,
        RUNS,
        np.random.default_rng(seed),
    )
    scales = np.array(instance.noise_scales)
    sample = Sample(counts.astype(np.int64), *moments, "gaussian", -math.inf, math.inf, scales)
    outcomes = Outcomes(design.policy, instance, sample, None, 0.95)
    each = 1.0 - 0.05 / len(pairs_of(arms, 0))
    lows, highs = outcomes.difference_ends(AUTO, each, [(arms - 1, 0)], setting.horizon / arms)
    gap = setting.smallest_difference
    return (
        outcomes.lost,
        max((sd_estimate(counts[:, arm], 0.95) for arm in range(arms)), key=lambda found: found.value),
        mean_estimate(counts[:, -1] / setting.horizon, 0.95),
        outcomes.share(lows[:, 0] > 0.0),
        outcomes.share((lows[:, 0] <= gap) & (highs[:, 0] >= gap)),
    )


def half(estimate):
    return (estimate.high - estimate.low) / 2.0


def row(name, rewards, lost, spread, share, power, holds=None):
    cells = [
        f"{lost.value:,.0f} ± {half(lost):,.0f}",
        f"{spread.value:,.0f} ± {half(spread):,.0f}",
        f"{share.value:.1%} ± {100.0 * half(share):.1f}",
        f"{power.value:.1%} ± {100.0 * half(power):.1f}",
        "" if holds is None else f"{holds.value:.1%}",
    ]
    return f"| {name} | {rewards} | {' | '.join(cells)} |"


def table(setting, rewards, all_designs):
    """Print what the plan says of equal shares and the design it recommends, or of all, and what comes of them."""
    plan = setting.plan()
    recommended = plan.recommendation.design
    print(f"\n{plan.situation.words}\n{plan.recommendation.sentence}\n")
    print(
        "| design | rewards | lost | spread | best share | power | interval holds |\n|---|---|---|---|---|---|---|"
    )
    for said in plan.measured:
        design = said.design
        is_plain = isinstance(design.policy, sa.RoundRobin) or design.name == recommended.name
        if not (is_plain or all_designs) or not hasattr(
            design.policy, "curves"
        ):  # Thompson sampling has none
            continue
        numbers = (said.lost_at_smallest, said.spread, said.best_share, said.power)
        print(row(design.name, "the plan", *numbers))
        for law in rewards:
            found = measured(setting, plan, design, law)
            far = [
                abs(one.value - other.value) > 1e-9 + math.hypot(half(one), half(other))
                for one, other in zip(numbers, found[:4], strict=True)
            ]
            print(row(design.name, law, *found) + (" beyond the errors" if any(far) else ""), flush=True)


def main():
    table(OURS, (LARGER_ORDERS,), all_designs=True)
    table(RARE, (SAME_SPREAD, LARGER_ORDERS, MORE_BUYERS), all_designs=False)
    table(RARE_AND_CAREFUL, (LARGER_ORDERS, MORE_BUYERS), all_designs=False)


if __name__ == "__main__":
    main()
