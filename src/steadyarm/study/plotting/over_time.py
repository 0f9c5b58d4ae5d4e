"""Regret and instability over the rounds: the picture and the table of counts that were noted on the way."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from steadyarm.engines.result import Simulation
from steadyarm.errors import InvalidInput, InvalidType
from steadyarm.model import checks
from steadyarm.model.instance import Instance
from steadyarm.study.plotting.style import label_axis, letter_size, look
from steadyarm.study.runs.resolve_policies import instance_labels, numbered, policy_labels
from steadyarm.words import counted

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from steadyarm.study.plotting.figure import Size

_PANELS = ("regret", "instability")


def plot_over_time(
    simulations: Simulation | Sequence[Simulation],
    size: Size | None = None,
    *,
    ax: Axes | None = None,
    labels: Sequence[str] | None = None,
) -> Figure:
    """Draw regret and instability over the rounds, with bands that are their intervals, moment by moment.

    Several simulations, played with `at=`, are drawn into the same panels; each instance has a row of its own.

    Args:
        simulations: one or several.
        size: width and height of the figure in inches.
        ax: refused, since there are two panels or more.
        labels: what each simulation is called; what differs between them unless given: policies and their parameters,
            how late rewards came, seeds, runs.

    >>> import steadyarm as sa
    >>> policies = [sa.MOSS(n_arms=2, horizon=2000), sa.SLEUCB(n_arms=2, horizon=2000, constants="sharp")]
    >>> figure = sa.plot_over_time([sa.simulate(one, sa.equal_gap(2, gap=0.5), runs=50, at=20) for one in policies])
    >>> [axes.get_ylabel() for axes in figure.axes]
    ['regret up to the round', "instability: largest sd of an arm's pulls"]
    """
    from steadyarm.study.plotting.figure import figure_of, panels
    from steadyarm.study.plotting.fit import legend_below

    several = _checked(simulations)
    rows = _by_instance(several, labels)
    names = list(dict.fromkeys(label for group in rows.values() for label in group))
    with panels(ax, size, (11.0, 0.6 + 4.2 * len(rows)), len(rows), len(_PANELS)) as places:
        for (name, group), row in zip(rows.items(), zip(places[::2], places[1::2], strict=True), strict=True):
            for axes, quantity in zip(row, _PANELS, strict=True):
                _draw_panel(axes, group, quantity, names)
            row[0].set_title(_title(name, list(group.values())))
        if any(len(group) > 1 for group in rows.values()):
            drawn = [axes.get_legend_handles_labels() for axes in places]
            handles = {label: handle for pair in drawn for handle, label in zip(*pair, strict=True)}
            legend_below(figure_of(places[0]), [handles[name] for name in names], names, letter_size(10.0))
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
            for name, group in _by_instance(several, None).items()
            for label, one in group.items()
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


def _by_instance(
    simulations: list[Simulation], labels: Sequence[str] | None
) -> dict[str, dict[str, Simulation]]:
    """Return the simulations of each instance by their labels."""
    instances = list(dict.fromkeys(each.instance for each in simulations))
    groups: dict[str, dict[str, Simulation]] = {}
    for name, instance in zip(instance_labels(instances), instances, strict=True):
        places = [place for place, each in enumerate(simulations) if each.instance == instance]
        group = [simulations[place] for place in places]
        named = _labels(group) if labels is None else _own_labels(labels, len(simulations), places)
        groups[name] = dict(zip(named, group, strict=True))
    return groups


def _labels(group: list[Simulation]) -> list[str]:
    """Return the policies' labels, with what tells simulations of one policy apart behind them."""
    policies = list(dict.fromkeys(each.policy for each in group))
    titles = dict(zip(policies, policy_labels(policies), strict=True))
    labels = [titles[one.policy] for one in group]
    for say in _ASPECTS:
        several: dict[str, set[str]] = {}
        for label, one in zip(labels, group, strict=True):
            several.setdefault(label, set()).add(say(one))
        labels = [
            f"{label}, {say(one)}" if len(several[label]) > 1 else label
            for label, one in zip(labels, group, strict=True)
        ]
    return numbered(labels)


def _own_labels(labels: Sequence[str], number: int, places: list[int]) -> list[str]:
    if isinstance(labels, str) or not all(isinstance(each, str) for each in labels):
        raise InvalidType(f"labels must be a list of words, one for each simulation; got {labels!r}.")
    own = [labels[place] for place in places] if len(labels) == number else []
    if len(set(own)) != len(places):
        raise InvalidInput(
            f"labels must be one for each of {counted(number, 'simulation')}, and differ on one instance; got "
            f"{list(labels)!r}."
        )
    return own


def _told(simulation: Simulation) -> str:
    return "told at once" if simulation.feedback.at_once else str(simulation.feedback)


_ASPECTS: tuple[Callable[[Simulation], str], ...] = (  # what may differ between simulations of one policy
    _told,
    lambda one: f"seed {one.seed}",
    lambda one: counted(one.runs, "run"),
    lambda one: f"from run {one.first_run:,} on",
    lambda one: f"{one.engine} engine",
    lambda one: f"{100 * one.level:.6g}% intervals",
)


def _title(name: str, group: list[Simulation]) -> str:
    played = [each.runs for each in group]
    runs = counted(played[0], "run") if len(set(played)) == 1 else f"{min(played):,} to {max(played):,} runs"
    titles = {each.policy.title for each in group}
    who = (
        titles.pop()
        if len(titles) == 1
        else counted(len({each.policy for each in group}), "policy", "policies")
    )
    late = {_told(each) for each in group}
    told = "" if len(late) > 1 or group[0].feedback.at_once else f", rewards told {late.pop()}"
    return f"{who} on {name}, {runs}{told}"


def _name(quantity: str, instance: Instance) -> str:
    """Return what stands on the axis of a quantity."""
    if quantity == "regret":
        return f"{instance.kind_of_regret} up to the round"
    return "instability: largest sd of an arm's pulls"


def _draw_panel(axes: Axes, group: dict[str, Simulation], quantity: str, names: list[str]) -> None:
    """Draw a quantity of the simulations of one instance; who has a name looks alike in all panels."""
    estimates = {
        label: each.regret_at if quantity == "regret" else each.instability_at
        for label, each in group.items()
    }
    seen = [one.value for several in estimates.values() for one in several if one.value > 0.0]
    floor = min(seen, default=1.0) / 4.0  # a band that reaches down to 0 leaves a logarithmic axis
    for label, simulation in group.items():
        several, style = estimates[label], look(names.index(label), every=0.15)
        colour = style["color"]
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
            label=label,
            **(style if len(names) > 1 or alone else {"color": colour}),
        )
    axes.set(xscale="log", xlabel="round", ylabel=_name(quantity, next(iter(group.values())).instance))
    label_axis(axes.xaxis)
    if seen:
        axes.set_yscale("log")
        label_axis(axes.yaxis)
    else:
        axes.set_ylim(0.0, 1.0)
