"""What is measured on a GPU: pulls a second, and that its counts are those of the CPU."""

from __future__ import annotations

from importlib import import_module

import numpy as np

from steadyarm.engines.simulate import simulate
from steadyarm.study.bench.cases import (
    ARMS,
    HORIZON,
    SEED,
    Case,
    Reading,
    Setting,
    instance_for,
    power,
    sharp,
)
from steadyarm.study.bench.timing import QUICK, alternate, spread, timed

_CHECKED_RUNS = 16
_FIRST_RUNS = 1 << 12
_MOST_RUNS = 1 << 18
_MOST_COUNTS = 1 << 27  # a gibibyte of counts
_LONG_ENOUGH = 1.0  # seconds of a call, beside which its start does not matter


def card_name() -> str:
    """Return the name of the GPU, after a tiny simulation that says clearly what is missing, if anything is."""
    policy = sharp(2, 1000)
    simulate(policy, instance_for(policy), runs=1, engine="step", device="cuda", progress=False)
    return str(import_module("steadyarm.engines.cuda").card_name())


def cases_of_gpu() -> list[Case]:
    """Return the cases of `device="cuda"`."""
    return [_played(engine, n_arms) for engine in ("step", "prefix") for n_arms in ARMS]


def _played(engine: str, n_arms: int) -> Case:
    policy = sharp(n_arms)
    instance = instance_for(policy)

    def play(runs: int, device: str) -> np.ndarray:
        return simulate(
            policy, instance, runs=runs, seed=SEED, engine=engine, device=device, progress=False
        ).counts

    def measure(setting: Setting) -> Reading:
        equal = bool((play(_CHECKED_RUNS, "cuda") == play(_CHECKED_RUNS, "cpu")).all())
        long_enough = _LONG_ENOUGH / 4.0 if setting.patience is QUICK else _LONG_ENOUGH
        runs = _FIRST_RUNS
        while 2 * runs <= _MOST_RUNS and 2 * runs * n_arms <= _MOST_COUNTS:
            if timed(lambda: play(runs, "cuda")).wall >= long_enough:  # noqa: B023  (called at once)
                break
            runs *= 2
        [times] = alternate([lambda: play(runs, "cuda")], setting.patience)
        rates = spread([runs * policy.horizon / one.wall / 1e9 for one in times])
        same = "equal" if equal else "DIFFERENT"
        detail = f"{runs:,} runs; counts of {_CHECKED_RUNS} runs {same} on CPU and GPU"
        return Reading(rates, rates.value, detail, equal)

    what = f"`{engine}`, {policy.title}, {n_arms:,} arms, {power(HORIZON)} rounds"
    return Case(f"cuda/{engine}/{n_arms}", what, "G pulls/s", measure)
