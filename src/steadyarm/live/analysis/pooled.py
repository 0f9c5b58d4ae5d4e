"""The results of all strata together, from those of each.

Strata may have different means and are allocated apart, so that plain sums would mix the two up. Means are weighted by
the strata's shares of the rounds so far, the same for every arm; intervals of the strata that hold together give one.
"""

from __future__ import annotations

from typing import Any

from steadyarm.inference.methods import TITLES

_APART = "each stratum has a play of its own; see the strata"
_WORDS = (
    "Anytime-valid intervals of the strata that hold together, weighted like the means by the strata's shares of the "
    "rounds so far."
)
_COUNTS = ("count", "rewarded", "lapsed", "amended", "voided", "defaulted", "outstanding")
_NOTHING = {"low": None, "high": None}


def pooled(parts: list[dict[str, Any]], jointly: list[dict[str, Any]]) -> dict[str, Any]:
    """Return what the results of strata say together; `jointly` are the same at a level at which all of them hold."""
    rounds = [part["round"] for part in parts]
    total = sum(rounds)
    weights = [turn / total if total else None for turn in rounds]
    rows = zip(*(part["arms"] for part in parts), strict=True)
    sides = zip(*(part["arms"] for part in jointly), strict=True)
    return {
        "round": total,
        "arms": [_arm(row, side, weights, total) for row, side in zip(rows, sides, strict=True)],
        "intervals": {
            "method": "anytime",
            "words": _WORDS,
            "ordinary": "wald",
            "ordinary_title": TITLES["wald"],
        },
        "differences": {
            "control": None,
            "method": "anytime",
            "words": f"Not pooled: {_APART}.",
            "p_words": "",
            "best": [],
            "rows": [],
        },
        "weighted": None,
        "regret": {
            name: _sum(part["regret"][name] for part in jointly)
            for name in parts[0]["regret"].keys() - {"level", "guarantee_words"}
        },
        "prediction": {"available": False, "reason": _APART},
    }


def _arm(row: Any, side: Any, weights: list[float | None], total: int) -> dict[str, Any]:
    counts: dict[str, Any] = {name: sum(part[name] for part in row) for name in _COUNTS}
    ends = {end: _weighted(weights, (part["anytime"][end] for part in side)) for end in ("low", "high")}
    return counts | {
        "arm": row[0]["arm"],
        "share": counts["count"] / total if total else None,
        "mean": _weighted(weights, (part["mean"] for part in row)),
        "mean_as_told": _weighted(weights, (part["mean_as_told"] for part in row)),
        "retired": row[0]["retired"],
        "interval": ends,
        "anytime": ends,
        "wald": _NOTHING,
    }


def _weighted(weights: list[float | None], values: Any) -> float | None:
    """Return a weighted mean; none if one is missing that has a weight.

    >>> _weighted([0.25, 0.75], [1.0, 3.0]), _weighted([0.5, 0.5], [1.0, None]), _weighted([1.0, 0.0], [1.0, None])
    (2.5, None, 1.0)
    """
    pairs = [(weight, value) for weight, value in zip(weights, values, strict=True) if weight != 0.0]
    if any(weight is None or value is None for weight, value in pairs):
        return None
    return float(sum(weight * value for weight, value in pairs))


def _sum(values: Any) -> float | None:
    found = list(values)
    return None if None in found else float(sum(found))
