"""Figures that show themselves in a notebook, and the panels of a picture: those of a new figure or the caller's."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from steadyarm.errors import InvalidInput, InvalidType
from steadyarm.model import checks
from steadyarm.study.plotting.fit import Inches, check_legible, fit, heading_of, renderer_for
from steadyarm.study.plotting.style import house_style

Size = Sequence[float]  # width and height in inches
LEAST = (1.5, 1.0)  # inches of a panel inside its axes, of which something can be read
_SMALLEST_LETTERS = 0.75  # of the usual size


class Picture(Figure):
    """A figure that a notebook shows, whether or not anybody imported pyplot."""

    def __init__(self, size: Size) -> None:
        super().__init__(figsize=(float(size[0]), float(size[1])), layout="constrained")
        FigureCanvasAgg(self)

    def _repr_png_(self) -> bytes:
        return png(self)


@contextmanager
def panels(
    ax: Axes | None,
    size: Size | None,
    usual: Size,
    rows: int = 1,
    columns: int = 1,
    least: Inches = LEAST,
    **layout: Any,
) -> Iterator[list[Axes]]:
    """Yield the panels of a picture in the house style: those of a new figure, or the caller's axes if one is enough.

    What is drawn is made to fit; a size at which a panel would have less than `least`, in inches, is refused. Letters
    of a picture that is smaller than usual are smaller, down to three quarters.

    >>> with panels(None, (4, 3), usual=(8, 5)) as [axes]:
    ...     tuple(map(float, axes.figure.get_size_inches()))
    (4.0, 3.0)
    """
    if ax is None:
        inches = usual if size is None else _checked(size)
        share = min(asked / whole for asked, whole in zip(inches, usual, strict=True))
        with house_style(letters=min(1.0, max(_SMALLEST_LETTERS, share**0.5))):
            figure = Picture(inches)
            places = list(figure.subplots(rows, columns, squeeze=False, **layout).ravel())
            yield places
            fit(figure, places)
            if size is not None:
                check_legible(figure, places, least, size)
        return
    with house_style():
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
        for text in (ax.xaxis.label, ax.yaxis.label, heading_of(ax)):
            text.set_label("")  # the words of an earlier picture
        yield [ax]
        fit(figure_of(ax), [ax])


def figure_of(axes: Axes) -> Figure:
    """Return the figure in which axes stand, whatever they are nested in."""
    figure: Figure = axes.figure.figure
    return figure


def renderer_of(axes: Axes) -> Any:
    """Return what measures texts in pixels, on whatever canvas the figure is shown."""
    return renderer_for(figure_of(axes))


def png(figure: Figure, dpi: float = 100.0) -> bytes:
    """Return a figure as the bytes of a PNG file."""
    file = io.BytesIO()
    with house_style():
        figure.savefig(file, format="png", dpi=dpi)
    return file.getvalue()


def _checked(size: Size) -> Size:
    inches = checks.reals(size, "size")
    if len(inches) != 2 or not all(0.0 < side <= 100.0 for side in inches):
        raise InvalidInput(f"size must be a width and a height in inches, like (6, 4); got {size!r}.")
    return inches
