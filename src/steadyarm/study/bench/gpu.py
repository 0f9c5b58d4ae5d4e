"""What is measured on a GPU: pulls a second, and that its counts are those of the CPU."""

from __future__ import annotations

import numpy as np

from steadyarm.engines.simulate import simulate
from steadyarm.policies.core.policy import Policy
from steadyarm.policies.registry import all_policies
from steadyarm.study.bench.cases import (
    ARMS,
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
_COMPARED = ("SLEUCB", "MOSS", "UCB1", "GaussianThompson")
_RULES = ("UCB1", "GaussianThompson", "KLUCB")
_COMPARED_RUNS = 100_000
_COMPARED_HORIZON = 10_000
_FIRST_HORIZON = 1 << 14
_LAST_HORIZON = 1 << 22
_MOST_RUNS = 1 << 17
_MOST_COUNTS = 1 << 24
_LONG_ENOUGH = 1.0  # seconds of a call, beside which its start does not matter


def cases_of_gpu() -> list[Case]:
    """Return the cases of `device="cuda"`."""
    speeds = [_played(engine, "SLEUCB", n_arms) for engine in ("step", "prefix") for n_arms in ARMS]
    speeds += [_played("step", name, 10) for name in _RULES]
    return [*speeds, *(_compared(name) for name in _COMPARED)]


def _policy(name: str, n_arms: int, horizon: int) -> Policy:
    if name == "SLEUCB":
        return sharp(n_arms, horizon)
    return all_policies()[name](n_arms=n_arms, horizon=horizon)


def _compared(name: str) -> Case:
    """Return the case that compares the counts of many runs with the CPU's."""
    policy = _policy(name, 10, _COMPARED_HORIZON)
    instance = instance_for(policy)

    def measure(setting: Setting) -> Reading:
        runs = _COMPARED_RUNS // 100 if setting.patience is QUICK else _COMPARED_RUNS
        counts = {
            device: simulate(policy, instance, runs=runs, seed=SEED, device=device, progress=False).counts
            for device in ("cpu", "cuda")
        }
        different = float((counts["cpu"] != counts["cuda"]).any(axis=1).sum())
        detail = f"of {runs:,} runs"
        return Reading(spread([different]), different, detail, different == 0.0)

    what = f"{policy.title}, 10 arms, {power(_COMPARED_HORIZON)} rounds: GPU and CPU"
    return Case(f"cuda/different/{name}", what, "runs that differ", measure)


def _played(engine: str, name: str, n_arms: int) -> Case:
    """Return a case of speed: as many runs as fill a card, over ever more rounds until a call takes long."""
    runs = min(_MOST_RUNS, _MOST_COUNTS // n_arms)

    def play(horizon: int, runs: int, device: str) -> np.ndarray:
        policy = _policy(name, n_arms, horizon)
        return simulate(
            policy, instance_for(policy), runs=runs, seed=SEED, engine=engine, device=device, progress=False
        ).counts

    def measure(setting: Setting) -> Reading:
        checked = (_FIRST_HORIZON, _CHECKED_RUNS)
        equal = bool((play(*checked, "cuda") == play(*checked, "cpu")).all())
        long_enough = _LONG_ENOUGH / 4.0 if setting.patience is QUICK else _LONG_ENOUGH
        horizon = _FIRST_HORIZON
        while horizon < _LAST_HORIZON and timed(lambda: play(horizon, runs, "cuda")).wall < long_enough:  # noqa: B023
            horizon *= 4
        [times] = alternate([lambda: play(horizon, runs, "cuda")], setting.patience)
        rates = spread([runs * horizon / one.wall / 1e9 for one in times])
        same = "equal" if equal else "DIFFERENT"
        detail = f"{runs:,} runs of {horizon:,} rounds; counts {same} on CPU and GPU"
        return Reading(rates, rates.value, detail, equal)

    what = f"`{engine}`, {_policy(name, n_arms, _LAST_HORIZON).title}, {n_arms:,} arms"
    key = f"cuda/{engine}/{n_arms}" if name == "SLEUCB" else f"cuda/{engine}/{name}/{n_arms}"
    return Case(key, what, "G pulls/s", measure)
