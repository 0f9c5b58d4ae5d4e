"""`bench`: how fast the engines are on this machine, beside NumPy merely drawing the rewards."""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from statistics import median

from steadyarm.engines.cuda.card import card_name
from steadyarm.engines.progress import Report
from steadyarm.errors import InvalidInput
from steadyarm.model import checks
from steadyarm.study.bench.cases import Case, Setting, cases_in_process
from steadyarm.study.bench.gpu import cases_of_gpu
from steadyarm.study.bench.processes import cases_of_processes
from steadyarm.study.bench.report import Bench, Figure, Machine
from steadyarm.study.bench.timing import QUICK, THOROUGH

DEVICES = ("cpu", "cuda")


def bench(
    only: str | Sequence[str] | None = None,
    *,
    quick: bool = False,
    device: str = "cpu",
    threads: int = 1,
    progress: bool | Report | None = None,
) -> Bench:
    """Measure the engines beside NumPy's draws, their growth, their memory and the time of a start.

    Figures are medians over alternations of the two things compared, in this process. One thread is measured in
    CPU time, several threads by the wall clock.

    Args:
        only: a group, or several: "step", "prefix", "leap", "fluid", "extra", "growth", "memory", "start"; all by
            default.
        quick: fewer alternations and fewer figures, for a look.
        device: "cpu", or "cuda" for pulls a second of `step` and `prefix` on a GPU, checked against the CPU.
        threads: how many threads play, and how many draw for comparison.
        progress: True or False for a line, a function of the finished share, or None: a line on a terminal.

    >>> import steadyarm as sa
    >>> found = sa.bench("fluid", quick=True)
    >>> found["fluid/10"].unit, found["fluid/10"].value > 0.0
    ('ms', True)
    """
    checks.boolean(quick, "quick")
    checks.one_of(device, "device", DEVICES)
    threads = checks.integer(threads, "threads", at_least=1)
    chosen = planned(only, device, quick=quick)
    if device == "cuda" and threads != 1:
        raise InvalidInput(f"threads={threads} is for the CPU; leave it out with device='cuda'.")
    begun = time.perf_counter()
    machine = Machine.this(card_name() if device == "cuda" else "")
    setting = Setting(QUICK if quick else THOROUGH, threads)
    figures = []
    report = _reporter(progress, len(chosen))
    for done, case in enumerate(chosen):
        report(done / len(chosen))
        reading = case.measure(setting)
        figures.append(
            Figure(
                case.key,
                case.what,
                case.unit,
                *reading.spread,
                reading.wall,
                reading.detail,
                reading.equal_counts,
            )
        )
    report(1.0)
    rates = setting.draw_rates
    return Bench(
        figures=tuple(figures),
        machine=machine,
        threads=threads,
        quick=quick,
        draws_per_second=median(rates) if rates else None,
        seconds=time.perf_counter() - begun,
    )


def planned(
    only: str | Sequence[str] | None = None, device: str = "cpu", *, quick: bool = False
) -> list[Case]:
    """Return the cases of some groups, or all of a device; of a quick look fewer.

    >>> [case.key for case in planned("fluid")]
    ['fluid/10']
    """
    every = cases_of_gpu() if device == "cuda" else cases_in_process() + cases_of_processes()
    groups = list(dict.fromkeys(_group(case, device) for case in every))
    if quick:
        every = [case for case in every if case.in_quick]
    if only is None:
        return every
    wanted = [only] if isinstance(only, str) else list(only)
    if not wanted:
        raise InvalidInput(
            f"only must name at least one group, like {groups[0]!r}; got none. Leave it out for all."
        )
    for group in wanted:
        checks.one_of(group, "only", groups)
    return [case for case in every if _group(case, device) in wanted]


def _group(case: Case, device: str) -> str:
    """The word that `only` selects by; on a GPU the engine's."""
    return case.key.split("/")[1] if device == "cuda" else case.group


def _reporter(progress: bool | Report | None, total: int) -> Report:
    """Return what tells the progress: a line, rewritten between figures.

    A bar that moves by itself would take CPU time from what is measured.
    """
    if callable(progress):
        return progress
    if not (sys.stderr.isatty() if progress is None else progress):
        return lambda _share: None

    def write(share: float) -> None:
        done = round(share * total)
        line = f"measuring figure {done + 1} of {total} …" if done < total else ""
        print(f"\x1b[2K{line}", end="\r", file=sys.stderr, flush=True)

    return write
