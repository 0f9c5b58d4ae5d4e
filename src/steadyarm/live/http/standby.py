"""A hot standby: a second server that waits for the lock of a PostgreSQL store, and serves as soon as it has it."""

from __future__ import annotations

import asyncio
import os
import signal
import time
from typing import TYPE_CHECKING

from steadyarm.errors import InvalidInput
from steadyarm.live.core.logs import log
from steadyarm.live.core.problems import Problem
from steadyarm.live.storage import failures
from steadyarm.live.storage.locks import StoreLocked
from steadyarm.live.storage.store import Store

if TYPE_CHECKING:
    from steadyarm.live.http.service import Service

RETRY_AFTER_SECONDS = 0.5  # where the database cannot be reached
HEALTH = "/healthz"


def check_can_wait(store: Store) -> None:
    """Refuse to be a standby where there is nothing to wait for."""
    if store.kind != "postgresql":
        raise InvalidInput(
            f"--standby needs a PostgreSQL store; got {store}. A SQLite store belongs to one machine: let a service "
            "manager start its server again (docs/deployment.md)."
        )


def refusal() -> Problem:
    """Return the answer to whoever asks a standby."""
    return Problem(
        "standby",
        "this server is a standby, and another one has the store. Ask that one; this one takes over when it is gone.",
    )


async def take_over(service: Service) -> None:
    """Wait until the store is free, and take it; what cannot pass by itself stops the server."""
    begun = time.monotonic()
    log("info", "standby", database=str(service.store))
    reachable = True
    while not service.active:
        opening = asyncio.ensure_future(asyncio.to_thread(service.open))
        try:
            await asyncio.shield(opening)
            log("info", "took_over", waited=round(time.monotonic() - begun, 1))
        except asyncio.CancelledError:  # the server stops; if it has the store by now, it gives it back
            await asyncio.wait([opening])
            raise
        except StoreLocked:
            reachable = True
        except Exception as error:
            if not failures.of_the_store(error):
                service.failed = error  # `serve` raises it when the server has stopped
                os.kill(os.getpid(), signal.SIGTERM)
                return
            if reachable:  # said once, not twice a second
                failures.report("store_failed", error)
            reachable = False
            await asyncio.sleep(RETRY_AFTER_SECONDS)
