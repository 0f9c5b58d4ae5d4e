"""What a notebook shows of a result: a heading, small tables, the picture and the notes, in one piece of HTML."""

from __future__ import annotations

from abc import ABC, abstractmethod
from base64 import b64encode
from collections.abc import Callable, Sequence
from functools import cache, cached_property
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    import pandas as pd
    from jinja2 import Template

MOST_ROWS = 20


class Sheet(NamedTuple):
    """What is shown of a result.

    Attributes:
        heading: what it is, in a few words.
        tables: of texts.
        notes: what a reader has to know.
        draw: gives the picture, if there is one.
        sentences: right below the heading.
    """

    heading: str
    tables: Sequence[pd.DataFrame]
    notes: Sequence[str] = ()
    draw: Callable[[], Any] | None = None
    sentences: Sequence[str] = ()


class Shown(ABC):
    """A result that a notebook shows as more than a line; its picture is drawn when it is first shown, and once."""

    @abstractmethod
    def _sheet(self) -> Sheet:
        """Return what is shown."""

    @cached_property
    def _html(self) -> str:
        return html(self._sheet())

    def _repr_html_(self) -> str:
        return self._html


def html(sheet: Sheet) -> str:
    """Return a sheet as HTML, every text escaped.

    >>> import pandas as pd
    >>> "<td>A &lt; B</td>" in html(Sheet("Two arms", [pd.DataFrame({"arm": ["A < B"]})]))
    True
    """
    picture = None if sheet.draw is None else b64encode(sheet.draw()._repr_png_()).decode()
    return _template().render(sheet=sheet, picture=picture, most_rows=MOST_ROWS)


def public(name: str) -> Any:
    """Return a public name of the package, loaded when it is needed.

    A picture stands on rooms above its result: `sa.plot_counts` knows a simulation, which does not know it.
    """
    return getattr(import_module("steadyarm"), name)


def above(room: str, name: str) -> Any:
    """Return what a room above gives, loaded when it is needed: who writes a result's files knows the result.

    >>> above("words", "counted")(2, "file")
    '2 files'
    """
    return getattr(import_module(f"steadyarm.{room}"), name)


@cache
def _template() -> Template:
    from jinja2 import Environment, PackageLoader, StrictUndefined

    loader = PackageLoader("steadyarm", ".")
    environment = Environment(loader=loader, autoescape=True, undefined=StrictUndefined)
    return environment.get_template("notebook.html.jinja")
