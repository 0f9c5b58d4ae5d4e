"""The options that mean the same in every command, and how their text is read."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from steadyarm.study import Laboratory


def whole_number(text: str) -> int:
    """Read 100000, 100_000, 1e5 or 1e12 as a whole number."""
    try:
        return int(text)
    except ValueError:
        pass
    try:
        number = float(text)
    except ValueError:
        raise typer.BadParameter(f"{text!r} is not a number; write it like 100000 or 1e5.") from None
    if not number.is_integer():
        raise typer.BadParameter(f"{text!r} is not a whole number; write it like 100000 or 1e5.")
    return int(number)


def numbers(text: str) -> list[float]:
    """Read numbers separated by commas."""
    try:
        return [float(part) for part in text.split(",")]
    except ValueError:
        raise typer.BadParameter(f"{text!r} is not a list of numbers; write it like 0,-0.1,-0.1.") from None


Arms = Annotated[
    int | None, typer.Option("--arms", help="Number of arms, K.", parser=whole_number, metavar="K")
]
Horizon = Annotated[
    int,
    typer.Option("--horizon", help="Number of rounds, T; 1e6 is a number.", parser=whole_number, metavar="T"),
]
MeanBound = Annotated[float, typer.Option("--mean-bound", help="M: the arms' means lie in [-M, M].")]
NoiseScale = Annotated[
    float | None,
    typer.Option(
        "--noise-scale",
        help="σ: rewards are σ-sub-Gaussian. Default: 1 for Gaussian rewards, half the range for others.",
        show_default=False,
    ),
]
Alpha = Annotated[
    float | None,
    typer.Option(
        "--alpha", help="SLE-UCB's knob: more buys stability with regret. Default: 1.", show_default=False
    ),
]
Runs = Annotated[
    int | None,
    typer.Option("--runs", help="Independent runs. Default: 1000.", parser=whole_number, metavar="N"),
]
Seed = Annotated[
    int,
    typer.Option(
        "--seed",
        parser=whole_number,
        metavar="N",
        help="Names the reward table; the result depends on nothing else.",
    ),
]
Out = Annotated[
    Path | None, typer.Option("--out", help="Folder for the picture and the data.", file_okay=False)
]
Study = Annotated[
    Path | None,
    typer.Option(
        "--study",
        help="Folder that keeps finished runs: the same command goes on where it was stopped, "
        "and more runs can be added later.",
        file_okay=False,
    ),
]
Dask = Annotated[
    str | None,
    typer.Option(
        "--dask", help="Play on the workers of a Dask cluster, like tcp://10.0.0.1:8786.", metavar="ADDRESS"
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")]


def build_laboratory(
    study: Path | None, dask: str | None, threads: int | None = None, device: str = "cpu"
) -> Laboratory:
    """Make the laboratory that the options describe; leave it with `with`."""
    from steadyarm.study import Laboratory

    def note(sentence: str) -> None:
        typer.echo(f"note: {sentence}", err=True)

    return Laboratory(threads=threads, folder=study, client=dask, device=device, note=note)
