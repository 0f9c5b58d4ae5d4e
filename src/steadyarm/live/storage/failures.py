"""Exceptions that nobody raised on purpose: those of the database, which pass, and defects, which are shown.

A database that is full, gone or locked is a 503, and asking again helps. Anything else is a defect of the service:
a 500 whose trace stands in the log. Nothing is taken for the one that may be the other.
"""

from __future__ import annotations

import traceback
from typing import Any

from sqlalchemy import exc

from steadyarm.errors import SteadyarmError
from steadyarm.live.core.logs import log
from steadyarm.live.core.problems import Problem, internal, unavailable
from steadyarm.live.storage.locks import StoreLocked, StoreMoved

_OURS = (exc.ProgrammingError, exc.DataError, exc.IntegrityError, exc.NotSupportedError)  # a wrong statement


class StoreFailed(SteadyarmError):
    """The files or the database of a store cannot be had."""


def of_the_store(error: BaseException) -> bool:
    """Whether the database failed, and not we.

    >>> of_the_store(exc.OperationalError("INSERT", {}, Exception("disk is full")))
    True
    >>> of_the_store(exc.ProgrammingError("INSRT", {}, Exception("syntax error"))), of_the_store(TypeError())
    (False, False)
    """
    database = isinstance(error, exc.DBAPIError | exc.TimeoutError | exc.DisconnectionError)
    return isinstance(error, StoreLocked | StoreMoved | StoreFailed) or (
        database and not isinstance(error, _OURS)
    )


def answer_to(error: BaseException) -> Problem:
    """Return the answer to a request that met an exception."""
    if not of_the_store(error):
        return internal()
    if isinstance(error, StoreLocked):
        return unavailable("another server has taken the store")
    return unavailable("its file was moved or replaced" if isinstance(error, StoreMoved) else "")


def report(event: str, error: BaseException, **members: Any) -> Problem:
    """Log an exception, as `event` if the store failed and with its trace if it is a defect; returns the answer."""
    name = type(error).__name__
    if of_the_store(error):
        cause = error.orig if isinstance(error, exc.DBAPIError) and error.orig else error
        reason = str(cause).strip().partition("\n")[0]
        log("error", event, error=name, reason=reason, **members)
    else:
        log("error", "defect", error=name, trace="".join(traceback.format_exception(error)), **members)
    return answer_to(error)
