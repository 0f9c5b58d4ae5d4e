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
}


@contextmanager
def house_style() -> Iterator[None]:
    """Draw in the house style, on a canvas that needs no screen."""
    import matplotlib as mpl

    with mpl.rc_context(_STYLE):
        yield


def save_figure(figure: Figure, folder: Path, name: str) -> list[Path]:
    """Write a figure as PNG and SVG into a folder, which is made if need be."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = [folder / f"{name}.png", folder / f"{name}.svg"]
    with house_style():
        for path in paths:
            figure.savefig(path, metadata={"Date": None} if path.suffix == ".svg" else None)
    return paths


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
