"""What a team knows, as options: rates as 0.03 or 3%, differences of rates as 0.003 or 0.3pp."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

from steadyarm.cli.options.groups import real_number

_UNITS = ("%", "pp")


class OfRates(float):
    """A number that was written in per cent or in percentage points, which only rates have."""


def rate(text: str) -> float:
    """Read 0.03, 3% or 0.3pp; other outcomes than rates are plain numbers.

    >>> rate("0.03"), rate("3%"), rate("0.3pp"), rate("12.5")
    (0.03, 0.03, 0.003, 12.5)
    """
    for unit in _UNITS:
        if text.strip().endswith(unit):
            # Through its decimals: 0.3/100 is not the double nearest to 0.003.
            return OfRates(f"{real_number(text.strip().removesuffix(unit)) / 100.0:.15g}")
    return real_number(text)


def difference(text: str) -> float:
    """Read a difference of rates: 0.003 or 0.3pp, but not 10%, which may be a part of the baseline.

    >>> difference("0.3pp"), difference("-0.003")
    (0.003, -0.003)
    """
    if text.strip().endswith("%"):
        size = text.strip().removesuffix("%").strip()
        raise typer.BadParameter(
            f"{text!r} could be {size} percentage points, or {size}% of the baseline. Write {size}pp for the "
            "first, or convert the second to pp yourself."
        )
    return rate(text)


def rates(text: str) -> tuple[float, float]:
    """Read two differences, like -0.5pp,1pp or -0.005,0.01."""
    parts = text.split(",")
    if len(parts) != 2:
        raise typer.BadParameter(f"{text!r} should be two differences, like -0.5pp,1pp or -0.005,0.01.")
    return difference(parts[0]), difference(parts[1])


@dataclass(frozen=True)
class SituationOptions:
    """The baseline, differences that matter and that are plausible, traffic and delay."""

    baseline: Annotated[
        float | None,
        typer.Option(
            "--baseline",
            help="What today's version, arm 0, gives: a rate, 0.03 or 3%; with --sd a mean.",
            parser=rate,
            metavar="RATE",
        ),
    ] = None
    sd: Annotated[
        float | None,
        typer.Option(
            "--sd", help="Where outcomes are not 0 or 1: their standard deviation; --baseline is their mean."
        ),
    ] = None
    data: Annotated[
        Path | None,
        typer.Option("--data", help="Instead of --baseline: a CSV file of past outcomes.", dir_okay=False),
    ] = None
    column: Annotated[
        str | None, typer.Option("--column", help="The column of --data with the outcomes.")
    ] = None
    smallest_difference: Annotated[
        float | None,
        typer.Option(
            "--smallest-difference",
            help="The smallest difference from the baseline that matters, like 0.003 or 0.3pp.",
            parser=difference,
            metavar="RATE",
        ),
    ] = None
    differences: Annotated[
        Any,
        typer.Option(
            "--differences",
            help="Plausible differences from the baseline, like -0.5pp,1pp. Default: 3 times the smallest, either way.",
            parser=rates,
            metavar="LOW,HIGH",
        ),
    ] = None
    per_day: Annotated[float | None, typer.Option("--per-day", help="Units (visitors) a day.")] = None
    days: Annotated[float | None, typer.Option("--days", help="Instead of --horizon: how many days.")] = None
    delay_days: Annotated[
        float, typer.Option("--delay-days", help="How many days until an outcome is known.")
    ] = 0.0
    daily: Annotated[
        bool, typer.Option("--daily", help="Traffic is moved once a day, not after each outcome.")
    ] = False

    @property
    def known(self) -> bool:
        """Whether a baseline was given."""
        return self.baseline is not None or self.data is not None

    def given(self) -> dict[str, Any]:
        """Return the arguments of `sa.plan`."""
        if self.data is not None and self.baseline is not None:
            raise typer.BadParameter("--baseline and --data both say what arm 0 gives. Give one of them.")
        if self.sd is not None and self.baseline is None:
            raise typer.BadParameter("--sd goes with --baseline, the mean.")
        members = ("smallest_difference", "differences", "per_day", "days", "delay_days", "daily", "column")
        known = {name: getattr(self, name) for name in members}
        baseline = self.baseline if self.data is None else self.data
        return known | {"baseline": baseline if self.sd is None else (baseline, self.sd)}

    def check_units(self, found: Any) -> None:
        """Refuse per cent and percentage points in a plan for outcomes that are not 0 or 1."""
        written = {
            "--baseline": self.baseline,
            "--smallest-difference": self.smallest_difference,
            "--differences": next((end for end in self.differences or () if isinstance(end, OfRates)), None),
        }
        for option, number in written.items():
            if isinstance(number, OfRates) and self.known and not found.situation.is_rate:
                raise typer.BadParameter(
                    f"{option} is {100.0 * number:g} per cent or pp, and outcomes are not 0 or 1: only rates are in "
                    "those. Write a plain number, in the unit of the outcomes."
                )
