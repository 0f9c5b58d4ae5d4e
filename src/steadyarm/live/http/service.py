"""The service: the store, its writer, tokens and streams in one process, and the app that speaks HTTP for them."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, nullcontext, suppress
from dataclasses import dataclass
from typing import Any, TypeVar

from fastapi import FastAPI

from steadyarm.defaults import ANCHOR_ENTRIES, ANCHOR_MINUTES
from steadyarm.live.analysis.history import Histories
from steadyarm.live.analysis.monitor import Monitor
from steadyarm.live.analysis.simulations import Simulator
from steadyarm.live.core.commands.commands import Answer, CheckWritable, Command, Condemn, LoadExperiment
from steadyarm.live.core.experiment import Summary
from steadyarm.live.core.journal import Broken
from steadyarm.live.core.logs import in_background, log
from steadyarm.live.core.problems import Problem, damaged, unavailable, unknown_experiment
from steadyarm.live.http import work
from steadyarm.live.http.anchoring import Anchoring
from steadyarm.live.http.asgi import Middleware
from steadyarm.live.http.attribution import Silences
from steadyarm.live.http.authentication import Authentication
from steadyarm.live.http.lanes import Lane, Lanes
from steadyarm.live.http.metrics import Metrics
from steadyarm.live.http.monitoring import watch_health
from steadyarm.live.http.snapshot_checks import check_behind_snapshots
from steadyarm.live.http.standby import check_can_wait, take_over
from steadyarm.live.http.streams import Hub
from steadyarm.live.storage import queries
from steadyarm.live.storage.recovery import Loaded, load
from steadyarm.live.storage.store import Store, default_url
from steadyarm.live.storage.tokens import Tokens
from steadyarm.live.storage.verification import verify_stored
from steadyarm.live.storage.writer import Result, Writer

WRITE_TIMEOUT_SECONDS = 15.0  # that a request waits for the writer
_SHORT_JOURNAL = 1000  # entries at most
_READY_SECONDS = 1.0  # after a commit, which shows that one can write


T = TypeVar("T")


@dataclass(frozen=True)
class Settings:
    """How a service is run.

    Attributes:
        database: a URL, sqlite:///file.db or postgresql://….
        open_planning: whether plans and simulations may be had without a token.
        standby: whether to wait for the store while another server has it (PostgreSQL).
        anchors: files, URLs and databases to which signed heads of the journals are sent.
        anchor_key: the file of the key that signs; by default beside the store.
        anchor_entries: a head is sent after so many more entries,
        anchor_minutes: or if it has changed, after so long.
    """

    database: str = ""
    open_planning: bool = False
    standby: bool = False
    anchors: tuple[str, ...] = ()
    anchor_key: str = ""
    anchor_entries: int = ANCHOR_ENTRIES
    anchor_minutes: float = ANCHOR_MINUTES


class Service:
    """What the routes work with; `active` once it has the store, `failed` if it never will."""

    active = False
    failed: Exception | None = None

    def __init__(self, settings: Settings, lanes: Lanes | None = None) -> None:
        self.settings = settings
        self.lanes = lanes or Lanes()
        self.store = Store(settings.database or default_url())
        if settings.standby:
            check_can_wait(self.store)
        self.tokens = Tokens(self.store)
        self.authentication = Authentication(self.tokens)
        self.metrics = Metrics()
        self.writer = Writer(self.store, self._deliver, self.metrics.committed)
        self.simulator = Simulator()
        self.histories = Histories(self.store)
        self.monitor = Monitor(self.store)
        self.anchoring = Anchoring(self)
        self.hub: Hub
        self._loop: asyncio.AbstractEventLoop | None = None
        self._loading: dict[str, asyncio.Future[None]] = {}
        self._waiting: deque[tuple[float, asyncio.Future[Result]]] = deque()

    def open(self) -> None:
        """Take the store; refuses if another server has it."""
        try:
            before, now = self.writer.open()
        except BaseException:
            self.store.close()
            raise
        if before != now:
            log("info", "migrated", database=str(self.store), before=before, now=now)
        self.writer.start()
        self.active = True

    def enter(self) -> None:
        """Bind to the running event loop."""
        self._loop = asyncio.get_running_loop()
        self.hub = Hub()

    def close(self) -> None:
        """Finish what waits and give the store back."""
        self.simulator.close()
        self.lanes.close()
        self.anchoring.close()
        self.writer.stop()
        self.authentication.close()
        self.tokens.close()
        self.store.close()

    async def write(self, command: Command) -> Answer:
        """Have the writer do something; returns after the commit, or raises the problem."""
        if command.experiment and not self.writer.memory.knows(command.experiment):
            await self._load(command.experiment)
        return await self._submit(command)

    async def _submit(self, command: Command) -> Answer:
        assert self._loop is not None
        future: asyncio.Future[Result] = self._loop.create_future()
        self.writer.submit(command, future)
        self._waiting.append((time.monotonic() + WRITE_TIMEOUT_SECONDS, future))
        result = await future
        if isinstance(result, Problem):
            raise result
        return result

    async def _load(self, name: str) -> None:
        """Replay a journal before the writer needs it, so that other experiments do not wait meanwhile."""
        loading = self._loading.get(name)
        if loading is None:
            loading = self._loading[name] = asyncio.ensure_future(self._hand_over(name))
            loading.add_done_callback(lambda _: self._loading.pop(name))
        await asyncio.shield(loading)

    async def _hand_over(self, name: str) -> None:
        def loaded() -> Loaded | None:
            with self.store.read() as connection:
                queries.steady_view(connection)
                return load(connection, name)

        with suppress(Broken):  # the writer will find it, and say so
            found = await self.lanes.loads.run(loaded)
            if found is not None:
                await self._submit(LoadExperiment(name, found))

    async def watch(self) -> None:
        """Give up on what waits too long; one look a second costs less than a timer for every request."""
        while True:
            await asyncio.sleep(1.0)
            late = unavailable(f"no answer from it in {WRITE_TIMEOUT_SECONDS:g} seconds")
            while self._waiting and (self._waiting[0][1].done() or self._waiting[0][0] < time.monotonic()):
                future = self._waiting.popleft()[1]
                if not future.done():
                    future.set_result(late)

    async def summary(self, name: str) -> Summary:
        """Return an experiment as of its last commit."""
        while (found := self.writer.memory.published.get(name)) is None:  # it is forgotten if the store fails
            await self.write(LoadExperiment(name))
        return found

    async def condemn(self, broken: Broken) -> Problem:
        """Have an experiment take no more after damage was found; returns what to answer."""
        try:
            await self._submit(Condemn(broken.experiment, broken))
        except Problem as problem:
            return problem
        return damaged(broken)

    async def reading(self, lane: Lane, read: Callable[..., T], *values: Any) -> T:
        """Read the journal in a lane; damage that is met there ends the experiment."""
        try:
            return await lane.run(read, *values)
        except Broken as broken:
            raise await self.condemn(broken) from None

    async def has(self, name: str, given: dict[str, Any]) -> bool:
        """Whether an experiment exists with this very configuration."""
        try:
            return (await self.summary(name)).setup.is_requested_by(given)
        except Problem as problem:
            if problem.code != "unknown_experiment":
                raise
            return False

    async def ready(self) -> bool:
        """Whether the store can be written: seen in the last second, or tried now."""
        ready = time.monotonic() - self.writer.written_at < _READY_SECONDS
        if not ready:
            try:
                await self.write(CheckWritable())
                ready = True
            except Problem:
                ready = False
        self.metrics.ready.set(ready)
        return ready

    async def identity(self, name: str) -> int:
        """Return the number of an experiment, from the store."""
        try:
            return (await self._head(name))[0]
        except Broken as broken:
            raise await self.condemn(broken) from None

    async def verify(self, name: str) -> dict[str, Any]:
        """Replay a journal: a short one here, since a process that is not there yet takes a second to come."""
        _, seq, _ = await self._head(name)
        if seq <= _SHORT_JOURNAL:
            return await self.lanes.analyses.run(verify_stored, self.store, name)
        url = self.store.url.render_as_string(hide_password=False)
        return await self.lanes.audits.run(work.verify, url, name, shared=True)

    async def _head(self, name: str) -> tuple[int, int, str]:
        def head() -> tuple[int, int, str] | None:
            with self.store.read() as connection:
                return queries.head(connection, name)

        found = await self.lanes.look_ups.run(head)
        if found is None:
            raise unknown_experiment(name)
        return found

    def _deliver(self, results: list[tuple[Any, Result]], grown: dict[str, int]) -> None:
        """Called by the writer's thread: one wake-up of the event loop for a whole transaction."""
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._resolve, results, grown)

    def _resolve(self, results: list[tuple[Any, Result]], grown: dict[str, int]) -> None:
        for future, result in results:
            if not future.done():
                future.set_result(result)
        for name in grown:
            self.hub.notify(name)


async def _work(service: Service) -> None:
    """Take the store if that is still to be done, and do what nobody asks for."""
    if not service.active:
        await take_over(service)
    if service.active:
        await asyncio.gather(
            service.watch(),
            check_behind_snapshots(service),
            Silences(service).watch(),
            watch_health(service),
            service.anchoring.watch(),
        )


def create_app(settings: Settings | None = None, service: Service | None = None) -> Any:
    """Return the ASGI app of a service; it opens the store when it starts, unless that was done before.

    >>> app = create_app(Settings(database="sqlite:///live.db"))  # uvicorn.run(app) would serve it
    """
    from steadyarm.live.http.documentation import document
    from steadyarm.live.http.routes.app import add_routes

    own = service or Service(settings or Settings())

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        own.enter()
        with in_background() if service is None else nullcontext():
            if service is None and not own.settings.standby:
                own.open()
            work = asyncio.create_task(_work(own))
            yield
            work.cancel()
            await asyncio.wait([work])
            own.hub.close()
            if service is None:
                own.close()

    app = FastAPI(
        title="steadyarm live",
        lifespan=lifespan,
        redirect_slashes=False,
        docs_url=None,
        redoc_url=None,
        openapi_url="/openapi.json",
    )
    add_routes(app, own)
    document(app)
    return Middleware(app, own)
