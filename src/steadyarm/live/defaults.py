"""Units that a client served a default arm while the service was away, until the service knows of them."""

from __future__ import annotations

import threading
import warnings
from itertools import islice
from typing import Any

from steadyarm.live.attempts import PASSING, LiveError, NoAnswer
from steadyarm.live.calls import Default, Script, default_call
from steadyarm.words import counted

MOST = 100_000  # units that wait in memory; beyond them a call fails rather than go unrecorded
_BATCH = 1000
_PART = 0.5  # of a call's patience, for what is still to be told before it


def is_away(error: NoAnswer | LiveError) -> bool:
    """Whether nobody could serve, so that a default applies; a refusal is an answer, and damage does not pass.

    >>> is_away(LiveError(503, {"code": "standby"})), is_away(LiveError(409, {"code": "not_running"}))
    (True, False)
    """
    return isinstance(error, NoAnswer) or (error.status in PASSING and error.code != "damaged")


class Unrecorded:
    """What is still to be told, by experiment; `refused` has what the service would not take, each with why.

    It lives in memory: what a process has not told when it dies is lost.
    """

    def __init__(self) -> None:
        self.refused: list[dict[str, Any]] = []
        self._arms: dict[str, dict[str, str]] = {}
        self._lock = threading.Lock()

    def __len__(self) -> int:
        return sum(map(len, self._arms.values()))

    def serve(self, default: Default) -> dict[str, Any]:
        """Remember a default, and return the answer that it makes up for; a unit keeps the first one."""
        with self._lock:
            arms = self._arms.setdefault(default.experiment, {})
            if default.unit not in arms and len(self) >= MOST:
                raise NoAnswer(
                    f"{MOST:,} units were served a default and could not be recorded yet; unit {default.unit!r} would "
                    "be one too many. Have the service come back, or count these units yourself."
                )
            arm = arms.setdefault(default.unit, default.arm)
        return {"unit": default.unit, "arm": arm, "round": 0, "seq": 0}

    def script(self, patience: float) -> Script:
        """Tell the service, a batch at a time; raises what keeps it from listening."""
        while (batch := self._next()) is not None:
            experiment, arms = batch
            try:
                yield default_call(experiment, arms)._replace(patience=patience * _PART)
            except LiveError as error:
                if is_away(error):
                    raise
                arms = self._refuse(experiment, arms, error)
            self._forget(experiment, arms)

    def warn(self) -> None:
        """Warn that there are some left, when nobody is going to tell them any more."""
        if self:
            said = (
                f"{counted(len(self), 'unit')} served a default could not be recorded: the service is away."
            )
            warnings.warn(said, RuntimeWarning, stacklevel=3)

    def _next(self) -> tuple[str, dict[str, str]] | None:
        with self._lock:
            for experiment, arms in self._arms.items():
                if arms:
                    return experiment, dict(islice(arms.items(), _BATCH))
        return None

    def _refuse(self, experiment: str, arms: dict[str, str], error: LiveError) -> dict[str, str]:
        """Keep why units were refused; returns those. Without a list it is all of them."""
        named = {each["unit"]: each for each in error.problem.get("errors", ())}
        of_all = {"code": error.code, "detail": str(error)}
        refused = {unit: arm for unit, arm in arms.items() if unit in named} or arms
        for unit, arm in refused.items():
            why = {name: named.get(unit, of_all)[name] for name in ("code", "detail")}
            self.refused.append({"experiment": experiment, "unit": unit, "arm": arm, **why})
        return refused

    def _forget(self, experiment: str, arms: dict[str, str]) -> None:
        with self._lock:
            for unit in arms:
                self._arms[experiment].pop(unit, None)
