"""A report is a template of its room: with its picture and versions, nothing unsaid and nothing unescaped."""

import platform

import numpy
import pytest
from jinja2 import UndefinedError

import steadyarm as sa
from steadyarm.study.plotting.report_page import made_with, render_report

SVG = '<?xml version="1.0"?>\n<!DOCTYPE svg>\n<svg><path d="M0 0"/></svg>'


@pytest.fixture
def room(tmp_path, monkeypatch):
    """A package with a template of its own."""
    (tmp_path / "a_room").mkdir()
    (tmp_path / "a_room" / "__init__.py").touch()
    template = "{{ picture }}|{{ words }}|{{ words | powers }}|{{ made_with }}\n"
    (tmp_path / "a_room" / "report.html.jinja").write_text(template, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    return "a_room"


def test_the_picture_stands_in_the_page_and_words_are_escaped(room):
    picture, words, powers, made = render_report(room, SVG, ["numpy"], words="<b> T^1.5").split("|")
    assert picture == '<svg><path d="M0 0"/></svg>'
    assert words == "&lt;b&gt; T^1.5"
    assert powers == "&lt;b&gt; T<sup>1.5</sup>"
    assert made == made_with(["numpy"]) + "\n"


def test_a_value_that_a_template_needs_and_nobody_gave_is_an_error(room):
    with pytest.raises(UndefinedError, match="'words' is undefined"):
        render_report(room, SVG, ["numpy"])


def test_versions_are_those_of_this_process():
    expected = f"steadyarm {sa.__version__}, Python {platform.python_version()}, numpy {numpy.__version__}"
    assert made_with(["numpy"]) == expected
