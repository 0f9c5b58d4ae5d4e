"""The option that lets means move with the rounds, and the instance that it makes of one whose means stay."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from steadyarm.cli.options.common import numbers, whole_number
from steadyarm.cli.options.instance import InstanceOptions

if TYPE_CHECKING:
    from steadyarm.model import Instance

_FORMS = (
    "step:0,0.1:5000 for these means after round 5,000; linear:0,0.1 for a straight line to these means that takes the "
    "whole horizon, or linear:0,0.1:5000 for one of 5,000 rounds; seasonal:0.1,-0.1:2000 for swings around the means, "
    "like a sine with a period of 2,000 rounds"
)


class Movement(NamedTuple):
    """What `--drift` says: which way the means move, a number for each arm, and a number of rounds."""

    kind: str
    values: list[float]
    rounds: int | None


def movement(text: str) -> Movement:
    """Read how the means move.

    >>> movement("step:0,0.1:5e3")
    Movement(kind='step', values=[0.0, 0.1], rounds=5000)
    """
    kind, *rest = text.split(":")
    needed = {"step": (2,), "linear": (1, 2), "seasonal": (2,)}.get(kind, ())
    try:
        if len(rest) in needed:
            rounds = whole_number(rest[1]) if len(rest) > 1 else None
            if rounds is None or rounds > 0:
                return Movement(kind, numbers(rest[0], "--drift", "0,0.1"), rounds)
    except typer.BadParameter:
        pass
    raise typer.BadParameter(f"{text!r} is not a drift. Write {_FORMS}.")


Drift = Annotated[
    Any,
    typer.Option(
        "--drift",
        help="Means that move, from those above: step:0,0.1:5000 (these after round 5000), linear:0,0.1 (there at the "
        "end), seasonal:0.1,-0.1:2000 (swings, and their period).",
        parser=movement,
        metavar="DRIFT",
        show_default=False,
    ),
]


@dataclass(frozen=True)
class MovingInstanceOptions(InstanceOptions):
    """Arms whose means may move."""

    drift: Drift = None

    def build_for(self, horizon: int) -> Instance:
        """Make the instance of a play of so many rounds."""
        still = self.build()
        return still if self.drift is None else _moving(still, self.drift, horizon)


def _moving(still: Instance, movement: Movement, horizon: int) -> Instance:
    """Return an instance whose means move from those of another one."""
    import steadyarm as sa
    from steadyarm.errors import InvalidInput

    kind, values, rounds = movement
    if len(values) != still.n_arms:
        raise InvalidInput(
            f"--drift must have a number for each of the {still.n_arms} arms; got {len(values)}. Say how many arms "
            "there are with --arms or --means."
        )
    rounds = horizon if rounds is None else rounds
    if kind == "step" and rounds >= horizon:
        raise InvalidInput(
            f"--drift must step before the last round, {horizon:,}; got a step after round {rounds:,}. "
            "Name an earlier one, or raise --horizon."
        )
    if kind == "step":
        drift = sa.Drift.step(still.means, values, after=rounds)
    elif kind == "linear":
        drift = sa.Drift.linear(still.means, values, rounds=rounds)
    else:
        drift = sa.Drift.seasonal(still.means, values, period=rounds, rounds=horizon)
    around = {name: value for name, value in still.to_dict().items() if name not in ("rewards", "means")}
    return sa.Instance.drifting(drift, still.rewards, **around)
