"""Measures what random rounds cost and what they buy: regret, instability, and weighted intervals beside Wilson's.

Two coins, 300 rounds. Regret and instability are from 20,000 runs; coverage and width are those of the worse arm, from
plays that keep a log. Prints the rows of docs/logged-probabilities.md.

Run it with `.venv/bin/python tools/mixing_measured.py` (five minutes).
"""

import math

import numpy as np

import steadyarm as sa

MEANS, HORIZON = (0.3, 0.5), 300
SHARES = ((0.0, 0.0), (0.05, 0.0), (0.1, 0.0), (0.2, 0.0), (0.5, 0.0), (1.0, 0.3), (1.0, 0.5), (1.0, 0.7))
"""Each with its decay."""
RUNS, LOGS = 20_000, 1000
WEIGHTED = {
    "weighted, not augmented": {"augmented": False},
    "weighted": {},
    "weighted, at any time": {"method": "anytime", "optimal_at": 300},
}


def main():
    sizes = {"n_arms": 2, "horizon": HORIZON, "noise_scale": 0.5}
    print(f"| policy | share | regret | instability | Wilson | {' | '.join(WEIGHTED)} |\n|{'---|' * 8}")
    for policy in (sa.BetaThompson(**sizes), sa.SLEUCB(**sizes, constants="sharp")):
        for share, decay in SHARES:
            print(row(policy, share, decay), flush=True)


def row(policy, share, decay):
    instance = sa.Instance.bernoulli(MEANS)
    played = sa.Mixed(policy, share, decay) if share else policy
    found = sa.simulate(played, instance, runs=RUNS, seed=1)
    ends = {name: [] for name in ("wilson", *WEIGHTED)}
    for run in range(LOGS):
        play, log = logged(played, instance, run)
        ends["wilson"].append(sa.intervals(play, method="wilson", rewards="bernoulli")[0])
        for name, options in WEIGHTED.items() if share else ():
            ends[name].append(sa.weighted_intervals(log, **options)[0])
    cells = (cell(each) for each in ends.values())
    falling = f"t^−{decay:g}" if decay else f"{share:g}"
    first = f"{policy.title} | {falling} | {found.regret.value:.1f} | {found.instability.value:.1f}"
    return f"| {first} | {' | '.join(cells)} |"


def logged(policy, instance, run):
    """Return a play to its end, and its log."""
    play, table = (
        policy.start(seed=2, run=run),
        sa.reward_table(instance, seed=2, run=run, pulls=policy.horizon),
    )
    action, reward, pscore = [], [], []
    while play.round < policy.horizon:
        arm = play.ask()
        action.append(arm)
        reward.append(float(table[arm, play.counts[arm] - 1]))
        pscore.append(play.probability)
        play.tell(arm, reward[-1])
    return play, {"action": action, "reward": reward, "pscore": pscore, "n_actions": instance.n_arms}


def cell(estimates):
    if not estimates:
        return "–"
    low, high = (np.array([getattr(each, end) for each in estimates]) for end in ("low", "high"))
    known = np.isfinite(high - low)
    share = ((low <= MEANS[0]) & (high >= MEANS[0])).mean()
    error = math.sqrt(share * (1 - share) / len(estimates))
    return f"{share:.1%} ± {error:.1%}, {(high - low)[known].mean():.3f}"


if __name__ == "__main__":
    main()
