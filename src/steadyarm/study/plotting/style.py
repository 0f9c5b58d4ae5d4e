"""The look of every picture: one style, colours that colour-blind readers can tell apart, words on axes."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# Okabe & Ito's palette, in an order in which neighbours differ in lightness too.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#000000")

MARKERS = ("o", "s", "^", "D", "v", "P", "X")
LINES = ("-", "--", "-.", ":", (0, (5, 1)), (0, (3, 1, 1, 1, 1, 1)), (0, (1, 1)))

METHOD_LOOKS = {  # the colour and the marker of each kind of interval
    "oracle": (COLOURS[6], "d"),
    "wald": (COLOURS[1], "o"),
    "wilson": (COLOURS[2], "^"),
    "exact": (COLOURS[5], "v"),
    "anytime": (COLOURS[0], "s"),
    "auto": (COLOURS[3], "P"),
}

_STYLE: Any = {
    "figure.dpi": 100,
    "savefig.dpi": 160,
    "savefig.facecolor": "white",
    "figure.facecolor": "white",
    "font.size": 11,
    "axes.titlesize": 13,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.titlepad": 12,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.color": "#E4E4E4",
    "legend.frameon": False,
    "svg.hashsalt": "steadyarm",
    "pdf.fonttype": 42,  # letters as TrueType, which journals ask for
}


_UNDATED: dict[str, dict[str, Any] | None] = {
    ".png": None,
    ".svg": {"Date": None},
    ".pdf": {"CreationDate": None},
}


@contextmanager
def house_style(letters: float = 1.0) -> Iterator[None]:
    """Draw in the house style, on a canvas that needs no screen; letters have a share of their usual size."""
    import matplotlib as mpl

    smaller = {name: letters * _STYLE[name] for name in ("font.size", "axes.titlesize", "axes.titlepad")}
    with mpl.rc_context(_STYLE | smaller):
        yield


def scale() -> float:
    """Return the size of letters in the picture that is being drawn, as a share of the usual one."""
    import matplotlib as mpl

    return float(mpl.rcParams["font.size"]) / float(_STYLE["font.size"])


def letter_size(size: float) -> float:
    """Return the size of a text in the picture that is being drawn, from that in one of the usual size."""
    return size * scale()


def save_figure(figure: Figure, folder: Path, name: str) -> list[Path]:
    """Write a figure as PNG, SVG and PDF into a folder, which is made if need be; the same bytes on every day."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = [folder / f"{name}{ending}" for ending in _UNDATED]
    with house_style():
        figure.draw_without_rendering()  # lays it out, once for all three
        layout = figure.get_layout_engine()
        figure.set_layout_engine("none")
        for path in paths:
            figure.savefig(path, metadata=_UNDATED[path.suffix])
        figure.set_layout_engine(layout)
    return paths


def look(place: int, every: float | None = None) -> dict[str, Any]:
    """Return how the line of a place is drawn, told apart from 48 others by its marker and its dashes.

    `every` is the distance between markers as a share of the picture, for lines of many points.

    >>> look(0)["marker"], look(1)["marker"], look(1)["linestyle"]
    ('o', 's', '--')
    """
    kept = place % len(COLOURS)
    dashes = LINES[(place + place // len(COLOURS)) % len(LINES)]  # others in each turn of the markers
    style: dict[str, Any] = {"color": COLOURS[kept], "marker": MARKERS[kept], "linestyle": dashes}
    return style if every is None else style | {"markevery": (0.02 * kept, every), "markersize": 5}


def label_axis(axis: Any) -> None:
    """Write plain numbers on a logarithmic axis, or powers of ten if one is long; steps of 2 and 5 if few."""
    from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

    low, high = axis.get_view_interval()
    steps = (1.0, 2.0, 5.0) if high / max(low, 1e-300) < 300.0 else (1.0,)
    axis.set_major_locator(LogLocator(subs=steps, numticks=20))
    # Limits may still change: how numbers are written is decided when they are.
    axis.set_major_formatter(
        FuncFormatter(lambda value, _place: number_words(value, *axis.get_view_interval()))
    )
    axis.set_minor_formatter(NullFormatter())


def number_words(value: float, *others: float) -> str:
    r"""Write a number as all on its axis are: plain, or as a power of ten if it or one of the others is long.

    >>> number_words(20_000), number_words(20_000, 1, 1e6), number_words(1e6)
    ('20,000', '$2\\cdot10^{4}$', '$10^{6}$')
    """
    if all(1e-3 <= each < 1e6 for each in (value, *others)):
        return f"{value:,.10g}"
    digits, power = f"{value:.2e}".split("e")
    digits = digits.rstrip("0").rstrip(".")
    return f"$10^{{{int(power)}}}$" if digits == "1" else rf"${digits}\cdot10^{{{int(power)}}}$"
