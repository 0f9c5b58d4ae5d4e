"""The fast path: allocations and rewards go to the writer before the framework's routing sees the request.

HTTP, not the store, limits how many units a second get an arm, and most of what a request costs is the framework's own
work on it: to route it, to bind its parameters, to make a response. `benchmarks/live.py` measures what is left. The
routes of `routes/units.py` make the same commands by the same functions, so both ways give the same answers; which one
is taken is a matter of speed.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import unquote

from steadyarm.live.core.commands.commands import Command
from steadyarm.live.core.commands.unit_commands import Allocate, Report, ReportMany
from steadyarm.live.core.names import check_name, check_unit
from steadyarm.live.core.problems import Problem
from steadyarm.live.http import schemas
from steadyarm.live.http.authentication import require
from steadyarm.live.http.bodies import parse_as
from steadyarm.live.storage.tokens import Token

_PATH = re.compile(r"/v1/experiments/([^/]+)/(?:allocations(?:/([^/]+)(/reward)?)?|(rewards))")
_SLASH = "\x1f"  # stands for a slash in a name, and can be in none


def path_of(scope: Mapping[str, Any]) -> str:
    """Return the path of a request, in which a slash parts names; one within a name (%2F) is none, see `unit_of`."""
    raw: bytes = scope.get("raw_path") or b""
    asked: bytes = scope.get("query_string") or b""
    if b"%" not in raw and b"%" not in asked:
        return str(scope["path"])
    try:
        unquote(asked.decode("ascii"), errors="strict")
        parts = [unquote(part, errors="strict") for part in raw.decode("ascii").split("/")]
    except UnicodeDecodeError:
        rule = "an address must be UTF-8, percent-encoded; this one is not. Encode each name by itself."
        raise Problem("malformed", rule) from None
    if any(_SLASH in part for part in parts):
        raise Problem(
            "malformed", "no name in an address may have a control character; this one has %1F. Rename it."
        )
    return "/".join(part.replace("/", _SLASH) for part in parts)


def name_of(part: str) -> str:
    """Return what a part of a path names: an arm, or a flag, with its slashes."""
    return part.replace(_SLASH, "/")


def experiment_of(part: str) -> str:
    """Return the experiment that a part of a path names."""
    return check_name(name_of(part))


def unit_of(part: str) -> str:
    """Return the unit that a part of a path names."""
    return check_unit(name_of(part))


def fast_path_command(method: str, path: str, token: Token | None, body: bytes) -> Command | None:
    """Return the command that a request asks for; None if it is not one of the busy ones."""
    match = _PATH.fullmatch(path)
    if match is None:
        return None
    experiment, unit, reward, rewards = match.groups()
    if method == "PUT" and reward is not None:
        return report(token, experiment, unit, body)
    if method == "PUT" and unit is not None:
        return allocate(token, experiment, unit, body)
    if method == "POST" and unit is None:
        return (allocate_many if rewards is None else report_many)(token, experiment, body)
    return None


def allocate(token: Token | None, experiment: str, unit: str, body: bytes) -> Command:
    """Return the command that gives a unit its arm; a body may name its stratum."""
    require(token, "allocate")
    stratum = (parse_as(schemas.Stratum, body).stratum or "") if body else ""
    return Allocate(experiment_of(experiment), (unit_of(unit),), True, _actor(token), stratum)


def allocate_many(token: Token | None, experiment: str, body: bytes) -> Command:
    """Return the command that gives units their arms, all of them or none."""
    require(token, "allocate")
    experiment = experiment_of(experiment)
    given = parse_as(schemas.Units, body)
    return Allocate(experiment, tuple(given.units), False, _actor(token), given.stratum or "")


def report(token: Token | None, experiment: str, unit: str, body: bytes) -> Command:
    """Return the command that takes in a unit's reward."""
    require(token, "report")
    experiment = experiment_of(experiment)
    return Report(experiment, (unit_of(unit),), parse_as(schemas.Reward, body).reward, _actor(token))


def report_many(token: Token | None, experiment: str, body: bytes) -> Command:
    """Return the command that takes in the rewards of units, all of them or none."""
    require(token, "report")
    experiment = experiment_of(experiment)
    given = parse_as(schemas.UnitRewards, body).rewards
    units, rewards = tuple(each.unit for each in given), tuple(each.reward for each in given)
    return ReportMany(experiment, units, rewards, _actor(token))


def _actor(token: Token | None) -> str | None:
    return None if token is None else token.actor
