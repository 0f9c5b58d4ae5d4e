"""Both databases, and a service in this process to talk to."""

import asyncio
import contextlib
import json
import threading

import httpx
import pytest

from steadyarm.live.core import logs
from steadyarm.live.http.lanes import Lanes, Process
from steadyarm.live.http.service import Service, Settings, create_app
from tests.live.postgres import Postgres
from tests.live.server import CONFIGURATION

PROCESSES = (Process(), Process())
"""Of all services of the tests, one after the other: to start one takes seconds."""


@pytest.fixture(scope="session", autouse=True)
def _processes():
    yield
    for process in PROCESSES:
        process.shutdown()


@pytest.fixture(autouse=True)
def _nobody_else_chose_what_is_logged():
    """The command line does, in the same process, in tests of its own."""
    logs.configure("warning")


@pytest.fixture(scope="session")
def postgres():
    server = Postgres()
    server.start()
    yield server
    server.remove()


def empty_store(request, tmp_path, postgres):
    """Yield the URL of an empty store in the database of the fixture's parameter."""
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path}/live.db"
    else:
        server = request.getfixturevalue(postgres)
        url = server.new_database()
        yield url
        server.drop(url)


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request, tmp_path):
    yield from empty_store(request, tmp_path, "postgres")


@pytest.fixture
def sqlite(tmp_path):
    return f"sqlite:///{tmp_path}/live.db"


class InProcess:
    """Calls an ASGI app whose event loop runs in a thread, so that tests stay plain functions."""

    def __init__(self, app):
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever)
        self._thread.start()
        transport = httpx.ASGITransport(app=app, raise_app_exceptions=False)
        self._client = httpx.AsyncClient(transport=transport, base_url="http://service")
        self._lifespan = app.app.router.lifespan_context(app.app)
        self.run(self._lifespan.__aenter__())

    def run(self, coroutine):
        return asyncio.run_coroutine_threadsafe(coroutine, self._loop).result(30)

    def request(self, method, path, **options):
        return self.run(self._client.request(method, path, **options))

    def get(self, path, **options):
        return self.request("GET", path, **options)

    def post(self, path, **options):
        return self.request("POST", path, **options)

    def close(self):
        self.run(self._lifespan.__aexit__(None, None, None))
        self.run(self._client.aclose())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()


class Api:
    """A client of a service in this process; `service` is there to be tampered with."""

    def __init__(self, database, **settings):
        self.service = Service(Settings(database=database, **settings), Lanes(PROCESSES))
        self.service.open()
        self.token = self.service.tokens.create(["admin"])
        self.http = InProcess(create_app(service=self.service))
        self.closed = False

    def close(self):
        if not self.closed:
            self.closed = True
            self.http.close()
            self.service.close()

    def __call__(self, method, path, content=None, token=None, text=None, **options):
        headers = {"authorization": f"Bearer {token or self.token}"} | options.pop("headers", {})
        if content is not None:
            options["json"] = content
        if text is not None:
            options["content"] = text
        return self.http.request(method, path, headers=headers, **options)

    def with_scopes(self, *scopes):
        return self.service.tokens.create(list(scopes))

    def create(self, name="e", started=True, **changes):
        answer = self("PUT", f"/v1/experiments/{name}", CONFIGURATION | changes)
        assert answer.status_code == 201, answer.text
        if started:
            assert self("POST", f"/v1/experiments/{name}/start").status_code == 200
        return answer.json()

    def allocate(self, unit, name="e"):
        return self("PUT", f"/v1/experiments/{name}/allocations/{unit}")

    def report(self, unit, reward, name="e"):
        return self("PUT", f"/v1/experiments/{name}/allocations/{unit}/reward", {"reward": reward})

    def void(self, unit, reason="lost", name="e"):
        return self("POST", f"/v1/experiments/{name}/allocations/{unit}/void", {"reason": reason})

    def events(self, name="e", after=0):
        answer = self("GET", f"/v1/experiments/{name}/events?after={after}")
        return [json.loads(line) for line in answer.text.splitlines()]

    def state(self, name="e"):
        return self("GET", f"/v1/experiments/{name}").json()


@pytest.fixture
def open_api(database):
    """Open services on the store, one after the other."""
    with contextlib.ExitStack() as stack:

        def start(**settings):
            api = Api(database, **settings)
            stack.callback(api.close)
            return api

        yield start


@pytest.fixture
def api(open_api):
    return open_api()


@pytest.fixture
def sqlite_api(sqlite):
    """A service on SQLite, for what no database decides."""
    api = Api(sqlite)
    yield api
    api.close()


def problem(answer, status, code):
    """Assert that an answer is a problem of this code."""
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"] == "application/problem+json"
    said = answer.json()
    assert said["code"] == code, said
    assert said["status"] == status
    assert said["detail"]
    assert said["request_id"] == answer.headers["x-request-id"]
    return said
