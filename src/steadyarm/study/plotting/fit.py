"""Making all of a picture fit its size: titles and names in lines, legends, numbers; and the least size to be read.

A text keeps its words as they were before they were broken into lines as its label, which Matplotlib does not show.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.text import Text
from matplotlib.ticker import FixedLocator, LogLocator, MaxNLocator

from steadyarm.errors import InvalidInput
from steadyarm.study.plotting.style import letter_size, scale

Inches = tuple[float, float]

GREY = "#444444"
_ROUNDS = 3  # lines change the room that lines have; after so many rounds it stays
_EDGE = 4.0  # pixels that a text keeps off the edge of its figure
_APART = 5.0  # pixels between two numbers along an axis
_LARGEST_LEGEND = (0.95, 0.6)  # of its axes' width and height; a larger one stands below
_COLUMNS = 4  # of a legend below, at most
_TRIES = 30  # for the least size,
_STEP = 0.5  # inches from one to the next


def title(axes: Axes, words: str, below: str = "", pad: float | None = None) -> None:
    """Give axes a title, and a grey line below it; both are broken into lines where the picture is fitted."""
    axes.set_title(words, pad=None if pad is None else pad * scale()).set_label(words)
    if below:
        text = axes.annotate(
            below,
            (0.0, 1.0),
            (0.0, 8.0 * scale()),
            xycoords="axes fraction",
            textcoords="offset points",
            fontsize=letter_size(9.5),
            color=GREY,
        )
        text.set_label(below)
        text.set_in_layout(False)  # the title keeps its room; its width must not squeeze the axes


def heading_of(axes: Axes) -> Text:
    """Return the text of the title, which stands on the left in the house style."""
    text: Text = axes._left_title  # type: ignore[attr-defined]
    return text


def whole_title(figure: Figure, words: str) -> None:
    """Give a figure of several panels one title."""
    text = figure.suptitle(words, x=0.01, ha="left", fontsize=letter_size(13.0), fontweight="bold")
    text.set_label(words)


def fit(figure: Figure, places: Sequence[Axes]) -> None:
    """Break titles and names into lines, and make legends and numbers along axes fit; then all of it stands still."""
    renderer = renderer_for(figure)
    for _ in range(_ROUNDS):
        settle(figure)
        for text in figure.texts:
            if text.get_label():
                _break(text, figure.bbox.width - text.get_window_extent(renderer).x0 - _EDGE, renderer)
        for axes in places:
            _fit_texts(axes, renderer)
            _thin(axes.xaxis, renderer)
            _fit_legend(axes, renderer)
    settle(figure)


def check_legible(figure: Figure, places: Sequence[Axes], least: Inches, size: Any) -> None:
    """Refuse a size at which a panel is smaller than can be read, with one that is about the least."""
    found = _smallest(figure, places)
    if _enough(found, least):
        return
    now = found
    for _ in range(_TRIES):
        width, height = figure.get_size_inches()
        columns, rows = places[0].get_subplotspec().get_gridspec().get_geometry()[::-1]  # type: ignore[union-attr]
        width += min(_STEP, columns * max(0.0, least[0] - now[0]))
        height += min(_STEP, rows * max(0.0, least[1] - now[1]))
        figure.set_size_inches(width, height)
        fit(figure, places)
        now = _smallest(figure, places)
        if _enough(now, least):
            break
    width, height = (float(side) for side in figure.get_size_inches())
    raise InvalidInput(
        f"size={size!r} is too small for this picture: a panel would be {found[0]:.1f} × {found[1]:.1f} inches, and "
        f"its words and points need {least[0]:.1f} × {least[1]:.1f}. It can be read from about "
        f"({width + 0.05:.1f}, {height + 0.05:.1f}) on."
    )


def settle(figure: Figure) -> bool:
    """Lay a figure out; return whether there was room for its axes at all."""
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        figure.draw_without_rendering()
    return not any("collapsed" in str(each.message) for each in told)


def renderer_for(figure: Figure) -> Any:
    """Return what measures texts in pixels, on whatever canvas the figure is shown."""
    canvas = figure.canvas
    renderer = FigureCanvasAgg(figure).get_renderer()  # type: ignore[no-untyped-call]
    figure.set_canvas(canvas)
    return renderer


def _smallest(figure: Figure, places: Sequence[Axes]) -> Inches:
    """Return the width of the narrowest panel and the height of the lowest, in inches; nothing if there is no room."""
    if not settle(figure):
        return 0.0, 0.0
    boxes = [axes.get_window_extent() for axes in places if axes.get_visible()]
    return min(box.width for box in boxes) / figure.dpi, min(box.height for box in boxes) / figure.dpi


def _enough(found: Inches, least: Inches) -> bool:
    return all(has >= needs - 0.02 for has, needs in zip(found, least, strict=True))


def _fit_texts(axes: Axes, renderer: Any) -> None:
    frame = axes.get_window_extent(renderer)
    room = _right_of(axes, renderer) - frame.x0
    lines = 0
    for text in axes.texts:
        if text.get_label():
            lines += _break(text, room, renderer)
    if lines:
        axes.set_title(axes.get_title(loc="left"), pad=(12.0 + 14.0 * lines) * scale())
    _break(heading_of(axes), room, renderer)
    _break(axes.xaxis.label, frame.width, renderer)
    _break(axes.yaxis.label, frame.height, renderer, along=1)


def _right_of(axes: Axes, renderer: Any) -> float:
    """Return where what stands above axes has to end: at the next axes with a title, or at the edge of the figure."""
    figure: Figure = axes.figure.figure
    frame = axes.get_window_extent(renderer)
    end: float = figure.bbox.width
    for other in figure.axes:
        box = other.get_window_extent(renderer)
        if heading_of(other).get_text() and box.x0 > frame.x1 and box.y0 < frame.y1 and frame.y0 < box.y1:
            marks = other.yaxis.get_tightbbox(renderer) if other.get_visible() else None
            end = min(end, box.x0 if marks is None else marks.x0)
    return end - _EDGE


def _break(text: Text, room: float, renderer: Any, along: int = 0) -> int:
    """Break a text into as few lines as fit into so many pixels; return how many."""
    words = str(text.get_label()) or text.get_text()
    if not words:
        return 0
    text.set_label(words)

    def too_long(line: str) -> bool:
        text.set_text(line)
        return bool(text.get_window_extent(renderer).size[along] > room)

    lines: list[str] = []
    for paragraph in words.split("\n"):
        line = ""
        for word in paragraph.split(" "):
            longer = f"{line} {word}" if line else word
            if line and too_long(longer):
                lines.append(line)
                longer = word
            line = longer
        lines.append(line)
    text.set_text("\n".join(lines))
    return len(lines)


def _thin(axis: Axis, renderer: Any) -> None:
    """Write fewer numbers along an axis where they would run into each other."""
    locator = axis.get_major_locator()
    if isinstance(locator, LogLocator):
        fewer = [LogLocator(numticks=number) for number in (20, 8, 5, 3)]
    elif isinstance(locator, FixedLocator):
        places = list(locator())
        fewer = [FixedLocator(places[::step]) for step in (2, 3, len(places) or 1)]  # type: ignore[misc]
    else:
        fewer = [MaxNLocator(number) for number in (7, 5, 4, 3, 2)]  # type: ignore[misc]
    for each in fewer:
        if not _crowded(axis, renderer):
            return
        axis.set_major_locator(each)


def _crowded(axis: Axis, renderer: Any) -> bool:
    axis.get_majorticklabels()  # which brings them up to date
    low, high = sorted(axis.get_view_interval())
    boxes = sorted(
        (tick.label1.get_window_extent(renderer) for tick in axis.get_major_ticks()
         if low <= tick.get_loc() <= high and tick.label1.get_text()),
        key=lambda box: box.x0,
    )  # fmt: skip
    return any(left.x1 + _APART > right.x0 for left, right in pairwise(boxes))


def _fit_legend(axes: Axes, renderer: Any) -> None:
    """Move a legend that leaves its axes no room below the picture, if that is of one panel."""
    legend = axes.get_legend()
    if legend is None or len(axes.figure.axes) > 1:
        return
    own, frame = legend.get_window_extent(renderer), axes.get_window_extent(renderer)
    if own.width > _LARGEST_LEGEND[0] * frame.width or own.height > _LARGEST_LEGEND[1] * frame.height:
        size = legend.get_texts()[0].get_fontsize()
        legend.remove()
        legend_below(axes.figure.figure, *axes.get_legend_handles_labels(), size)


def legend_below(figure: Figure, handles: Sequence[Any], words: Sequence[str], size: Any) -> None:
    """Write a legend below all panels, with as many columns as fit beside one another."""
    renderer = renderer_for(figure)
    for columns in range(min(_COLUMNS, len(words)), 0, -1):
        legend = figure.legend(
            handles, words, loc="outside lower left", ncols=columns, fontsize=size, handlelength=3.0
        )
        if columns == 1 or legend.get_window_extent(renderer).width <= figure.bbox.width:
            return
        legend.remove()
