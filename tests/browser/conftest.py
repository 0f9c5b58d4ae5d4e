"""A server with an experiment of some history, and visitors whose every request and complaint is watched."""

import random
import time

import pytest
from playwright.sync_api import expect

from steadyarm.live import Client
from tests.browser.chromium import Chromium
from tests.live.server import Server

expect.set_options(timeout=60_000)  # a very busy machine takes half a minute for a page

RATES = {"blue": 0.3, "green": 0.6, "<img src=x onerror=alert(1)>": 0.4}
TEAM = {"arms": 2, "baseline": 0.3, "smallest_difference": 0.1, "horizon": 400}
TEAM_PAGE = "/?kind=rate&arms=2&baseline=30+%25&smallest_difference=10+pp&horizon=400"
AWKWARD = "x" * 128
AWKWARD_RATES = {"W" * 64: 0.5, "علامة الزر": 0.5, "ירוק כהה": 0.5}


@pytest.fixture(scope="session")
def browser():
    with Chromium() as running:
        yield running


@pytest.fixture(scope="session")
def server(tmp_path_factory):
    folder = tmp_path_factory.mktemp("page")
    with Server(f"sqlite:///{folder}/live.db", "--open-planning") as running:
        with Client(running.url, running.token) as client:
            feed(client.experiment("colours"), 400, horizon=1000, leave=7)
            feed(client.experiment("finished"), 200, horizon=200).close()
            feed(client.experiment(AWKWARD), 1, horizon=10, leave=1, rates=AWKWARD_RATES).close()
        with running.client() as http:  # the first plan starts a process, which takes a busy machine a while
            assert (
                http.post("/v1/plan", json={"arms": 2, "horizon": 1000, "alpha": 1}, timeout=60).status_code
                == 200
            )
            simulated(http, TEAM)
        yield running


def simulated(http, question):
    """Have the service simulate a plan; whoever opens its page then finds it done."""
    work = http.post("/v1/plan", json=question, timeout=60).json()["simulation"]
    path = f"/v1/simulations/{http.post('/v1/simulations', json=work).json()['id']}"
    end = time.monotonic() + 180.0
    while (found := http.get(path).json())["status"] != "done":
        assert time.monotonic() < end, found
        time.sleep(0.1)


def feed(experiment, units, horizon, leave=0, rates=RATES, **more):
    """Run an experiment for some units; the last few never report."""
    draw = random.Random(7)
    experiment.create(
        arms=list(rates),
        horizon=horizon,
        rewards="bernoulli",
        alpha=0.1,
        constants="sharp",
        seed=7,
        description="Which?",
        **more,
    )
    experiment.start()
    for number in range(units):
        arm = experiment.allocate(f"u{number}")["arm"]
        if number < units - leave:
            experiment.report(f"u{number}", int(draw.random() < rates[arm]))
    return experiment


def until(page, true, seconds=60.0):
    """Wait until something is true."""
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, "it never became true"
        page.wait_for_timeout(20)


class Fault:
    """Loses the next answers of one call, as a bad network does; `page.route(pattern, Fault(2))`."""

    def __init__(self, times):
        self.times = times

    def __call__(self, route):
        self.times -= 1
        route.abort() if self.times >= 0 else route.continue_()


class Held:
    """Holds answers back until they are let go: `let(0)` is the first call."""

    def __init__(self):
        self.routes = []

    def __call__(self, route):
        self.routes.append(route)

    def wait_for(self, page, many):
        until(page, lambda: len(self.routes) >= many)

    def let(self, place):
        self.routes[place].continue_()


class Watch:
    """What a page asked for and complained about."""

    def __init__(self):
        self.errors, self.requests = [], []
        self.may_fail = False  # a test that breaks the connection, or is refused, sees such complaints

    def follow(self, page):
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("console", self._console)
        page.on("request", lambda request: self.requests.append(request.url))

    def _console(self, message):
        expected = self.may_fail and message.text.startswith("Failed to load resource")
        if message.type in ("error", "warning") and not expected:
            self.errors.append(message.text)


@pytest.fixture
def watch():
    return Watch()


@pytest.fixture
def visit(browser, server, watch):
    """Open pages; in the end none may have complained or asked anybody but the server."""
    pages = []

    def open_page(path, token=None, **options):
        page = browser.open(token, **options)
        watch.follow(page)
        pages.append(page)
        page.goto(server.url + path)
        return page

    yield open_page
    for page in pages:
        page.unroute_all(
            behavior="ignoreErrors"
        )  # an answer on its way to a page that goes is nobody's error
        page.context.close()
    assert watch.errors == []
    foreign = [url for url in watch.requests if not url.startswith((server.url + "/", "blob:", "data:"))]
    assert foreign == []
    assert not any(server.token in url for url in watch.requests)
