"""The picture of a simulation: how many pulls each arm got, run by run."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from steadyarm.engines.result import Simulation
from steadyarm.study.plotting.over_time import over_time_table, plot_over_time
from steadyarm.study.plotting.style import COLOURS, save_figure
from steadyarm.study.runs.keys import own_version
from steadyarm.study.runs.tables import save_table
from steadyarm.words import counted

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from steadyarm.study.plotting.figure import Size

_MOST_ARMS = 12
_MOST_BINS = 100
_ROOM = 0.27  # inches of the height for the words beside an arm


def plot_counts(simulation: Simulation, ax: Axes | None = None, size: Size | None = None) -> Figure:
    """Draw how far each arm's pull count strays from its average, over the runs.

    >>> import steadyarm as sa
    >>> policy = sa.SLEUCB(n_arms=2, horizon=500, constants="sharp")
    >>> figure = sa.plot_counts(sa.simulate(policy, sa.equal_gap(2, gap=1.0), runs=50))
    >>> figure.axes[0].get_xlabel()
    'pulls of the arm in one run, above or below its average over 50 runs'
    """
    from steadyarm.study.plotting.figure import figure_of, panels

    arms = _arms_to_show(simulation)
    spread = simulation.instability.value
    least = (1.5, max(1.0, _ROOM * len(arms)))
    with panels(ax, size, (8.0, 1.6 + 0.75 * len(arms)), least=least) as [axes]:
        for row, arm in enumerate(arms):
            _draw_arm(axes, simulation, arm, row)
        axes.set_yticks(range(len(arms)), [_label(simulation, arm) for arm in arms])
        axes.set_ylim(len(arms) - 0.7, -0.85)
        axes.set_xlabel(
            f"pulls of the arm in one run, above or below its average over {counted(simulation.runs, 'run')}"
        )
        axes.xaxis.set_major_formatter(lambda pulls, _place: f"{pulls:+,.0f}" if pulls else "0")
        axes.grid(visible=False, axis="y")
        axes.spines["left"].set_visible(False)
        axes.tick_params(axis="y", length=0)
        left_out = simulation.instance.n_arms - len(arms)
        rounds = f"{simulation.policy.horizon:,} rounds"
        rounds += f" ({counted(left_out, 'steadier arm')} not shown)" if left_out else ""
        axes.set_title(
            f"{simulation.policy.title}: one run of {rounds}"
            if simulation.runs == 1
            else f"{simulation.policy.title}: an arm's pulls stray by {spread:,.0f} from run to run,\n"
            f"{spread / simulation.policy.horizon:.2%} of {rounds}"
        )
    return figure_of(axes)


def save_simulation(simulation: Simulation, folder: str | Path) -> list[Path]:
    """Write the picture, the counts of every run and a description of what was run into a folder.

    Counts on the way, where they were noted, add the table and the picture of regret and instability over time.
    """
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    counts, description = folder / "counts.csv", folder / "simulation.json"
    header = ",".join(f"arm_{arm}" for arm in range(simulation.instance.n_arms))
    np.savetxt(counts, simulation.counts, fmt="%d", delimiter=",", header=header, comments="")
    said = {"steadyarm": own_version()} | simulation.to_dict()
    description.write_text(json.dumps(said, indent=2) + "\n", encoding="utf-8")
    written = [counts, description, *save_figure(plot_counts(simulation), folder, "counts")]
    if len(simulation.at):
        written += save_table(over_time_table(simulation), folder, "over_time")
        if simulation.runs > 1:
            written += save_figure(plot_over_time(simulation), folder, "over_time")
    return written


def _arms_to_show(simulation: Simulation) -> list[int]:
    """Return all arms, or the best and the most unstable of many."""
    if simulation.instance.n_arms <= _MOST_ARMS:
        return list(range(simulation.instance.n_arms))
    best = simulation.instance.ever_best.index(True)
    unstable = np.argsort(-np.nan_to_num(simulation.sd), kind="stable")
    others = [int(arm) for arm in unstable if arm != best][: _MOST_ARMS - 1]
    return [best, *sorted(others)]


def _label(simulation: Simulation, arm: int) -> str:
    mean, spread = simulation.mean_counts[arm], simulation.sd[arm]
    strays = f" ± {spread:,.0f}" if simulation.runs > 1 else ""
    return f"arm {arm}, mean reward {simulation.instance.mean_in_words(arm)}\n{mean:,.0f}{strays} pulls"


def _draw_arm(axes: Axes, simulation: Simulation, arm: int, row: int) -> None:
    strays = simulation.counts[:, arm] - simulation.mean_counts[arm]
    colour = COLOURS[0] if simulation.instance.ever_best[arm] else COLOURS[1]
    edges = np.histogram_bin_edges(strays, bins="fd" if np.ptp(strays) else 1)
    if len(edges) > _MOST_BINS:
        edges = np.linspace(strays.min(), strays.max(), _MOST_BINS)
    heights, edges = np.histogram(strays, bins=edges)
    axes.stairs(row - 0.75 * heights / heights.max(), edges, baseline=row, fill=True, color=colour, alpha=0.4)
    spread = np.nan_to_num(simulation.sd[arm])
    axes.plot([-spread, spread], [row, row], color=colour, linewidth=3.0, solid_capstyle="butt")
