"""`plot_paths`: the same experiment repeated a few times under each policy, which shows instability at a glance."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from steadyarm.engines.progress import Report, part, progress_bar
from steadyarm.model import checks
from steadyarm.model.instance import Instance
from steadyarm.numerics.arrays import Floats, Integers
from steadyarm.policies.core.policy import Policy
from steadyarm.study.path import check_length, play_run
from steadyarm.study.plotting.style import COLOURS
from steadyarm.study.runs.resolve_policies import policy_labels, records
from steadyarm.words import counted, span

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from steadyarm.study.plotting.figure import Size

_MOST_POINTS = 1000  # of a line
_PANEL = (4.8, 4.0)  # inches


class Shares(NamedTuple):
    """An arm's share of the rounds, repetition by repetition."""

    rounds: Integers
    values: Floats


def plot_paths(
    policies: str | Policy | Sequence[str | Policy],
    instance: Instance,
    *,
    horizon: int | None = None,
    repetitions: int = 10,
    arm: int | None = None,
    seed: int = 0,
    outside_class: bool = False,
    progress: bool | Report | None = None,
    ax: Axes | None = None,
    size: Size | None = None,
) -> Figure:
    """Draw one arm's share of the rounds as they go by, a line for each repetition and a panel for each policy.

    All policies meet the same rewards: repetition r is run r of `simulate(…, seed=seed)`.

    Args:
        policies: records, or names from `all_policies()`; or one of them.
        instance: what the arms give.
        horizon: the number of rounds of policies given by name; that of the records unless given.
        repetitions: how many runs of each policy.
        arm: whose share; that of the first best arm unless given.
        seed: names the reward table.
        outside_class: play even an instance that lies outside a policy's class (M, σ).
        progress: True or False for a bar, a function of the finished share, or None: a bar on a terminal.
        ax: axes to draw into, if there is one policy.
        size: width and height of the figure in inches.

    >>> import steadyarm as sa
    >>> steady = sa.Steady(n_arms=2, horizon=300, spread=15.0)
    >>> figure = sa.plot_paths(["MOSS", steady], sa.equal_arms(2), repetitions=5)
    >>> [len(axes.lines) for axes in figure.axes]
    [5, 5]
    """
    from steadyarm.study.plotting.figure import figure_of, panels

    asked = [policies] if isinstance(policies, str | Policy) else policies
    players = records(asked, instance, horizon, outside_class)
    repetitions = checks.integer(repetitions, "repetitions", at_least=1, at_most=1000)
    seed = checks.seed(seed)
    if arm is None:
        arm = instance.ever_best.index(True)
    arm = checks.integer(
        arm, "arm", at_least=0, at_most=instance.n_arms - 1, remedy="Arms are numbered from 0."
    )
    for policy in players:
        check_length(policy)
    width, height = _PANEL
    with (
        panels(ax, size, (width * len(players), height), columns=len(players), sharey=True) as drawn,
        progress_bar(progress, counted(len(players), "policy", "policies")) as report,
    ):
        for place, (policy, label) in enumerate(zip(players, policy_labels(players), strict=True)):
            own = part(report, place / len(players), (place + 1) / len(players))
            shares = _shares(policy, instance, seed, repetitions, arm, own)
            _draw(drawn[place], label, arm, shares, COLOURS[(place + 1) % len(COLOURS)])
        drawn[0].set_ylabel(f"share of the rounds so far for arm {arm}")
        drawn[0].yaxis.set_major_formatter(lambda share, _place: f"{share:.0%}")
    return figure_of(drawn[0])


def _shares(
    policy: Policy, instance: Instance, seed: int, repetitions: int, arm: int, report: Report
) -> Shares:
    """Return an arm's share of the rounds up to some of them, one row a repetition."""
    rounds = np.unique(np.linspace(1, policy.horizon, _MOST_POINTS).astype(np.int64))
    shares = np.empty((repetitions, len(rounds)))
    for run in range(repetitions):
        own = part(report, run / repetitions, (run + 1) / repetitions)
        arms, _ = play_run(policy, instance, seed, run, own)
        shares[run] = np.cumsum(arms == arm)[rounds - 1] / rounds
    return Shares(rounds, shares)


def _draw(axes: Axes, label: str, arm: int, shares: Shares, colour: str) -> None:
    from steadyarm.study.plotting.fit import title

    for line in shares.values:
        axes.plot(shares.rounds, line, color=colour, linewidth=1.1, alpha=0.75)
    last = shares.values[:, -1]
    ends = span(f"{last.min():.0%}", f"{last.max():.0%}")
    horizon = int(shares.rounds[-1])
    axes.set_ylim(-0.02, 1.02)
    axes.set_xlim(1, horizon)
    axes.set_xlabel("round")
    axes.xaxis.set_major_formatter(lambda value, _place: f"{value:,.0f}")
    title(axes, f"{label}: {counted(len(last), 'repetition')} give arm {arm} {ends} of the rounds")
