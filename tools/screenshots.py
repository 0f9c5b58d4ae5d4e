"""Makes docs/pictures/page-*.png: the web page with two experiments whose journals are made up here.

Needs Chromium, as tests/browser does. Times are made up too, so that rewards have ages; "now" is the real one.
"""

import io
import random
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from heapq import heappop, heappush
from pathlib import Path

from PIL import Image
from playwright.sync_api import sync_playwright

from steadyarm.live.core.experiment import Experiment
from steadyarm.live.core.setup.configuration import requested, resolve
from steadyarm.live.storage import queries
from steadyarm.live.storage.store import Store
from steadyarm.live.storage.tokens import Tokens

PICTURES = Path(__file__).parent.parent / "docs" / "pictures"
COLOURS = {"blue": 0.31, "green": 0.38, "red": 0.27, "violet": 0.34}
LETTERS = {"plain": 0.50, "with a photograph": 0.58}
PLAN = "/?kind=rate&arms=4&baseline=3+%25&smallest_difference=0.3+pp&per_day=10000&days=20"
CLASS = "/class?arms=4&horizon=1000000&rewards=bernoulli&spread=0.002"


def journal(name, rates, horizon, units, days, delay, description):
    """Yield the entries of an experiment that ended now: units at random times, rewards after random delays."""
    draw = random.Random(name)
    end = datetime.now(UTC)
    moments = sorted(draw.random() * days for _ in range(units))

    def stamp(day):
        at = end - timedelta(days=days - day)
        return at.strftime("%Y-%m-%dT%H:%M:%S.") + f"{at.microsecond // 1000:03d}Z"

    given = {
        "arms": list(rates),
        "horizon": horizon,
        "rewards": "bernoulli",
        "alpha": 0.12,
        "constants": "sharp",
    }
    setup = resolve(requested(given | {"description": description, "seed": 5}))
    experiment, first = Experiment.create(1, name, setup, stamp(0.0))
    yield first
    yield experiment.move("started", stamp(0.0))
    waiting = []
    for number, day in enumerate(moments):
        while waiting and waiting[0][0] <= day:
            yield outcome(experiment, heappop(waiting), draw, rates, stamp)
        unit = f"visitor-{number:05d}"
        row, known = experiment.allocate(unit, stamp(day))
        yield row
        heappush(waiting, (day + draw.expovariate(1.0) * delay, unit, known))
    while waiting and (waiting[0][0] <= days or units == horizon):
        yield outcome(experiment, heappop(waiting), draw, rates, lambda at: stamp(min(at, days)))
    if units == horizon:
        yield experiment.move("closed", stamp(days))


def outcome(experiment, due, draw, rates, stamp):
    day, unit, known = due
    if draw.random() < 0.004:
        return experiment.void(unit, known, "left before answering", stamp(day))[0]
    return experiment.reward(unit, known, float(draw.random() < rates[known.arm]), stamp(day))[0]


@contextmanager
def service(folder):
    """Fill a store and serve it; yields the address and a token."""
    url = f"sqlite:///{folder}/live.db"
    store = Store(url)
    with store.connect_writer() as connection:
        store.migrate(connection)
        words = "Which colour of the button makes visitors sign up?"
        shop = journal("colours", COLOURS, 20_000, 9_200, 6.0, 0.02, words)
        queries.import_rows(connection, "colours", shop)
        words = "Does a photograph make more people answer the letter?"
        post = journal("letters", LETTERS, 4_000, 4_000, 20.0, 1.0, words)
        queries.import_rows(connection, "letters", post)
        connection.commit()
    token = Tokens(store).create(["admin"], "analyst")
    store.close()
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    words = ["live", "serve", "--database", url, "--port", str(port), "--log-level", "warning"]
    process = subprocess.Popen([sys.executable, "-m", "steadyarm", *words])
    try:
        address = f"http://127.0.0.1:{port}"
        wait_for(address)
        yield address, token
    finally:
        process.terminate()
        process.wait(20)


def wait_for(address):
    until = time.monotonic() + 120.0
    while True:
        try:
            urllib.request.urlopen(f"{address}/readyz").close()
            return
        except OSError:
            if time.monotonic() > until:
                raise
            time.sleep(0.1)


def take(
    browser, address, token, name, path, *, width=1200, height=None, scheme="light", act=None, ready="main"
):
    """Take one picture, of the whole page if no height is given."""
    context = browser.new_context(
        viewport={"width": width, "height": height or 900}, color_scheme=scheme, device_scale_factor=2
    )
    context.add_init_script(f"sessionStorage.setItem('steadyarm.token', {token!r})")
    page = context.new_page()
    page.set_default_timeout(300_000)  # a busy machine takes its time
    page.goto(address + path)
    page.wait_for_selector(ready)
    if act:
        act(page)
    page.wait_for_timeout(400)
    picture = Image.open(io.BytesIO(page.screenshot(full_page=height is None)))
    target = PICTURES / f"page-{name}.png"
    picture.convert("RGB").quantize(256, dither=Image.Dither.NONE).save(target, optimize=True)
    context.close()
    print(f"{target.name}: {picture.width} x {picture.height}, {target.stat().st_size // 1024} kB")


def simulated(page):
    page.click("#check")
    page.wait_for_selector("#numbers tr.measured")


def recommended(page):
    page.wait_for_selector("#designs .badge")


def to_the_table(page):
    recommended(page)
    page.evaluate("document.querySelector('#designs').closest('.card').scrollIntoView()")


def as_printed(page):
    recommended(page)
    page.emulate_media(media="print")


def main():
    executable = next(
        filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
    )
    if executable is None:
        sys.exit("screenshots.py needs Chromium; on Debian or Ubuntu `apt-get install chromium`.")
    with (
        tempfile.TemporaryDirectory() as folder,
        service(folder) as (address, token),
        sync_playwright() as driver,
    ):
        options = [
            "--no-sandbox",
            "--disable-gpu",
            "--disable-background-networking",
            "--force-color-profile=srgb",
        ]
        browser = driver.chromium.launch(executable_path=executable, args=options)
        at = (browser, address, token)
        plan = {"ready": "#designs tbody tr", "act": recommended}
        take(*at, "plan-light", PLAN, **plan)
        take(*at, "plan-dark", PLAN, scheme="dark", **plan)
        take(*at, "phone", PLAN, width=390, height=844, **(plan | {"act": to_the_table}))
        take(*at, "print", PLAN, width=760, **(plan | {"act": as_printed}))
        take(*at, "class", CLASS, height=1420, ready="#numbers tr.expected", act=simulated)
        take(*at, "experiments", "/experiments", height=480, ready="article")
        take(*at, "experiment", "/experiments/colours", height=1400, ready="#entries tbody tr")
        take(*at, "report", "/experiments/letters/report", width=1000, ready="#sheet[aria-busy=false]")
        browser.close()


if __name__ == "__main__":
    main()
