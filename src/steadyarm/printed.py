"""Tables as people print them: a value and its interval in one cell, for a notebook or for LaTeX."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from steadyarm.errors import InvalidInput
from steadyarm.model import checks
from steadyarm.theory.estimates import Estimate
from steadyarm.words import amount, measured

if TYPE_CHECKING:
    import pandas as pd

INTERVALS = ("ends", "half")
_MISSING = "–"
_SMALLEST, _LARGEST = 1e-4, 1e15  # beyond, a power of ten says it
_MINUS = re.compile(r"(?<![\w.)])-(?=\.?\d)")  # before a number; a hyphen stands between words
_HAT = re.compile("(.)\u0302")  # a letter with a hat
_SPECIAL = str.maketrans(
    {sign: f"\\{sign}" for sign in "&%#_{}"} | {"~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}
)
_IN_LATEX = str.maketrans(
    {
        "±": r"$\pm$",
        "−": "$-$",
        "∞": r"$\infty$",
        "×": r"$\times$",
        "′": "$'$",
        "√": r"$\surd$",
        "α": r"$\alpha$",
        "β": r"$\beta$",
        "ε": r"$\varepsilon$",
        "σ": r"$\sigma$",
        "–": "--",
        "…": r"\dots{}",
        "≥": r"$\geq$",
        "≤": r"$\leq$",
        "λ": r"$\lambda$",
        "μ": r"$\mu$",
        "\u0302": "",  # a hat, which stands behind its letter: see _HATS
    }
)


def printed(
    frame: pd.DataFrame, columns: Sequence[str] | None = None, interval: str = "ends"
) -> pd.DataFrame:
    """Return a table of texts; columns x, x_low and x_high become one, and so do a column and low and high behind it.

    `interval` is "ends" for 1.2 [1.1, 1.4], or "half" for 1.2 ± 0.2, with the larger of both sides where they differ;
    all are rounded to two digits of that side. A row whose `source` is "exact" has no intervals.

    >>> import pandas as pd
    >>> frame = pd.DataFrame({"policy": ["MOSS"], "regret": [41.3], "regret_low": [39.9], "regret_high": [43.0]})
    >>> printed(frame).values.tolist(), printed(frame, interval="half").values.tolist()
    ([['MOSS', '41.3 [39.9, 43.0]']], [['MOSS', '41.3 ± 1.7']])
    """
    import pandas as pd

    checks.one_of(interval, "interval", INTERVALS)
    ends = _ends(list(frame.columns))
    behind = {name for pair in ends.values() for name in pair}
    chosen = [name for name in frame.columns if name not in behind] if columns is None else list(columns)
    unknown = [name for name in chosen if name not in frame.columns]
    if unknown:
        known = ", ".join(name for name in frame.columns if name not in behind)
        raise InvalidInput(f"the table has no column {unknown[0]!r}. It has {known}.")
    exact = [source == "exact" for source in frame.get("source", [""] * len(frame))]
    texts = []
    for name in chosen:
        parts = [frame[part].tolist() for part in (name, *ends.get(name, ()))]
        rows = zip(exact, zip(*parts, strict=True), strict=True)
        texts.append([cell(*values[: 1 if known else 3], interval=interval) for known, values in rows])
    titles = [name.replace("_", " ") for name in chosen]
    return pd.DataFrame(dict(zip(titles, texts, strict=True)), columns=titles, dtype=object)


def latex(
    frame: pd.DataFrame,
    columns: Sequence[str] | None = None,
    *,
    interval: str = "ends",
    caption: str | None = None,
    label: str | None = None,
) -> str:
    r"""Return a table for LaTeX, which needs the package booktabs; with a caption or a label it floats.

    A caption with a $ or a backslash is taken as LaTeX; in any other one %, & and the like are escaped.

    >>> import pandas as pd
    >>> print(latex(pd.DataFrame({"policy": ["ε-greedy"], "arm_share": [0.25], "gap": [-0.1]})))
    \begin{tabular}{lrr}
    \toprule
    policy & arm share & gap \\
    \midrule
    $\varepsilon$-greedy & 0.25 & $-$0.1 \\
    \bottomrule
    \end{tabular}
    <BLANKLINE>
    """
    texts = printed(frame, columns, interval)
    names = [name for name in frame.columns if frame[name].map(lambda value: isinstance(value, str)).all()]
    words = {name.replace("_", " ") for name in names}
    form = "".join("l" if name in words else "r" for name in texts.columns)
    how = {"caption": caption and _caption(caption), "label": label} if caption or label else {}
    texts = texts.map(lambda text: _MINUS.sub("−", text))
    text: str = texts.to_latex(index=False, escape=True, column_format=form, **how)
    return _translated(text)


def _caption(words: str) -> str:
    """Return a caption as LaTeX: one with a $ or a backslash is LaTeX already, any other is text."""
    if "$" in words or "\\" in words:
        # Letters like α are put into $…$ below, which inside of another one would end it.
        inside = words.split("$")
        inside[1::2] = [_translated(part).replace("$", "") for part in inside[1::2]]
        return "$".join(inside)
    return words.translate(_SPECIAL)


def _translated(text: str) -> str:
    """Return a text in which signs beyond ASCII are those of LaTeX."""
    return _HAT.sub(r"$\\hat{\1}$", text).replace("$\\hat{λ}$", r"$\hat{\lambda}$").translate(_IN_LATEX)


def cell(value: Any, low: float | None = None, high: float | None = None, *, interval: str = "ends") -> str:
    """Return what stands in a cell.

    >>> cell(0.5), cell(2.0, -math.inf, math.inf), cell(math.nan), cell(12_000), cell([0.0, -0.25])
    ('0.5', '2.000 [−∞, ∞]', '–', '12,000', '0, -0.25')
    """
    if isinstance(value, list | tuple):
        return ", ".join(cell(each) for each in value)
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "yes" if value else "no"
    if value is None or value != value:
        return _MISSING
    if low is None or high is None:
        return f"{value:,}" if isinstance(value, int) else _number(value)
    half = max(value - low, high - value)
    if not (math.isfinite(half) and half > 0.0 and _SMALLEST < abs(value) + half < _LARGEST):
        text = measured(Estimate(value, low, high, runs=0))
        middle = text.partition(" ")[0]
        return (
            text if interval == "ends" else f"{middle} ± {'∞' if not math.isfinite(half) else f'{half:.2g}'}"
        )
    digits = 1 - math.floor(math.log10(float(f"{half:.1e}")))  # behind the point; two of the half are said
    if interval == "half":
        return f"{_rounded(value, digits)} ± {_rounded(half, digits)}"
    return f"{_rounded(value, digits)} [{_rounded(low, digits)}, {_rounded(high, digits)}]"


def _rounded(value: float, digits: int) -> str:
    """Return a number with so many digits behind the point, or rounded to tens, hundreds, … before it."""
    return f"{round(value, digits) + 0.0:,.{max(0, digits)}f}"


def _number(value: float) -> str:
    if math.isinf(value):
        return "∞" if value > 0.0 else "−∞"
    return amount(value, digits=4)


def _ends(names: list[str]) -> dict[str, tuple[str, str]]:
    """Return the columns that have an interval, and where it stands."""
    found = {name: (f"{name}_low", f"{name}_high") for name in names if f"{name}_low" in names}
    if "low" in names and "high" in names:
        found[names[names.index("low") - 1]] = ("low", "high")
    return found
