"""Figures that show themselves in a notebook, and the panels of a picture: those of a new figure or the caller's."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from textwrap import fill
from typing import Any

from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from steadyarm.errors import InvalidInput, InvalidType
from steadyarm.model import checks
from steadyarm.study.plotting.style import house_style

Size = Sequence[float]  # width and height in inches


class Picture(Figure):
    """A figure that a notebook shows, whether or not anybody imported pyplot."""

    def __init__(self, size: Size) -> None:
        super().__init__(figsize=(float(size[0]), float(size[1])), layout="constrained")
        FigureCanvasAgg(self)

    def _repr_png_(self) -> bytes:
        return png(self)


@contextmanager
def panels(
    ax: Axes | None, size: Size | None, usual: Size, rows: int = 1, columns: int = 1, **layout: Any
) -> Iterator[list[Axes]]:
    """Yield the panels of a picture in the house style: those of a new figure, or the caller's axes if one is enough.

    >>> with panels(None, (4, 3), usual=(8, 5)) as [axes]:
    ...     tuple(map(float, axes.figure.get_size_inches()))
    (4.0, 3.0)
    """
    with house_style():
        if ax is None:
            figure = Picture(usual if size is None else _checked(size))
            places = list(figure.subplots(rows, columns, squeeze=False, **layout).ravel())
            yield places
            if size is not None:
                for axes in places:
                    _fit_labels(axes)
            return
        if not isinstance(ax, Axes):
            raise InvalidType(f"ax must be an Axes of Matplotlib; got {ax!r}. Leave it out for a new figure.")
        if size is not None:
            raise InvalidInput(
                f"size={size!r} is that of a new figure, and ax= stands in one; give one of them."
            )
        if rows * columns > 1:
            raise InvalidInput(
                f"ax= takes a picture of one panel, and this one has {rows * columns}. Leave it out; size= sets how "
                "large the figure is."
            )
        yield [ax]
        _fit_labels(ax)


def figure_of(axes: Axes) -> Figure:
    """Return the figure in which axes stand, whatever they are nested in."""
    figure: Figure = axes.figure.figure
    return figure


def renderer_of(axes: Axes) -> Any:
    """Return what measures texts in pixels, on whatever canvas the figure is shown."""
    figure = figure_of(axes)
    canvas = figure.canvas
    renderer = FigureCanvasAgg(figure).get_renderer()  # type: ignore[no-untyped-call]
    figure.set_canvas(canvas)
    return renderer


def letters(axes: Axes, widest: int, usual_width: float) -> int:
    """Return how many letters a line of the title may have, of which `widest` fit into a figure of the usual width."""
    width = axes.get_position().width * figure_of(axes).get_figwidth()
    return max(20, round(widest * width / (_PART * usual_width)))


def png(figure: Figure, dpi: float = 100.0) -> bytes:
    """Return a figure as the bytes of a PNG file."""
    file = io.BytesIO()
    with house_style():
        figure.savefig(file, format="png", dpi=dpi)
    return file.getvalue()


_PART = 0.775  # of the width of a figure is that of new axes
_LETTER = 0.077  # inches, of an axis's name


def _fit_labels(axes: Axes) -> None:
    """Break the names of both axes where they are longer than the axes."""
    box, (width, height) = axes.get_position(), figure_of(axes).get_size_inches()
    for axis, inches in ((axes.xaxis, box.width * width), (axes.yaxis, box.height * height)):
        axis.set_label_text(fill(axis.get_label_text(), max(20, round(inches / _LETTER))))


def _checked(size: Size) -> Size:
    inches = checks.reals(size, "size")
    if len(inches) != 2 or not all(0.0 < side <= 100.0 for side in inches):
        raise InvalidInput(f"size must be a width and a height in inches, like (6, 4); got {size!r}.")
    return inches
