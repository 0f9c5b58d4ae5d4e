"""Checks in the background what loads have left unchecked behind their snapshots, a slice at a time."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING

from steadyarm.live.core.journal import Broken
from steadyarm.live.storage import failures
from steadyarm.live.storage.recovery import Prefix

if TYPE_CHECKING:
    from steadyarm.live.http.service import Service

SLICE = 500  # entries checked in one go
_IDLE_SECONDS = 0.2  # where there is nothing to check


async def check_behind_snapshots(service: Service) -> None:
    """Check what loads have left unchecked, for as long as the service runs; rests as long as it works."""
    while True:
        started = time.perf_counter()
        waiting = list(service.writer.memory.unchecked.items())
        for name, prefix in waiting:
            try:
                done = await service.lanes.loads.run(_slice, service, prefix)
            except Broken as broken:
                done = (await service.condemn(broken)).code == "damaged"
            except Exception as error:  # whatever it is, others are still to be checked
                failures.report("check_delayed", error, experiment=name)
                continue
            if done:
                service.writer.memory.checked(name, prefix)
        await asyncio.sleep(time.perf_counter() - started if waiting else _IDLE_SECONDS)


def _slice(service: Service, prefix: Prefix) -> bool:
    with service.store.read() as connection:
        return prefix.check(connection, SLICE)
