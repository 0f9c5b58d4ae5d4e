"""The fast path: allocations and rewards go to the writer before the framework's routing sees the request.

HTTP, not the store, limits how many units a second get an arm, and most of what a request costs is the framework's own
work on it: to route it, to bind its parameters, to make a response. `benchmarks/live.py` measures what is left. The
routes of `routes/units.py` make the same commands by the same functions, so both ways give the same answers; which one
is taken is a matter of speed.
"""

from __future__ import annotations

import re

from steadyarm.live.core.commands import Allocate, Command, Report
from steadyarm.live.core.names import check_name
from steadyarm.live.http import schemas
from steadyarm.live.http.authentication import require
from steadyarm.live.http.bodies import parse_as
from steadyarm.live.storage.tokens import Token

_PATH = re.compile(r"/v1/experiments/([^/]+)/allocations(?:/([^/]+)(/reward)?)?")


def fast_path_command(method: str, path: str, token: Token | None, body: bytes) -> Command | None:
    """Return the command that a request asks for; None if it is not one of the busy ones."""
    match = _PATH.fullmatch(path)
    if match is None:
        return None
    experiment, unit, reward = match.groups()
    if method == "PUT" and reward is not None:
        return report(token, experiment, unit, body)
    if method == "PUT" and unit is not None:
        return allocate(token, experiment, unit)
    if method == "POST" and unit is None:
        return allocate_many(token, experiment, body)
    return None


def allocate(token: Token | None, experiment: str, unit: str) -> Command:
    """Return the command that gives a unit its arm."""
    require(token, "allocate")
    return Allocate(check_name(experiment, "an experiment"), (check_name(unit, "a unit"),), True)


def allocate_many(token: Token | None, experiment: str, body: bytes) -> Command:
    """Return the command that gives units their arms, all of them or none."""
    require(token, "allocate")
    check_name(experiment, "an experiment")
    return Allocate(experiment, tuple(parse_as(schemas.Units, body).units), False)


def report(token: Token | None, experiment: str, unit: str, body: bytes) -> Command:
    """Return the command that takes in a unit's reward."""
    require(token, "report")
    check_name(experiment, "an experiment")
    given = parse_as(schemas.Reward, body)
    return Report(experiment, (check_name(unit, "a unit"),), given.reward)
