"""The search for a worst instance: families on a grid of gaps first, then a walk over all the means.

Where the fluid prediction is trusted it leads and only the best candidates are measured. Elsewhere every
score is a measurement, on the same rewards, at a shorter horizon first if rounds are expensive.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from steadyarm.defaults import SEARCH_RUNS, SEARCH_STEPS
from steadyarm.study.worst_case.evaluator import PolicyEvaluator
from steadyarm.study.worst_case.space import FAMILIES, Point, family_points, finest_gap, neighbours

_FINE_GAPS = 40  # on the grid of predictions, which cost next to nothing
_FINE_STEPS = 400  # of the walk led by predictions
_FACTORS = (2.0, 1.4, 1.2, 1.1, 1.05)  # by which gaps change in the walk, coarse to fine
_SHORTLIST = 4
_STARTS = 3  # of the walk led by predictions
_BETTER = 1.001  # what a step of the walk must gain
_NEAR = 0.97  # of the best prediction: candidates below are not measured, as luck could lift them
_ASIDE = (1.0, 1.7, 1.0 / 1.7)  # scales tried at the full horizon after a search at a shorter one


@dataclass(frozen=True)
class Search:
    """How hard to look.

    Attributes:
        families: where to begin.
        gaps: how many gaps of each family are measured.
        steps: how many instances the walk over all the means may measure.
        runs: of each measurement on the way.
        seed: of these runs; not that of the final measurement.
        horizon: a shorter horizon to search at, with gaps widened in proportion to 1/√T; None for the full.
        confirm_runs: after that, of each of the best candidates at the full horizon; 0 for `runs`.
    """

    families: tuple[str, ...] = tuple(FAMILIES)
    gaps: int = 12
    steps: int = SEARCH_STEPS
    runs: int = SEARCH_RUNS
    seed: int = 0
    horizon: int | None = None
    confirm_runs: int = 0


@dataclass(frozen=True)
class Candidate:
    """A point with its score and how it was come by."""

    point: Point
    score: float
    row: dict[str, Any]


class Tried:
    """Everything that was tried, in order."""

    def __init__(self, evaluator: PolicyEvaluator, of: str) -> None:
        self._evaluator, self._of = evaluator, of
        self.rows: list[dict[str, Any]] = []

    def note(self, point: Point, score: float, **how: Any) -> Candidate:
        """Write one line."""
        means = self._evaluator.space.instance(point).means
        row = how | {"gap": closest(point), self._of: score, "means": list(means)}
        self.rows.append(row)
        return Candidate(point, score, row)


def search_worst_instance(
    evaluator: PolicyEvaluator, of: str, search: Search
) -> tuple[Candidate, list[dict[str, Any]]]:
    """Return the candidate with the largest regret or instability found, and all that was tried."""
    tried = Tried(evaluator, of)
    fine = family_points(evaluator.space, search.families, _FINE_GAPS, evaluator.policy.horizon)
    believed = evaluator.trusts_predictions([point for _, _, point in fine])
    found = (
        _by_prediction(evaluator, of, search, tried)
        if believed
        else _by_measuring(evaluator, of, search, tried)
    )
    return found, tried.rows


def _by_prediction(evaluator: PolicyEvaluator, of: str, search: Search, tried: Tried) -> Candidate:
    predicted = evaluator.predicted(of)
    fine = family_points(evaluator.space, search.families, _FINE_GAPS, evaluator.policy.horizon)
    best: dict[str, Candidate] = {}
    for name, _, point in fine:
        found = tried.note(point, predicted(point), stage="family", family=name, how="predicted", runs=0)
        if name not in best or found.score > best[name].score:
            best[name] = found
    ranked = _ranked(list(best.values()))
    if search.steps > 0:
        walked = [
            _walk(evaluator, start, predicted, _FINE_STEPS, tried, {"how": "predicted", "runs": 0})
            for start in ranked[:_STARTS]
        ]
        ranked = _ranked([*walked, *ranked])
    near = [candidate for candidate in _distinct(ranked) if candidate.score >= _NEAR * ranked[0].score]
    return _confirm(evaluator, of, search, tried, near[:_SHORTLIST])


def _by_measuring(evaluator: PolicyEvaluator, of: str, search: Search, tried: Tried) -> Candidate:
    shorter = search.horizon is not None and search.horizon < evaluator.policy.horizon
    horizon = search.horizon if shorter else evaluator.policy.horizon
    assert horizon is not None
    wider = (evaluator.policy.horizon / horizon) ** 0.5

    def widened(point: Point) -> Point:
        widest = evaluator.space.widest
        # Two arms that are told apart in T rounds are so in T′ at a gap that is √(T/T′) times as wide.
        return Point(tuple(min(widest, gap * wider) for gap in point.gaps), point.shift)

    def measured(point: Point) -> float:
        found = evaluator.measure(widened(point), runs=search.runs, seed=search.seed, horizon=horizon)
        return float(getattr(found, of))

    how = {"how": "measured" if not shorter else f"measured at {horizon:,} rounds", "runs": search.runs}
    points = family_points(evaluator.space, search.families, search.gaps, evaluator.policy.horizon)
    if shorter:  # what a wider gap makes equal is not measured twice
        points = list({widened(point): (name, gap, point) for name, gap, point in reversed(points)}.values())
    grid = [
        tried.note(point, measured(point), stage="family", family=name, **how) for name, _, point in points
    ]
    ranked = _ranked(grid)
    if search.steps > 0:
        ranked = _ranked([_walk(evaluator, ranked[0], measured, search.steps, tried, how), *ranked])
    if not shorter:
        return ranked[0]
    scales = _ASIDE if of == "regret" else _ASIDE[:1]
    again = [_scaled(evaluator, ranked[0].point, scale) for scale in scales]
    if of == "regret":  # a policy that never stops losing does worst at the widest gap
        again.append(Point((0.0, *[evaluator.space.widest] * (evaluator.space.n_arms - 1))))
    shortlist = [Candidate(point, 0.0, ranked[0].row) for point in dict.fromkeys(again)]
    return _confirm(evaluator, of, search, tried, shortlist)


def _walk(
    evaluator: PolicyEvaluator,
    start: Candidate,
    score: Callable[[Point], float],
    steps: int,
    tried: Tried,
    how: dict[str, Any],
) -> Candidate:
    """Change the means as long as that makes things worse, in large steps first; at most so many tries."""
    finest = finest_gap(evaluator.space, evaluator.policy.horizon)
    here, seen = start, {start.point: start.score}
    for factor in _FACTORS:
        moved = True
        while moved:
            moved = False
            for point in neighbours(evaluator.space, here.point, factor, finest):
                if point in seen:
                    continue
                if len(seen) > steps:
                    return here
                seen[point] = score(point)
                family = start.row["family"]
                found = tried.note(point, seen[point], stage="walk", family=family, **how)
                if found.score > here.score * _BETTER:
                    here, moved = found, True
                    break
    return here


def _confirm(
    evaluator: PolicyEvaluator, of: str, search: Search, tried: Tried, shortlist: list[Candidate]
) -> Candidate:
    """Measure the best candidates at the full horizon, and return the best of them."""
    if len(shortlist) == 1:
        return shortlist[0]
    runs = search.confirm_runs or search.runs
    measured = []
    for candidate in shortlist:
        found = evaluator.measure(candidate.point, runs=runs, seed=search.seed)
        how = {"stage": "shortlist", "family": candidate.row["family"], "how": "measured", "runs": runs}
        measured.append(tried.note(candidate.point, float(getattr(found, of)), **how))
    return _ranked(measured)[0]


def _ranked(candidates: list[Candidate]) -> list[Candidate]:
    return sorted(candidates, key=lambda candidate: -candidate.score)


def _distinct(candidates: list[Candidate]) -> list[Candidate]:
    return list({candidate.point: candidate for candidate in reversed(candidates)}.values())[::-1]


def _scaled(evaluator: PolicyEvaluator, point: Point, scale: float) -> Point:
    return Point(tuple(min(evaluator.space.widest, gap * scale) for gap in point.gaps), point.shift)


def closest(point: Point) -> float:
    """Return the smallest gap of a worse arm; 0 if there is none."""
    return min((gap for gap in point.gaps if gap > 0.0), default=0.0)
