"""Units that a client served a default arm while the service was away, until the service knows of them."""

from __future__ import annotations

import threading
import time
import warnings
from itertools import islice
from typing import Any

from steadyarm.live.attempts import PASSING, LiveError, NoAnswer
from steadyarm.live.calls import Default, Script, default_call
from steadyarm.live.core.units import MOST_IN_A_BATCH
from steadyarm.words import counted

MOST_UNRECORDED = 100_000  # units that wait in memory; beyond them a call fails rather than go unrecorded
# Refusals that a part of a batch may not meet.
_OF_SOME = ("invalid", "malformed", "too_large", "horizon_reached")
_OF_THE_CALLER = (401, 429)  # a token that is over, too many calls
SHARE_FOR_UNRECORDED = 0.5  # of a call's patience, for what is still to be told before it


def is_away(error: NoAnswer | LiveError) -> bool:
    """Whether nobody could serve, so that a default applies; a refusal is an answer, and damage does not pass.

    >>> is_away(LiveError(503, {"code": "standby"})), is_away(LiveError(409, {"code": "not_running"}))
    (True, False)
    """
    return isinstance(error, NoAnswer) or (error.status in PASSING and error.code != "damaged")


def is_verdict(error: LiveError) -> bool:
    """Whether a refusal is about what was told, and would be repeated; about the caller or the service, it may pass.

    >>> is_verdict(LiveError(422, {"code": "invalid"})), is_verdict(LiveError(401, {"code": "unauthorized"}))
    (True, False)
    """
    return (error.status < 500 and error.status not in _OF_THE_CALLER) or error.code == "damaged"


class Unrecorded:
    """What is still to be told, by experiment; `refused` has what the service would not take, each with why.

    It lives in memory: what a process has not told when it dies is lost.
    """

    def __init__(self) -> None:
        self.refused: list[dict[str, Any]] = []
        self._served: dict[str, dict[str, Default]] = {}
        self._lock = threading.Lock()

    def __len__(self) -> int:
        return sum(map(len, self._served.values()))

    def __contains__(self, default: Default) -> bool:
        """Whether the unit of a default was served one that is still to be told."""
        return default.unit in self._served.get(default.experiment, ())

    def serve(self, default: Default) -> dict[str, Any]:
        """Remember a default, and return the answer that it makes up for; a unit keeps the first one."""
        with self._lock:
            served = self._served.setdefault(default.experiment, {})
            if default.unit not in served and len(self) >= MOST_UNRECORDED:
                raise NoAnswer(
                    f"{MOST_UNRECORDED:,} units were served a default and could not be recorded yet; unit "
                    f"{default.unit!r} would be one too many. Bring the service back, or count these units yourself."
                )
            first = served.setdefault(default.unit, default)
        stratum = {} if first.stratum is None else {"stratum": first.stratum}
        return {"unit": first.unit, "arm": first.arm, "round": 0, "seq": 0} | stratum

    def script(self, seconds: float) -> Script:
        """Tell the service, a batch at a time, for so long; raises what keeps it from listening.

        A batch that is refused for one unit that it does not name, or for its size, is told in halves.
        """
        most, until = MOST_IN_A_BATCH, time.monotonic() + seconds
        while (batch := self._next(most)) is not None and (
            left := until - time.monotonic()
        ) > seconds / 4:  # less would not be enough for an answer
            experiment, served = batch
            try:
                yield default_call(experiment, served)._replace(patience=left)
            except LiveError as error:
                if not is_verdict(error):
                    raise
                if len(served) > 1 and error.code in _OF_SOME and not error.problem.get("errors"):
                    most = len(served) // 2
                    continue
                served = self._refuse(served, error)
            self._forget(served)
            most = min(2 * most, MOST_IN_A_BATCH)

    def warn(self) -> None:
        """Warn that there are some left, when nobody is going to tell them any more."""
        if self:
            said = (
                f"{counted(len(self), 'unit')} served a default could not be recorded: the service is away."
            )
            warnings.warn(said, RuntimeWarning, stacklevel=3)

    def _next(self, most: int) -> tuple[str, list[Default]] | None:
        with self._lock:
            for experiment, served in self._served.items():
                if served:
                    return experiment, list(islice(served.values(), most))
        return None

    def _refuse(self, served: list[Default], error: LiveError) -> list[Default]:
        """Keep why units were refused; returns those. Without a list it is all of them."""
        named = {each["unit"]: each for each in error.problem.get("errors", ())}
        of_all = {"code": error.code, "detail": str(error)}
        refused = [each for each in served if each.unit in named] or served
        for each in refused:
            why = {name: named.get(each.unit, of_all)[name] for name in ("code", "detail")}
            self.refused.append(each._asdict() | why)
        return refused

    def _forget(self, served: list[Default]) -> None:
        with self._lock:
            for each in served:
                self._served[each.experiment].pop(each.unit, None)
