"""The report of a trial: one page of HTML that needs nothing else, for a board that has to judge the design."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from steadyarm.inference.methods import TITLES
from steadyarm.study.plotting.report_page import render_report
from steadyarm.study.trial.picture import message

if TYPE_CHECKING:
    from steadyarm.study.trial.study import Trial

_LIBRARIES = ("numpy", "numba", "scipy")


def report(found: Trial, svg: str) -> str:
    """Return the page, with the picture inside."""
    return render_report(
        __package__,
        svg,
        _LIBRARIES,
        found=found,
        study=found.study,
        message=message(found),
        decisions=[_decisions(row) for _, row in found.table.iterrows()],
        arms=[_arms(row) for _, row in found.arms.iterrows()],
        horizon=found.study.policies_on(next(iter(found.study.scenarios.values())))[0].horizon,
    )


def said(row: Any, quantity: str, form: str) -> tuple[str, str]:
    """Return a quantity and its interval in words, no interval for what is exact, a dash for what is not defined."""
    value, low, high = (row[f"{quantity}{end}"] for end in ("", "_low", "_high"))
    if value != value:
        return "–", ""
    return format(value, form), "" if row["source"] == "exact" else f"{low:{form}} to {high:{form}}"


def _decisions(row: Any) -> dict[str, Any]:
    forms = {"wrong": ".1%", "power": ".1%", "picks_best": ".1%", "reward": ",.1f", "lost": ",.1f"}
    if "stopped" in row:
        forms |= {"stopped": ".1%", "rounds": ",.1f"}
    return _first(row) | {"measured": [said(row, name, form) for name, form in forms.items()]}


def _arms(row: Any) -> dict[str, Any]:
    forms = {
        "pulls": ",.1f",
        "spread": ",.1f",
        "bias": "+.4f",
        "rmse": ".4f",
        "coverage": ".1%",
        "width": ".3f",
    }
    measured = [said(row, name, form) for name, form in forms.items()]
    return _first(row) | {"arm": f"{row['arm']} ({row['mean']:g})", "measured": measured}


def _first(row: Any) -> dict[str, Any]:
    return {name: row[name] for name in ("scenario", "design", "source")} | {"method": TITLES[row["method"]]}
