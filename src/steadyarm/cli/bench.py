"""`steadyarm bench`: how fast the engines are here, beside NumPy merely drawing the rewards."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from steadyarm.cli.options.common import OutputOptions, whole_number
from steadyarm.cli.options.groups import grouped

if TYPE_CHECKING:
    from steadyarm.study.bench.report import Bench

_PIPE_WIDTH = 160
_WIDE = 140  # columns of a terminal that has room for everything
_FOR_WIDE = ("range", "wall clock", "remark")


@grouped
def bench(
    *,
    only: Annotated[
        list[str] | None,
        typer.Option(
            "--only",
            help="Some of: step, prefix, leap, fluid, extra, growth, memory, start; like step,prefix.",
            metavar="GROUP,…",
        ),
    ] = None,
    quick: Annotated[
        bool, typer.Option("--quick", help="Fewer repetitions and figures, for a first look.")
    ] = False,
    device: Annotated[
        str, typer.Option("--device", help="cpu, or cuda: step and prefix on a GPU, checked against the CPU.")
    ] = "cpu",
    threads: Annotated[
        int,
        typer.Option(
            "--threads",
            help="Threads of the engines, and of NumPy's draws.",
            parser=whole_number,
            metavar="N",
        ),
    ] = 1,
    output: OutputOptions,
) -> None:
    """Measure the engines' speed and memory, beside their goals.

    It shows ratios to NumPy's draws, growth, memory and start-up time. Figures are medians over alternations in one
    process: CPU time for one thread, wall time for several.
    """
    import steadyarm as sa

    groups = None if only is None else [word.strip() for group in only for word in group.split(",")]
    output.prepare()
    found = sa.bench(groups, quick=quick, device=device, threads=threads)
    output.show(found, _print)
    if not found.sound:
        typer.echo(
            "steadyarm: the GPU's counts are not the CPU's; do not trust this card or driver.", err=True
        )
        raise typer.Exit(1)


def _print(found: Bench) -> None:
    from rich import box
    from rich.console import Console
    from rich.table import Table

    from steadyarm.study.bench.report import HEADINGS

    console = Console(highlight=False, width=None if sys.stdout.isatty() else _PIPE_WIDTH)
    shown = [heading for heading in HEADINGS if console.width >= _WIDE or heading not in _FOR_WIDE]
    colours = {"yes": "[green]yes[/green]", "no": "[red]no[/red]"}
    rows = [dict(zip(HEADINGS, row, strict=True)) for row in found.rows()]
    for group, places in found.groups().items():
        table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
        for heading in shown:
            left = heading in ("what", "reached", "remark")
            table.add_column(
                group if heading == "what" else heading,
                justify="left" if left else "right",
                no_wrap=heading != "what",
            )
        for place in places:
            table.add_row(*(colours.get(rows[place][heading], rows[place][heading]) for heading in shown))
        console.print(table)
    console.print(f"{found.machine} {found.yardstick}".rstrip(), soft_wrap=True)
    goals = [figure for figure in found.figures if found.reached(figure) is not None]
    missed = len(found.missed)
    console.print(
        f"{len(found.figures)} figures in {found.seconds:.0f} s; {len(goals) - missed} of {len(goals)} goals reached"
    )
