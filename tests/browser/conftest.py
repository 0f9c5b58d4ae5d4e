"""A server with an experiment of some history, and visitors whose every request and complaint is watched."""

import random

import pytest

from steadyarm.live import Client
from tests.browser.chromium import Chromium
from tests.live.server import Server

RATES = {"blue": 0.3, "green": 0.6, "<img src=x onerror=alert(1)>": 0.4}


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
        yield running


def feed(experiment, units, horizon, leave=0, rates=RATES):
    """Run an experiment for some units; the last few never report."""
    draw = random.Random(7)
    experiment.create(
        arms=list(rates),
        horizon=horizon,
        rewards="bernoulli",
        alpha=0.1,
        constants="sharp",
        description="Which?",
    )
    experiment.start()
    for number in range(units):
        arm = experiment.allocate(f"u{number}")["arm"]
        if number < units - leave:
            experiment.report(f"u{number}", int(draw.random() < rates[arm]))
    return experiment


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
        page.context.close()
    assert watch.errors == []
    foreign = [url for url in watch.requests if not url.startswith((server.url + "/", "blob:", "data:"))]
    assert foreign == []
    assert not any(server.token in url for url in watch.requests)
