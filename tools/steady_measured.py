"""Measures Steady: the spread asked for, the largest one found, the largest regret found, and the least possible.

Instances are equal arms, one to K − 1 tied best arms at many gaps, three levels, and the predicted worst cases. The
predictions choose some of them, played runs on one seed choose among those, and other runs measure what was chosen. So
both numbers are lower estimates. The last column is the regret over what no policy with the measured instability can
avoid (`theory.least_regret`). Prints the rows of docs/steady.md.

Run it with `.venv/bin/python tools/steady_measured.py` (some minutes); `--bonus 2 --reach 4` tries other constants.
"""

import argparse
import math

import steadyarm as sa
from steadyarm.policies.own_history import steady
from steadyarm.theory.reward_class import class_of
from steadyarm.theory.worst_cases import worst_cases

NOISE = 0.1  # so that the worst gaps lie inside the class
GAPS = (0.2, 0.4, 0.7, 1.0, 1.4, 2.0, 3.0, 5.0, math.inf)  # in units of the tilt's scale; the last is 2M
SEARCH_RUNS, RUNS = 60, 600
MOST_SPREADS, MOST_REGRETS = 7, 3  # instances that are played

# Arms, horizon, and spreads as shares of T/K; 0.006 and 0.03 are 0.3 % of T.
CASES = (
    (2, 10**5, (0.02, 0.05, 0.1, 0.2, 0.5, 1.0)),
    (2, 10**8, (0.006, 0.1, 0.2)),
    (2, 10**12, (0.006, 0.1, 0.2)),
    (3, 10**5, (0.1, 0.2)),
    (5, 10**5, (0.1, 0.2)),
    (10, 10**5, (0.03, 0.1, 0.2, 0.5, 1.0)),
    (10, 10**12, (0.03, 0.1)),
    (20, 10**5, (0.1, 0.2)),
    (50, 10**5, (0.1, 0.2)),
    (100, 10**6, (0.1,)),
)


def instances(policy):
    """Return the instances among which the worst ones are looked for."""
    n_arms = policy.n_arms
    rewards = class_of("gaussian", noise_scale=NOISE)
    worst = worst_cases(policy.curves, n_arms, rewards)
    scale = policy.lam / math.sqrt(steady.shape_for(n_arms).kink)
    levels = [worst.regret.means, worst.deviation.means, [0.0] * n_arms]
    for best in sorted({1, 2, 3, 4, n_arms // 2, n_arms - 1} & set(range(1, n_arms))):
        for gap in (min(1.0, share * scale / 2.0) for share in GAPS):
            levels.append([gap] * best + [-gap] * (n_arms - best))
            if n_arms - best > 1:
                levels.append([gap] * best + [0.0] + [-gap] * (n_arms - best - 1))
    return [rewards.instance(means) for means in levels]


def measure(policy):
    """Return the largest spread and the largest regret found, both estimates on fresh runs."""
    found = [(sa.predict(policy, instance), instance) for instance in instances(policy)]
    by_spread = sorted(found, key=lambda pair: -pair[0].instability)[:MOST_SPREADS]
    by_regret = sorted(found, key=lambda pair: -pair[0].regret)[:MOST_REGRETS]

    def play(instance, runs, seed):
        return sa.simulate(policy, instance, runs=runs, seed=seed, progress=False)

    searched = sorted(
        (instance for _, instance in by_spread),
        key=lambda instance: -play(instance, SEARCH_RUNS, 1).instability.value,
    )
    costly = max(
        (instance for _, instance in by_regret), key=lambda each: play(each, SEARCH_RUNS, 1).regret.value
    )
    measured = [
        play(instance, RUNS, 2)
        for instance in dict.fromkeys((*searched[:2], sa.equal_arms(policy.n_arms, noise_scale=NOISE)))
    ]
    return max((each.instability for each in measured), key=lambda each: each.value), play(
        costly, RUNS, 2
    ).regret


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--bonus", type=float, default=steady._BONUS)
    options.add_argument("--reach", type=float, default=steady._REACH)
    options.add_argument("--arms", type=int, nargs="*", help="only these numbers of arms")
    asked = options.parse_args()
    steady._BONUS, steady._REACH = asked.bonus, asked.reach
    print("| K | T | asked, of T/K | asked | measured, times asked | regret | times the least |")
    print("|---|---|---|---|---|---|---|")
    for n_arms, horizon, shares in CASES:
        if asked.arms and n_arms not in asked.arms:
            continue
        for share in shares:
            wanted = share * horizon / n_arms
            policy = sa.Steady(
                n_arms=n_arms, horizon=horizon, noise_scale=NOISE, spread=min(wanted, horizon / 2.0)
            )
            spread, regret = measure(policy)
            least = sa.theory.least_regret(spread.value, n_arms=n_arms, horizon=horizon, noise_scale=NOISE)
            times = "{:.2f} [{:.2f}, {:.2f}]".format(
                *(end / policy.spread for end in (spread.value, spread.low, spread.high))
            )
            print(
                f"| {n_arms} | {horizon:.0e} | {share:.1%} | {policy.spread:,.0f} | {times} | {regret.value:,.0f} | "
                f"{regret.value / least:.2f} |",
                flush=True,
            )


if __name__ == "__main__":
    main()
