"""The options that mean the same in every command, how their text is read, and what the shared ones do."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Protocol, TypeVar

import typer

from steadyarm.defaults import RUNS, SHARE_RUNS

if TYPE_CHECKING:
    from steadyarm.model.feedback import Delay
    from steadyarm.study.runs.laboratory import Laboratory


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


def numbers(text: str, option: str, example: str) -> list[float]:
    """Read numbers separated by commas."""
    try:
        return [float(part) for part in text.split(",")]
    except ValueError:
        words = f"{text!r} is not a list of numbers; write it like {example}."
        raise typer.BadParameter(words, param_hint=f"'{option}'") from None


def given(**options: Any) -> dict[str, Any]:
    """Return the options that were given; for the others the library has its defaults."""
    return {name: value for name, value in options.items() if value is not None}


def moments(text: str) -> int | list[int]:
    """Read how many moments, like 50, or the rounds themselves, like 10,100,1e3, or 1e3, with a comma for one.

    >>> moments("50"), moments("10,1e3"), moments("1e3,")
    (50, [10, 1000], [1000])
    """
    if "," not in text:
        return whole_number(text)
    return [whole_number(part) for part in text.removesuffix(",").split(",")]


def delay(text: str) -> Delay:
    """Read how many rounds rewards come late, like 30, or that they do so at random, like geometric:30."""
    from steadyarm.errors import InvalidInput
    from steadyarm.model.feedback import Delay

    law, colon, mean = text.partition(":")
    try:
        if not colon:
            return Delay.fixed(whole_number(text))
        if law == "geometric":
            return Delay.geometric(float(mean))
    except InvalidInput as error:
        raise typer.BadParameter(f"{text!r} cannot be: {error}") from None
    except (typer.BadParameter, ValueError):
        pass
    raise typer.BadParameter(
        f"{text!r} is not a delay. Write 30 for 30 rounds, or geometric:30 for a random delay of 30 on average."
    )


Arms = Annotated[
    int | None, typer.Option("--arms", help="Number of arms, K.", parser=whole_number, metavar="K")
]
Horizon = Annotated[
    int,
    typer.Option(
        "--horizon", help="Number of rounds, T, like 100000 or 1e6.", parser=whole_number, metavar="T"
    ),
]
ClassNoise = Annotated[
    float | None,
    typer.Option("--noise-scale", help="σ: rewards are σ-sub-Gaussian. Default: 1.", show_default=False),
]
MeanBound = Annotated[
    float | None,
    typer.Option("--mean-bound", help="M: the arms' means lie in [-M, M]. Default: 1.", show_default=False),
]
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
        "--alpha",
        help="SLE-UCB's knob: a larger α buys stability at the cost of regret. Default: 1.",
        show_default=False,
    ),
]
Runs = Annotated[
    int | None,
    typer.Option("--runs", help=f"Independent runs. Default: {RUNS}.", parser=whole_number, metavar="N"),
]
ShareRuns = Annotated[
    int | None,
    typer.Option(
        "--runs", help=f"Independent runs. Default: {SHARE_RUNS}.", parser=whole_number, metavar="N"
    ),
]
Seed = Annotated[
    int,
    typer.Option(
        "--seed",
        parser=whole_number,
        metavar="N",
        help="Names the reward table: the same seed gives the same numbers.",
    ),
]
At = Annotated[
    Any,
    typer.Option(
        "--at",
        help="Regret and instability over time: at how many moments, like 50, or after which rounds, like 100,1e3,1e4 "
        "(1e4, with a comma for one).",
        parser=moments,
        metavar="MOMENTS",
    ),
]
Late = Annotated[
    Any,
    typer.Option(
        "--delay",
        help="Rewards arrive this many rounds late, like 30; geometric:30 is a random delay of 30 on average.",
        parser=delay,
        metavar="ROUNDS",
        show_default=False,
    ),
]
Batch = Annotated[
    int,
    typer.Option(
        "--batch",
        help="The policy learns of rewards in batches of this many rounds.",
        parser=whole_number,
        metavar="ROUNDS",
    ),
]
Threads = Annotated[
    int | None,
    typer.Option("--threads", help="Threads. Default: all cores.", parser=whole_number, metavar="N"),
]
Out = Annotated[
    Path | None, typer.Option("--out", help="Folder for the picture and the data.", file_okay=False)
]
Study = Annotated[
    Path | None,
    typer.Option(
        "--study",
        help="Folder that keeps finished runs: the same command continues where it stopped, "
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


class Saved(Protocol):
    """A result that can be shown and kept."""

    @property
    def to_dict(self) -> Callable[..., dict[str, Any]]:
        """Return it as plain data, fit for JSON."""

    @property
    def save(self) -> Callable[..., Sequence[Path]]:
        """Write its files into a folder."""


Result = TypeVar("Result", bound=Saved)


@dataclass(frozen=True)
class OutputOptions:
    """Where a result goes."""

    out: Out = None
    as_json: Json = False

    def prepare(self) -> None:
        """Make the folder, so that a wrong one is refused before the work and not after it."""
        if self.out is not None:
            self.out.mkdir(parents=True, exist_ok=True)

    def show(self, result: Result, print_it: Callable[[Result], None], **more: Any) -> None:
        """Print a result, as JSON if that is wanted, and write its files; with `more` that goes into both."""
        if self.as_json:
            print(json.dumps(result.to_dict(**more), indent=2))
        else:
            print_it(result)
        if self.out is not None:
            say_written(result.save(self.out, **more))


def say_written(paths: Sequence[Path]) -> None:
    """Say which files were written."""
    for path in paths:
        typer.echo(f"wrote {path}", err=True)


@dataclass(frozen=True)
class StudyOptions:
    """Where runs are kept, and where they are played."""

    study: Study = None
    dask: Dask = None

    def laboratory(self, threads: int | None = None, device: str = "cpu") -> Laboratory:
        """Make the laboratory; leave it with `with`."""
        from steadyarm.study.runs.laboratory import Laboratory

        def note(sentence: str) -> None:
            typer.echo(f"note: {sentence}", err=True)

        return Laboratory(threads=threads, folder=self.study, client=self.dask, device=device, note=note)
