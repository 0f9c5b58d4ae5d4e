"""The page's files as they are served: to everybody, with strict headers, and all of them in the package."""

import json
import math
import re
from importlib.resources import files
from pathlib import Path

import pytest
from tests.live.conftest import problem

from steadyarm.defaults import LEVEL
from steadyarm.live.analysis.estimates import MOST_IN_PAIRS
from steadyarm.live.analysis.questions import MOST_PLANNED_ARMS
from steadyarm.live.core import names
from steadyarm.live.core.setup import configuration
from steadyarm.live.http import schemas, streams
from steadyarm.live.http.pages import Pages
from steadyarm.model import checks
from steadyarm.planning.baseline.measured import BAND
from steadyarm.policies import all_policies

FOLDER = Path(str(files("steadyarm.live") / "page"))
PLACES = ("/", "/class", "/experiments", "/experiments/colours", "/experiments/colours/report")


@pytest.fixture
def api(sqlite_api):
    return sqlite_api


@pytest.mark.parametrize("path", [*PLACES, "/page/style.css", "/page/vendor/uplot/uPlot.iife.min.js"])
def test_the_page_needs_no_token_and_cannot_load_anything_from_elsewhere(api, path):
    answer = api.http.get(path)
    assert answer.status_code == 200
    policy = answer.headers["content-security-policy"]
    assert "default-src 'self'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "unsafe" not in policy
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["referrer-policy"] == "no-referrer"
    again = api.http.get(path, headers={"if-none-match": answer.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    head = api.http.request("HEAD", path)
    assert (head.status_code, head.content) == (200, b"")


def test_nothing_else_is_given_away(api):
    files = (
        "/page/",
        "/page/../service.py",
        "/page/vendor/uplot/LICENSE",
        "/page/nothing.js",
        "/page/plan.html",
    )
    for path in (*files, "/experiments/a/b/c", "/favicon.ico"):
        problem(api.http.get(path), 401, "unauthorized")
    problem(api.http.post("/"), 401, "unauthorized")
    problem(api("POST", "/"), 404, "not_found")


def test_the_page_knows_the_limits_from_the_service():
    script = Pages().find("/page/limits.js").body.decode()
    limits = json.loads(script.partition("limits = ")[2].rstrip(";\n"))
    assert limits["text"] == names.LONGEST_TEXT
    assert limits["arms"][1] == MOST_PLANNED_ARMS
    assert limits["horizon"][1] == checks.LARGEST_HORIZON
    assert limits["scale"][1] == configuration.SCALES["mean_bound"] == configuration.SCALES["noise_scale"]
    assert limits["quiet"] == 1000 * streams.KEEP_ALIVE_SECONDS
    for name in ("a" * 128, "0.a:@+=~-", "_"):
        assert re.fullmatch(limits["name"], names.check_name(name))
    for name in ("a" * 129, "-a", "a b", ""):
        assert not re.fullmatch(limits["name"], name)


def test_policies_are_called_as_the_service_calls_them(api):
    for name, kind in all_policies().items():
        wanted = {"policy": name, "alpha": None, "rewards": "bernoulli"}
        assert api.create(name, started=False, **wanted)["policy_title"] == kind.title
    quotas = api.create("q", started=False, traffic={"a": {"at_least": 0.2}})
    assert quotas["policy_title"] == "SLE-UCB within quotas"
    plan = api("POST", "/v1/plan", {"arms": 2, "horizon": 1000, "max_sd_share": 0.05}).json()
    assert plan["policy_title"] == all_policies()[plan["policy"]["policy"]].title
    scripts = "".join(path.read_text() for path in FOLDER.rglob("*.js") if "vendor" not in path.parts)
    assert scripts.count("policy_title") == 4
    assert not [name for name in all_policies() if f'"{name}"' in scripts]


def test_answers_of_the_api_are_never_kept(api):
    api.create()
    answers = [
        api("GET", "/v1/experiments/e"),
        api("GET", "/v1/nothing"),
        api.allocate("u"),
        api.http.get("/healthz"),
    ]
    for answer in answers:
        assert answer.headers.get_list("cache-control") == ["no-store"]
        assert answer.headers["x-content-type-options"] == "nosniff"


def test_every_file_that_the_page_names_is_there():
    pages = Pages()
    named = set()
    for text in (pages.find(place).body.decode() for place in PLACES):
        named |= set(re.findall(r'"(/page/[^"]+)"', text))
        assert text.count("<main") == text.count("</html>") == 1
        assert "$" not in text
    for path in FOLDER.rglob("*.js"):
        for name in (
            re.findall(r'from "(\.[^"]+\.js)"', path.read_text()) if "vendor" not in path.parts else ()
        ):
            named.add(f"/page/{(path.parent / name).resolve().relative_to(FOLDER.resolve())}")
    assert len(named) > 15
    for path in named:
        assert pages.find(path) is not None, path
    served = {f"/page/{path.relative_to(FOLDER)}" for path in FOLDER.rglob("*.js")}
    assert served <= named


def test_the_page_writes_data_as_text_and_has_no_inline_script_or_style():
    for path in FOLDER.rglob("*"):
        if path.suffix in (".html", ".js") and "vendor" not in path.parts:
            text = path.read_text()
            for forbidden in (
                "innerHTML",
                "outerHTML",
                "insertAdjacentHTML",
                "eval(",
                "localStorage",
                "document.cookie",
            ):
                assert forbidden not in text, (path.name, forbidden)
            if path.suffix == ".html":
                assert not re.search(r"<script(?![^>]*src=)| style=| on\w+=|<style", text), path.name
                assert not re.search(r"https?://", text), path.name


def test_uplot_is_unchanged_and_carries_its_licence():
    folder = FOLDER / "vendor" / "uplot"
    version = re.search(r"uPlot (\d+\.\d+\.\d+)", (folder / "README.md").read_text()).group(1)
    assert f"(v{version})" in (folder / "uPlot.iife.min.js").read_text()[:300]
    assert "MIT" in (folder / "LICENSE").read_text()


def test_numbers_in_the_text_and_the_scripts_of_pages_are_those_of_the_service(api):
    limits = api.http.get("/page/limits.js").text
    assert f'"listed": {schemas.MOST_LISTED}' in limits
    assert f'"pairs": {math.comb(MOST_IN_PAIRS, 2)}' in limits
    text = api.http.get("/").text
    assert f"with {100 * LEVEL:g}&nbsp;% confidence" in text
    assert f"The band contains {100 * (BAND[1] - BAND[0]):g}&nbsp;% of the repetitions" in text
    assert "$" not in text
    scripts = {path.name: path.read_text() for path in FOLDER.rglob("*.js") if "vendor" not in path.parts}
    assert "=== 100" not in scripts["experiments.js"]
    assert "45" not in scripts["differences.js"]
