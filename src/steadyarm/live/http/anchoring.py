"""Sends anchors every so often, for as long as the service runs; nobody waits for it.

What is to be sent is not queued: it follows from the heads of the store and the receipts of what was sent. So a target
that was away for a week gets the newest head of each experiment, which stands for all before it, and a restart changes
nothing.
"""

from __future__ import annotations

import asyncio
import time
from concurrent.futures import Future
from dataclasses import dataclass
from threading import Thread
from typing import TYPE_CHECKING, Any

from prometheus_client import Gauge

from steadyarm.live.core.anchors import Anchor
from steadyarm.live.core.journal import moment, now
from steadyarm.live.core.logs import log
from steadyarm.live.storage import queries
from steadyarm.live.storage.anchor_table import AnchorTable
from steadyarm.live.storage.anchor_targets import TIMEOUT_SECONDS, Target, targets_of
from steadyarm.live.storage.keys import key_path, load_key

if TYPE_CHECKING:
    from steadyarm.live.http.service import Service

CHECK_EVERY_SECONDS = 1.0
FIRST_REST, LONGEST_REST = 1.0, 300.0  # seconds between two attempts at a target that fails

_NEW_KEY = (
    "Publish the new public key. If this store had a key before, stop the server and put that file back."
)

Head = tuple[str, int, str]
"""Experiment, entry, hash."""


@dataclass
class Sending:
    """A target and how it is going."""

    target: Target
    thread: Thread | None = None  # that sends; the service may end before it does
    sent: dict[str, tuple[int, str, float]] | None = None  # entry, hash and time, by experiment
    waiting: int = 0
    last_at: str | None = None
    failing_since: str | None = None
    error: str | None = None
    rest: float = 0.0
    again_at: float = 0.0  # on the clock that never goes back; before it a target that fails is left alone

    def shown(self) -> dict[str, Any]:
        """Return what may be shown of it."""
        return {
            "target": self.target.name,
            "waiting": self.waiting,
            "last_at": self.last_at,
            "failing_since": self.failing_since,
            "error": self.error,
        }


class Anchoring:
    """The key, the receipts and the targets of a service; without a target there is nothing to do."""

    def __init__(self, service: Service) -> None:
        self._service = service
        settings = service.settings
        self.key = None
        path = key_path(service.store, settings.anchor_key)
        self.sendings = [Sending(each) for each in targets_of(settings.anchors, service.store, path)]
        if self.sendings:
            made = not path.exists()
            self.key = load_key(path)
            if made:
                log("warning", "anchor_key_made", key=self.key.id, path=str(path), advice=_NEW_KEY)
        self._receipts = AnchorTable.receipts(service.store)
        self._waiting = self._gauge("waiting", "Experiments whose head is to be sent")
        self._failing = self._gauge("failing", "Whether the last attempt has failed")
        self._last = self._gauge("last_timestamp_seconds", "When an anchor was last sent")

    def _gauge(self, name: str, meaning: str) -> Gauge:
        registry = self._service.metrics.registry
        return Gauge(f"steadyarm_anchor_{name}", meaning, ["target"], registry=registry)

    def shown(self) -> dict[str, Any]:
        """Return the public key and how each target is doing."""
        return {
            "key": None if self.key is None else self.key.id,
            "public_key": None if self.key is None else self.key.public,
            "targets": [each.shown() for each in self.sendings],
        }

    def close(self) -> None:
        """End it; what was not sent is sent after the next start."""
        self._receipts.close()

    async def watch(self) -> None:
        """Send to all targets, each at its own pace."""
        await asyncio.gather(*(self._watch(each) for each in self.sendings))

    async def _watch(self, sending: Sending) -> None:
        while True:
            try:
                await self.check(sending)
            except Exception as error:  # the store or the receipts: tried again, as a target is
                self._failed(sending, error)
            self._tell(sending)
            await asyncio.sleep(CHECK_EVERY_SECONDS)

    async def check(self, sending: Sending) -> None:
        """Count what is due to one target, and send it until that fails; one that has failed has a rest first."""
        run, name = self._service.lanes.look_ups.run, sending.target.name
        heads = await run(self._heads)
        if sending.sent is None:
            sending.waiting = len(heads)  # as far as one can know without the receipts
            known = await run(self._receipts.newest, name)
            sending.sent = {each: (seq, hash_, 0.0) for each, (seq, hash_, _) in known.items()}
            sending.last_at = max((at for _, _, at in known.values()), default=None)
        due = self._due(heads, sending.sent)
        sending.waiting = len(due)
        if time.monotonic() < sending.again_at:
            return
        for experiment, seq, hash_ in due:
            assert self.key is not None
            at = now()
            text, anchor = (
                self.key.anchor(experiment, seq, hash_, at),
                Anchor(experiment, seq, hash_, at, self.key.id),
            )
            try:
                answer = await asyncio.wait_for(self._sent(sending, anchor, text), 1.5 * TIMEOUT_SECONDS)
            except Exception as error:  # whatever a place of the user's choice may do
                self._failed(sending, error)
                return
            await run(self._receipts.add, anchor, text, name, answer)
            sending.sent[experiment] = (seq, hash_, time.monotonic())
            sending.last_at, sending.waiting = at, sending.waiting - 1
            sending.failing_since, sending.error, sending.rest = None, None, 0.0

    async def _sent(self, sending: Sending, anchor: Anchor, text: str) -> str:
        if sending.thread is not None and sending.thread.is_alive():
            raise TimeoutError  # one attempt at a time
        done: Future[str] = Future()
        done.set_running_or_notify_cancel()

        def send() -> None:
            try:
                done.set_result(sending.target.send(anchor, text))
            except BaseException as error:
                done.set_exception(error)

        sending.thread = Thread(target=send, name="steadyarm-anchor", daemon=True)
        sending.thread.start()
        return await asyncio.wrap_future(done)

    def _heads(self) -> list[Head]:
        with self._service.store.read() as connection:
            return [(name, seq, hash_) for _, name, seq, hash_ in queries.names(connection)]

    def _due(self, heads: list[Head], sent: dict[str, tuple[int, str, float]]) -> list[Head]:
        """Return the heads that have grown by enough entries, or for long enough; after a start all that have grown.

        One that is another than was sent, and no later, comes from a restored store; it is anchored at once.
        """
        settings, time_ = self._service.settings, time.monotonic()
        found = []
        for head in heads:
            seq, hash_, since = sent.get(head[0], (0, "", 0.0))
            if head[1:] != (seq, hash_) and (
                not 0 < head[1] - seq < settings.anchor_entries
                or not since
                or time_ - since >= 60.0 * settings.anchor_minutes
            ):
                found.append(head)
        return found

    def _failed(self, sending: Sending, error: Exception) -> None:
        reason = str(error).partition("\n")[0] or type(error).__name__
        if sending.failing_since is None:
            sending.failing_since = now()
            log(
                "error",
                "anchor_failed",
                target=sending.target.name,
                error=type(error).__name__,
                reason=reason,
            )
        sending.error = f"{type(error).__name__}: {reason}"[:300]
        sending.rest = min(LONGEST_REST, max(FIRST_REST, 2.0 * sending.rest))
        sending.again_at = time.monotonic() + sending.rest

    def _tell(self, sending: Sending) -> None:
        name = sending.target.name
        self._waiting.labels(name).set(sending.waiting)
        self._failing.labels(name).set(sending.failing_since is not None)
        if sending.last_at is not None:
            self._last.labels(name).set(moment(sending.last_at))
