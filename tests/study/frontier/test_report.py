"""The report of a frontier: one page that fetches nothing, escapes what it is told, and can be repeated."""

import html
import json
import re
from dataclasses import dataclass
from html.parser import HTMLParser

import pytest

import steadyarm as sa
from steadyarm.cli.app import main


class Reader(HTMLParser):
    """Collects what a page would fetch and its open elements."""

    def __init__(self):
        super().__init__()
        self.fetched, self.open, self.seen = [], [], set()

    def handle_starttag(self, tag, attributes):
        self.seen.add(tag)
        values = dict(attributes)
        for name in ("src", "href", "xlink:href", "data", "action"):
            if name in values and not values[name].startswith("#"):
                self.fetched.append(values[name])
        if tag not in ("meta", "link", "br", "img"):
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.handle_starttag(tag, attributes)
        self.open.pop()

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def test_the_report_is_one_page_that_fetches_nothing(near, tmp_path):
    names = {path.name for path in near.save(tmp_path)}
    assert names == {f"frontier.{kind}" for kind in ("png", "svg", "pdf", "csv", "parquet", "json", "html")}
    page = (tmp_path / "frontier.html").read_text()
    reader = Reader()
    reader.feed(page)
    assert reader.open == []
    assert reader.fetched == []
    assert {"svg", "table", "style", "figure"} <= reader.seen
    assert "script" not in reader.seen
    assert not re.search(r"url\((?!#)|@import", page)
    for words in (
        "prefers-color-scheme: dark",
        "nearly uniform",
        "UCB1",
        "seed 0",
        f"steadyarm {sa.__version__}",
    ):
        assert words in page


def page_of(found, folder):
    found.save(folder)
    return html.unescape((folder / "frontier.html").read_text())


def test_the_command_in_the_report_gives_the_same_numbers(near, tmp_path, monkeypatch, capsys):
    command = re.search("<code>steadyarm (frontier .*)</code>", page_of(near, tmp_path))[1]
    assert "--rivals UCB1,GaussianThompson,RoundRobin" in command
    monkeypatch.setattr("sys.argv", ["steadyarm", *command.split(), "--json"])
    with pytest.raises(SystemExit):
        main()
    assert json.loads(capsys.readouterr().out) == near.to_dict()


def test_what_a_command_cannot_say_is_a_call_in_the_report(tmp_path):
    wide = sa.MOSS(n_arms=2, horizon=300, constant=9.0)
    found = sa.frontier(
        n_arms=2, horizon=300, alphas=[1 / 3], spreads=[], rivals=[wide], runs=10, level=0.999
    )
    page = page_of(found, tmp_path)
    call = re.search("<code>steadyarm.frontier(.*)</code>", page)[1]
    again = eval(f"sa.frontier{call}", {"sa": sa, "MOSS": sa.MOSS})
    assert again.to_dict() == found.to_dict()
    assert "intervals at 99.9%" in page


@dataclass(frozen=True, kw_only=True)
class Hostile(sa.RoundRobin):
    title = "<script>alert(1)</script> & co"


def test_what_a_policy_is_called_is_escaped(tmp_path):
    hostile = Hostile(n_arms=2, horizon=300)
    sa.frontier(n_arms=2, horizon=300, alphas=[1], spreads=[], rivals=[hostile], runs=8).save(tmp_path)
    page = (tmp_path / "frontier.html").read_text()
    assert "<td>&lt;script&gt;alert(1)&lt;/script&gt; &amp; co</td>" in page
    assert "<script" not in page
