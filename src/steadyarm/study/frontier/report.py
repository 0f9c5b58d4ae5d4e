"""The report of a frontier: one page of HTML that needs nothing else, in light and in dark."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from steadyarm.errors import InvalidInput
from steadyarm.policies.registry import all_policies
from steadyarm.study.frontier.notes import message
from steadyarm.study.plotting.report_page import render_report
from steadyarm.study.worst_case.budget import usual_rival
from steadyarm.theory.estimates import Estimate

if TYPE_CHECKING:
    from steadyarm.study.frontier.study import Frontier, FrontierStudy

_LIBRARIES = ("numpy", "numba", "scipy", "pandas", "matplotlib")


def report(frontier: Frontier, svg: str) -> str:
    """Return the page, with the picture inside."""
    return render_report(
        __package__,
        svg,
        _LIBRARIES,
        frontier=frontier,
        study=frontier.study,
        message=message(frontier),
        rows=[_cells(row) for _, row in frontier.table.iterrows()],
        command=_command(frontier),
    )


def _command(frontier: Frontier) -> str:
    """Return what gives the same numbers: a command, or a call in Python where options cannot say it all."""
    study = frontier.study
    usual = type(study)()
    names = _names(study)
    if names is None or study.level != usual.level:
        rivals = study.rivals if isinstance(study.rivals, str) else list(study.rivals)
        return (
            f"steadyarm.frontier(n_arms={study.n_arms}, horizon={study.horizon}, mean_bound={study.mean_bound}, "
            f"noise_scale={study.noise_scale}, alphas={list(study.alphas)}, "
            f"spreads={list(study.spreads or ())}, rivals={rivals!r}, "
            f"runs={frontier.runs}, seed={study.seed}, level={study.level}, patience={study.patience})"
        )
    words = (
        f"steadyarm frontier --arms {study.n_arms} --horizon {study.horizon} --mean-bound {study.mean_bound} "
        f"--noise-scale {study.noise_scale} --alphas {','.join(map(str, study.alphas))} "
        f"--spreads {','.join(map(str, study.spreads or ())) or 'none'} --rivals {names} "
        f"--runs {frontier.runs} --seed {study.seed}"
    )
    return words if study.patience == usual.patience else f"{words} --patience {study.patience}"


def _names(study: FrontierStudy) -> str | None:
    """Return the rivals as --rivals takes them; None if one has parameters that it does not stand for."""
    if isinstance(study.rivals, str):
        return study.rivals
    names = []
    for rival in study.rivals:
        kind = type(rival)
        try:
            usual = usual_rival(kind, study.space, study.horizon, study.mean_bound)
        except (TypeError, InvalidInput):  # a class that cannot be made of these parameters alone
            return None
        if usual != rival:
            return None
        known = all_policies().get(rival.name) is kind
        names.append(rival.name if known else f"{kind.__module__}:{kind.__name__}")
    return ",".join(names) or "none"


def _cells(row: Any) -> dict[str, Any]:
    """Return what stands in a line of the table: the policy, its estimates with intervals, runs, guarantees."""

    def ends(quantity: str) -> tuple[float, float, float]:
        return float(row[quantity]), float(row[f"{quantity}_low"]), float(row[f"{quantity}_high"])

    measured = [
        str(Estimate(*ends(quantity), int(row["runs"]))).partition(" ")[::2]
        for quantity in ("regret", "instability")
    ]
    for ratio in ("product", "times_least_regret"):
        value, low, high = ends(ratio)
        measured.append((f"{value:.3g}", f"[{low:.3g}, {high:.3g}]"))
    both = dict.fromkeys((row["regret_runs"], row["runs"]))
    bounds = (row[name] for name in ("regret_bound", "instability_bound"))
    return {
        "policy": row["policy"],
        "measured": measured,
        "runs": " / ".join(f"{runs:,}" for runs in both),
        "guaranteed": [f"{bound:,.0f}" if bound == bound else "–" for bound in bounds],
    }
