"""Both worst cases of many policies: searched for, measured on fresh rewards, side by side on a cluster."""

from __future__ import annotations

import math
from collections.abc import Sequence
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from dataclasses import dataclass
from threading import Event

from steadyarm.engines.progress import Report
from steadyarm.engines.result import Simulation
from steadyarm.errors import SimulationInterrupted
from steadyarm.study.runs.laboratory import Laboratory
from steadyarm.study.worst_case.budget import Entrant
from steadyarm.study.worst_case.evaluator import Meter, Trials
from steadyarm.study.worst_case.search import look_for_the_worst
from steadyarm.study.worst_case.space import Space
from steadyarm.theory.estimates import Estimate

_LOOK_EVERY = 0.1  # seconds between two looks at the progress


@dataclass(frozen=True)
class Worst:
    """The two worst cases of a policy: the runs on each, and which family led to it."""

    regret: Simulation
    instability: Simulation
    families: tuple[str, str]


class _Stopped(Exception):
    """Raised in a search whose result nobody waits for any more."""


def measure_worst_cases(
    entrants: Sequence[tuple[Entrant, Space]],
    laboratory: Laboratory,
    *,
    seed: int,
    level: float,
    report: Report,
    what: str,
) -> list[Worst]:
    """Find and measure both worst cases of every entrant; `what` they are is for the message of an interruption.

    A search is one small simulation after the other and leaves most of a cluster idle, so there the searches of
    several entrants go on at once. Results depend on neither.
    """
    shares = [0.0] * len(entrants)
    found: list[Worst | None] = [None] * len(entrants)
    whole = sum(entrant.seconds for entrant, _ in entrants)
    stop = Event()

    def tell() -> None:
        report(sum(share * one.seconds for share, (one, _) in zip(shares, entrants, strict=True)) / whole)

    def measure(place: int, told: bool) -> None:
        entrant, space = entrants[place]

        def note(share: float) -> None:
            shares[place] = share
            if stop.is_set():
                raise _Stopped
            if told:
                tell()

        meter = Meter(note, entrant.seconds)
        found[place] = _worst_cases(Trials(entrant.policy, space, laboratory, level, meter), entrant, seed)
        note(1.0)

    try:
        at_once = min(laboratory.side_by_side, len(entrants))
        if at_once == 1:
            for place in range(len(entrants)):
                measure(place, told=True)
            return [worst for worst in found if worst is not None]
        with ThreadPoolExecutor(at_once) as pool:
            futures = [pool.submit(measure, place, told=False) for place in range(len(entrants))]
            try:
                waiting = set(futures)
                while waiting:
                    done, waiting = wait(waiting, timeout=_LOOK_EVERY, return_when=FIRST_EXCEPTION)
                    for future in done:
                        future.result()
                    tell()
            finally:
                stop.set()
                for future in futures:
                    future.cancel()
    except (SimulationInterrupted, KeyboardInterrupt) as interruption:
        finished = sum(worst is not None for worst in found)
        message = f"stopped after {finished} of {len(entrants)} {what}{laboratory.hint}"
        raise SimulationInterrupted(message, None) from interruption
    return [worst for worst in found if worst is not None]


def _worst_cases(trials: Trials, entrant: Entrant, seed: int) -> Worst:
    points, families = [], []
    for of in ("regret", "instability"):
        worst, _ = look_for_the_worst(trials, of, entrant.search)
        points.append(worst.point)
        families.append(worst.row["family"])
    alike = points[0] == points[1] and entrant.runs == entrant.regret_runs
    regret = trials.simulate(points[0], runs=entrant.regret_runs, seed=seed)
    instability = regret if alike else trials.simulate(points[1], runs=entrant.runs, seed=seed)
    return Worst(regret, instability, (families[0], families[1]))


def product_estimate(regret: Estimate, instability: Estimate) -> Estimate:
    """Return R·S; the two are measured on different instances, so relative errors add in squares."""
    value = regret.value * instability.value
    if value <= 0.0:
        return Estimate(0.0, 0.0, 0.0, instability.runs, instability.level)

    def end(name: str, sign: float) -> float:
        ratios = [getattr(one, name) / one.value for one in (regret, instability)]
        if min(ratios) <= 0.0:
            return 0.0
        return value * math.exp(sign * math.sqrt(sum(math.log(ratio) ** 2 for ratio in ratios)))

    return Estimate(value, end("low", -1.0), end("high", 1.0), instability.runs, instability.level)
