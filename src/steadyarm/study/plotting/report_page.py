"""A report as one page of HTML that needs nothing else: a template of the study's room, on the sheet that all share."""

from __future__ import annotations

import platform
from collections.abc import Sequence
from importlib.metadata import version
from typing import Any

from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from steadyarm.study.runs.keys import own_version


def render_report(package: str, svg: str, libraries: Sequence[str], **values: Any) -> str:
    """Return the `report.html.jinja` of a package with these values, the picture, and what it was made with."""
    environment = Environment(
        loader=ChoiceLoader([PackageLoader(package, "."), PackageLoader(__package__, ".")]),
        autoescape=True,
        undefined=StrictUndefined,
        keep_trailing_newline=True,
    )
    environment.filters["powers"] = _powers
    picture = Markup(svg[svg.index("<svg") :])  # drawn here, by Matplotlib
    page = environment.get_template("report.html.jinja")
    return page.render(values, picture=picture, made_with=made_with(libraries))


def made_with(libraries: Sequence[str]) -> str:
    """Return the versions behind a report.

    >>> made_with(["numpy"]).split()[0]
    'steadyarm'
    """
    versions = ", ".join(f"{name} {version(name)}" for name in libraries)
    return f"steadyarm {own_version()}, Python {platform.python_version()}, {versions}"


def _powers(words: str) -> Markup:
    """Return words fit for HTML, with T^1.5 set as a power."""
    return Markup(escape(words).replace("T^1.5", Markup("T<sup>1.5</sup>")))
