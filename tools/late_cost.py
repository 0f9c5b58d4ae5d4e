"""Measures what late rewards cost the step engine: seconds of a core with them over seconds without, in turn.

Ten arms, 100,000 rounds, 20 runs, the least of six turns. Prints the rows of docs/delayed-outcomes.md.
Run it with `.venv/bin/python tools/late_cost.py` (a minute).
"""

import time

import steadyarm as sa

TURNS, RUNS = 6, 20
LATE = {
    "30 rounds late": {"delay": 30},
    "30 on average, geometric": {"delay": sa.Delay.geometric(30)},
    "every 100 rounds": {"batch": 100},
}


def main():
    size, arms = {"n_arms": 10, "horizon": 100_000}, sa.equal_gap(10, gap=0.1)
    policies = [
        sa.SLEUCB(**size, constants="sharp"),
        sa.Steady(**size, spread=1000.0),
        sa.MOSS(**size),
        sa.UCB1(**size),
        sa.GaussianThompson(**size),
    ]
    print(f"| policy | {' | '.join(LATE)} |\n|{'---|' * (len(LATE) + 1)}")
    for policy in policies:
        least = {}
        for _ in range(TURNS):
            for name, late in ({"at once": {}} | LATE).items():
                begun = time.process_time()
                sa.simulate(policy, arms, runs=RUNS, seed=1, engine="step", threads=1, progress=False, **late)
                least[name] = min(least.get(name, 1e9), time.process_time() - begun)
        ratios = [f"{least[name] / least['at once']:.1f}" for name in LATE]
        print(f"| {policy.title} | {' | '.join(ratios)} |", flush=True)


if __name__ == "__main__":
    main()
