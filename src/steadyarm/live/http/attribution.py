"""Silence as an outcome: units whose time is over are found here, and the writer decides about them by entries.

When a unit is found does not matter for what is true afterwards: the entry that counts its silence says when it was
written, and a replay goes by that entry and by no clock.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from typing import TYPE_CHECKING, NamedTuple

from steadyarm.live.core.commands.unit_commands import Lapse
from steadyarm.live.core.journal import now, read
from steadyarm.live.core.problems import Problem
from steadyarm.live.core.setup.setup import Attribution
from steadyarm.live.storage import failures, queries
from steadyarm.live.storage.store import Store

if TYPE_CHECKING:
    from steadyarm.live.http.service import Service

CHECK_EVERY_SECONDS = 1.0


class Found(NamedTuple):
    """Units that are outstanding though their time is over, and the entry up to which there are no others."""

    units: tuple[str, ...]
    seq: int


def silent_units(store: Store, identity: int, name: str, window: Attribution, after: int, at: str) -> Found:
    """Look through a part of the journal after an entry, in the order of the allocations."""
    with store.read() as connection:
        queries.steady_view(connection)
        over = []
        for row in queries.rows(connection, identity, after):
            if row.kind in ("allocated", "held") and row.unit is not None:
                if not window.is_over(read(name, row)["at"], at):
                    break
                over.append(row.unit)
            after = row.seq
        known = queries.units(connection, identity, name, over) if over else {}
    return Found(tuple(unit for unit in over if known[unit].outcome is None), after)


class Silences:
    """Where each experiment with a window was looked through to."""

    def __init__(self, service: Service) -> None:
        self._service = service
        self._seen: dict[str, int] = {}

    async def watch(self) -> None:
        """Check them all again and again, for as long as the service runs."""
        woken = False
        while True:
            woken = woken or await self._tried(self._wake())
            for name in [*self._service.writer.memory.published]:
                await self._tried(self.check(name))
            await asyncio.sleep(CHECK_EVERY_SECONDS)

    async def _tried(self, work: Awaitable[None]) -> bool:
        """Return whether something could be done; what could not is tried again later."""
        try:
            await work
            return True
        except Problem:  # the store failed, or a journal is damaged: that was logged where it was found
            return False
        except Exception as error:
            failures.report("attribution_delayed", error)
            return False

    async def check(self, name: str) -> None:
        """Have the silence of an experiment's units counted, up to now."""
        service = self._service
        summary = service.writer.memory.published.get(name)
        window = None if summary is None else summary.setup.attribution
        if window is None:
            return
        identity, at = await service.identity(name), now()
        loaded = service.writer.memory.experiments.get(name)
        if loaded is not None:  # by the journal's own clock; the writer decides by it again
            at = loaded.clock.reading(at)
        while True:
            before = self._seen.get(name, 0)
            part = (service.store, identity, name, window, before, at)
            found = await service.reading(service.lanes.look_ups, silent_units, *part)
            if found.units:
                await service.write(Lapse(name, found.units))
            self._seen[name] = found.seq
            if found.seq == before:
                return

    async def _wake(self) -> None:
        """Bring the experiments with a window into memory, whether anybody asks for them or not."""

        def names() -> list[str]:
            with self._service.store.read() as connection:
                firsts = {
                    name: queries.rows(connection, identity, limit=1)
                    for identity, name, _, _ in queries.names(connection)
                }
            return [name for name, rows in firsts.items() if rows and '"attribution":' in rows[0].body]

        for name in await self._service.lanes.look_ups.run(names):
            try:
                await self._service.summary(name)
            except Problem as problem:
                if problem.code != "damaged":
                    raise
