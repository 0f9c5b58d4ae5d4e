"""Times the engines beside NumPy merely drawing the rewards, in one process and one thread, and prints ratios.

`step` and `prefix` are given as pulls per second over NumPy's draws per second; `leap` in draws:
how many rewards NumPy draws in the time of one run or one prediction.
"""

import math
import time

import numpy as np

import steadyarm as sa
from steadyarm.engines import leap, prefix, step

REPEATS = 5


def best_time(work):
    """Seconds of the quickest of a few repeats, after one that compiles and warms up."""
    work()
    times = []
    for _ in range(REPEATS):
        begun = time.perf_counter()
        work()
        times.append(time.perf_counter() - begun)
    return min(times)


def draws_per_second():
    generator, ready = np.random.default_rng(1), np.empty(1_000_000)
    return ready.size / best_time(lambda: generator.standard_normal(out=ready))


def seconds_per_run(engine, policy, instance, runs):
    play_range = engine.prepare(policy, instance, 1)
    counts = np.zeros((runs, policy.n_arms), np.int64)
    work = lambda: play_range(0, counts, np.zeros(1, np.int64), np.zeros(2, np.int64))  # noqa: E731
    return best_time(work) / runs


def hard(policy):
    """The equal-gap instance at the gap β√(K/T), where the worst cases are."""
    return sa.equal_gap(policy.n_arms, min(1.0, policy.beta * math.sqrt(policy.n_arms / policy.horizon)))


def main():
    print(f"NumPy draws {draws_per_second() / 1e6:.0f} M rewards a second in one thread.\n")
    print("engine   arms  horizon   over NumPy's draws")
    for engine, name in ((step, "step"), (prefix, "prefix")):
        for n_arms in (2, 10, 100, 1000):
            policy = sa.SLEUCB(n_arms=n_arms, horizon=10**6)
            pulls = policy.horizon / seconds_per_run(engine, policy, sa.equal_gap(n_arms, 0.05), 3)
            print(f"{name:8} {n_arms:4}  {policy.horizon:7.0e}   {pulls / draws_per_second():.2f}")
    print("\nengine   arms  horizon   one run costs")
    for n_arms in (2, 10):
        for horizon in (10**6, 10**8, 10**10, 10**12):
            policy = sa.SLEUCB(n_arms=n_arms, horizon=horizon)
            seconds = seconds_per_run(leap, policy, hard(policy), 50)
            cost = seconds * draws_per_second()
            print(f"leap     {n_arms:4}  {horizon:7.0e}   {seconds * 1e3:.2f} ms = {cost:.1e} draws")
    policy = sa.SLEUCB(n_arms=10, horizon=10**12)
    seconds = best_time(lambda: sa.predict(policy, hard(policy)))
    print(f"fluid      10    1e+12   {seconds * 1e3:.3f} ms a prediction")


if __name__ == "__main__":
    main()
