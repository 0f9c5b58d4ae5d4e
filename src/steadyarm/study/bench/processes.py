"""What is measured in processes of its own: how long a start takes, and the peak of memory."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from functools import cache

from steadyarm.errors import SteadyarmError
from steadyarm.study.bench.cases import Case, Reading, Setting, power
from steadyarm.study.bench.timing import QUICK, Spread

_FIRST_SIMULATION = """
import steadyarm as sa
policy = sa.SLEUCB(n_arms=2, horizon=10_000, constants="sharp")
sa.simulate(policy, sa.equal_gap(2, gap=0.5), runs=100, progress=False)
"""
_PEAK = """
import pathlib, resource, sys
import steadyarm as sa
engine, n_arms, horizon = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
policy = sa.SLEUCB(n_arms=n_arms, horizon=horizon)
sa.simulate(policy, sa.equal_gap(n_arms, gap=0.05), runs=1, engine=engine, threads=1, progress=False)
if sys.platform == "linux":  # ru_maxrss would begin with the peak of the process that started this one
    lines = pathlib.Path("/proc/self/status").read_text().splitlines()
    peak = next(line for line in lines if line.startswith("VmHWM")).split()[1]
else:
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
print(peak)
"""
_SHORT = 10**4
_STARTS = {
    "import": ("`import steadyarm`", ["-c", "import steadyarm"]),
    "help": ("`steadyarm --help`", ["-m", "steadyarm", "--help"]),
    "simulate": ("a first simulation in a fresh process, compiled before", ["-c", _FIRST_SIMULATION]),
    "python": ("Python alone, for comparison", ["-c", "pass"]),
}


def cases_of_processes() -> list[Case]:
    """Return the cases that start processes; those of memory where the system tells the peak."""
    found = []
    if sys.platform != "win32":
        found.append(_peak("prefix", 2, _SHORT, what=f"peak of a process that plays {power(_SHORT)} rounds"))
        found += [
            _more("step", 2, 10**7),
            _more("prefix", 2, 10**8),
            _more("prefix", 1000, 10**6),
            _more("leap", 2, 10**12),
        ]
    found += [_start(name) for name in _STARTS]
    return found


def _start(name: str) -> Case:
    what, words = _STARTS[name]

    def measure(setting: Setting) -> Reading:
        _child(words)  # the file cache, and Numba's
        times = [_child(words) for _ in range(2 if setting.patience is QUICK else 5)]
        walls = [wall for wall, _ in times]
        best = min(walls)
        cpu = min(cpu for _, cpu in times)
        return Reading(Spread(best, best, max(walls)), best, f"best of {len(times)}; {cpu:.2f} s of CPU")

    return Case(f"start/{name}", what, "s", measure)


def _child(words: list[str]) -> tuple[float, float]:
    """Start Python and wait for its end; return wall and CPU seconds."""
    before, begun = os.times(), time.perf_counter()
    _run(words)
    wall, after = time.perf_counter() - begun, os.times()
    cpu = after.children_user + after.children_system - before.children_user - before.children_system
    return wall, cpu


def _run(words: list[str]) -> str:
    # Told to keep no bytecode, each would read all source files anew, as no user's does.
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    done = subprocess.run(
        [sys.executable, *words], env=environment, capture_output=True, text=True, check=False
    )
    if done.returncode != 0:
        last = (done.stderr.strip().splitlines() or ["no message"])[-1]
        raise SteadyarmError(
            f"a process started for measuring ended with code {done.returncode}: {last}. Check that "
            f"`{sys.executable} -m steadyarm --help` works."
        )
    return done.stdout


def _peak(engine: str, n_arms: int, horizon: int, what: str) -> Case:
    def measure(_setting: Setting) -> Reading:
        peak = peak_megabytes(engine, n_arms, horizon)
        return Reading(Spread(peak, peak, peak), wall=None)

    return Case("memory/process", what, "MB", measure)


def _more(engine: str, n_arms: int, horizon: int) -> Case:
    """Return how much higher the peak is than that of a short run with the same engine and two arms."""

    def measure(_setting: Setting) -> Reading:
        short = peak_megabytes("prefix" if engine == "leap" else engine, 2, _SHORT)
        more = peak_megabytes(engine, n_arms, horizon) - short
        return Reading(Spread(more, more, more), None, f"over {short:,.0f} MB for {power(_SHORT)} rounds")

    what = f"`{engine}`: more for {power(horizon)} rounds, {n_arms:,} arms"
    return Case(f"memory/{engine}/{n_arms}", what, "MB", measure, in_quick=horizon > 10**7)


@cache  # the short run is the same for several
def peak_megabytes(engine: str, n_arms: int, horizon: int) -> float:
    """Return the peak of a fresh process that simulates one run in one thread."""
    peak = float(_run(["-c", _PEAK, engine, str(n_arms), str(horizon)]))
    return peak / 1e6 if sys.platform == "darwin" else peak * 1024 / 1e6
