"""Regret and instability over the rounds: the picture and the table of counts that were noted on the way."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import cycle
from typing import TYPE_CHECKING, Any

import numpy as np

from steadyarm.engines.result import Simulation
from steadyarm.errors import InvalidInput
from steadyarm.model import checks
from steadyarm.model.instance import Instance
from steadyarm.study.plotting.style import COLOURS, MARKERS, label_axis, letter_size
from steadyarm.study.runs.resolve_policies import instance_labels, policy_labels
from steadyarm.words import counted

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from steadyarm.study.plotting.figure import Size

_PANELS = ("regret", "instability")
_LINES = ("-", "--", "-.", ":")  # to be told apart in print without colour


def plot_over_time(simulations: Simulation | Sequence[Simulation], size: Size | None = None) -> Figure:
    """Draw regret and instability over the rounds, with bands that are their intervals, moment by moment.

    Several simulations, played with `at=`, are drawn into the same panels; each instance has a row of its own.

    >>> import steadyarm as sa
    >>> policies = [sa.MOSS(n_arms=2, horizon=2000), sa.SLEUCB(n_arms=2, horizon=2000, constants="sharp")]
    >>> figure = sa.plot_over_time([sa.simulate(one, sa.equal_gap(2, gap=0.5), runs=50, at=20) for one in policies])
    >>> [axes.get_ylabel() for axes in figure.axes]
    ['regret up to the round', "instability: largest sd of an arm's pulls"]
    """
    from steadyarm.study.plotting.figure import figure_of, panels

    several = _checked(simulations)
    rows = _by_instance(several)
    with panels(None, size, (11.0, 0.6 + 4.2 * len(rows)), len(rows), len(_PANELS)) as places:
        for (name, group), row in zip(rows.items(), zip(places[::2], places[1::2], strict=True), strict=True):
            for axes, quantity in zip(row, _PANELS, strict=True):
                _draw_panel(axes, group, quantity)
            row[0].set_title(_title(name, group))
    return figure_of(places[0])


def over_time_table(simulations: Simulation | Sequence[Simulation]) -> pd.DataFrame:
    """Return one row for each simulation and moment: regret and instability with their intervals."""
    import pandas as pd

    several = _checked(simulations, fewest_runs=1)
    return pd.DataFrame(
        [
            {"policy": label, "instance": name, "round": int(moment)}
            | regret.columns("regret")
            | instability.columns("instability")
            for name, group in _by_instance(several).items()
            for label, one in zip(policy_labels([each.policy for each in group]), group, strict=True)
            for moment, regret, instability in zip(one.at, one.regret_at, one.instability_at, strict=True)
        ]
    )


def _checked(simulations: Simulation | Sequence[Simulation], fewest_runs: int = 2) -> list[Simulation]:
    several = [simulations] if isinstance(simulations, Simulation) else list(simulations)
    if not several:
        raise InvalidInput("there must be at least one simulation; got none.")
    for one in several:
        checks.instance_of(one, Simulation, "simulation")
        if not len(one.at):
            raise InvalidInput(
                f"counts on the way must have been noted; the simulation of {one.policy.title} noted none. "
                "Say simulate(…, at=50)."
            )
        checks.integer(one.runs, "runs", at_least=fewest_runs, remedy="A spread needs two runs.")
    return several


def _by_instance(simulations: list[Simulation]) -> dict[str, list[Simulation]]:
    instances = list(dict.fromkeys(each.instance for each in simulations))
    return {
        name: [each for each in simulations if each.instance == instance]
        for name, instance in zip(instance_labels(instances), instances, strict=True)
    }


def _title(name: str, group: list[Simulation]) -> str:
    runs = counted(group[0].runs, "run")
    who = group[0].policy.title if len(group) == 1 else counted(len(group), "policy", "policies")
    return f"{who} on {name}, {runs}"


def _name(quantity: str, instance: Instance) -> str:
    """Return what stands on the axis of a quantity."""
    if quantity == "regret":
        return f"{instance.kind_of_regret} up to the round"
    return "instability: largest sd of an arm's pulls"


def _draw_panel(axes: Axes, group: list[Simulation], quantity: str) -> None:
    from steadyarm.study.plotting.figure import figure_of
    from steadyarm.study.plotting.fit import legend_below

    labels = policy_labels([each.policy for each in group])
    estimates = [each.regret_at if quantity == "regret" else each.instability_at for each in group]
    seen = [one.value for several in estimates for one in several if one.value > 0.0]
    floor = min(seen, default=1.0) / 4.0  # a band that reaches down to 0 leaves a logarithmic axis
    looks: Any = zip(cycle(COLOURS), cycle(_LINES), cycle(MARKERS), strict=False)
    for simulation, label, several, (colour, line, marker) in zip(
        group, labels, estimates, looks, strict=False
    ):
        values = np.array([one.value for one in several])
        lows = np.maximum(floor, [one.low for one in several])
        highs = np.maximum(floor, [one.high for one in several])
        shown = values > 0.0 if seen else np.ones(len(values), dtype=bool)
        ends = np.where(np.isfinite(highs), highs, values)
        axes.fill_between(
            simulation.at, lows, ends, where=shown & (ends > floor), color=colour, alpha=0.2, linewidth=0.0
        )
        alone = np.count_nonzero(shown) == 1  # a point, which neither a line nor a band would show
        if alone:
            axes.vlines(simulation.at[shown], lows[shown], ends[shown], color=colour, alpha=0.5)
        axes.plot(
            simulation.at[shown],
            values[shown],
            color=colour,
            linestyle=line,
            marker=marker if alone else "",
            label=label,
        )
    axes.set(xscale="log", xlabel="round", ylabel=_name(quantity, group[0].instance))
    label_axis(axes.xaxis)
    if seen:
        axes.set_yscale("log")
        label_axis(axes.yaxis)
    else:
        axes.set_ylim(0.0, 1.0)
    figure = figure_of(axes)
    if len(group) > 1 and not figure.legends:
        legend_below(figure, *axes.get_legend_handles_labels(), letter_size(10.0))
