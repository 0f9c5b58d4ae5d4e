"""docs/live.md says what is so: its curl commands run, and its tables name every code and every path."""

import json
import os
import re
import subprocess
from pathlib import Path

import pytest
from tests.live.server import Server

from steadyarm.live.core.problems import CODES
from steadyarm.live.http.metrics import Metrics

TEXT = (Path(__file__).parents[3] / "docs" / "live.md").read_text()


@pytest.fixture
def server(sqlite):
    with Server(sqlite) as running:
        yield running


def commands():
    (block,) = re.findall(r"```curl\n(.*?)```", TEXT, re.DOTALL)
    return re.findall(r"(curl .*?)\n#> (\d+) ?(.*?)\n", block, re.DOTALL)


def test_the_curl_commands_give_the_answers_that_stand_below_them(server):
    found = commands()
    assert len(found) == 17
    environment = os.environ | {"URL": server.url, "TOKEN": server.token}
    for command, status, content in found:
        quiet = command.replace("curl ", r"curl -s -w '\n%{http_code}' ", 1)
        done = subprocess.run(
            ["sh", "-c", quiet], capture_output=True, text=True, env=environment, timeout=20
        )
        body, _, answered = done.stdout.rpartition("\n")
        assert answered == status, (command, done.stdout, done.stderr)
        if content:
            expected = json.loads(content)
            assert json.loads(body) | {"arm": "..."} == expected


def test_every_code_is_documented_with_its_status():
    rows = re.findall(r"^\| ([\d, ]+) \| (`.*`) \|$", TEXT, re.MULTILINE)
    documented = {
        code: [int(number) for number in statuses.split(", ")]
        for statuses, codes in rows
        for code in re.findall(r"`(\w+)`", codes)
    }
    assert documented.keys() == CODES.keys()
    for code, (status, _) in CODES.items():
        assert status in documented[code]


def test_every_metric_is_documented():
    there = set(re.findall(r"^# TYPE (\w+) ", Metrics().text().decode(), re.MULTILINE))
    assert {name for name in there if not name.endswith("_created")} == set(
        re.findall(r"`(steadyarm_\w+)`", TEXT)
    )


def test_every_test_that_the_security_page_names_exists():
    root = Path(__file__).parents[3]
    page = (root / "docs" / "security.md").read_text(encoding="utf-8")
    sources = "".join(
        path.read_text(encoding="utf-8") for path in sorted((root / "tests").rglob("test_*.py"))
    )
    named = set(re.findall(r"`(test_\w+)`", page))
    assert len(named) > 30
    assert {name for name in named if f"def {name}(" not in sources} == set()
