"""A baseline from past outcomes: a file or a column is read once, and says its mean, its spread and its size."""

from __future__ import annotations

import math
import re
import warnings
from io import StringIO
from os import PathLike
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from steadyarm.errors import InvalidInput, InvalidType
from steadyarm.numerics.arrays import Floats
from steadyarm.words import counted

_SEPARATORS = (",", ";", "\t")
_NUMBER = r"[+-]?(\d+[.,]?\d*|[.,]\d+)([eE][+-]?\d+)?"
_WITH_COMMA = r"\s*[+-]?\d+(,\d+)?\s*"


class PastData(NamedTuple):
    """What past outcomes say: `sd` is None for outcomes that are all 0 or 1, whose mean is a rate."""

    mean: float
    sd: float | None
    size: int
    name: str

    @property
    def words(self) -> str:
        """What was read, as a sentence.

        >>> past_data([0, 1, 0, 0]).words
        'The baseline is read from 4 past outcomes (the data given): all 0 or 1, a rate of 0.25.'
        """
        found = f"all 0 or 1, a rate of {self.mean:.4g}"
        if self.sd is not None:
            found = f"a mean of {self.mean:.6g} with a standard deviation of {self.sd:.6g}"
        return f"The baseline is read from {counted(self.size, 'past outcome')} ({self.name}): {found}."


def is_data(baseline: Any) -> bool:
    """Whether a baseline is data, or names a file; a plain list could be meant as a mean and its standard deviation."""
    return isinstance(baseline, str | PathLike | np.ndarray) or hasattr(baseline, "to_numpy")


def past_data(source: Any, column: str | None = None) -> PastData:
    """Read outcomes from the path of a CSV file, a pandas column or table, or a list of numbers.

    Args:
        source: the file or the data.
        column: its name, needed where there are several.
    """
    import pandas as pd

    if isinstance(source, str) and not source.strip():
        raise InvalidInput(
            f"baseline must be a rate, (mean, sd) or past data; got {source!r}. Give 0.03 for 3%, or the path of a "
            "CSV file."
        )
    name = "the data given"
    if isinstance(source, str | PathLike):
        name, source = Path(source).name, _read(Path(source))
    if isinstance(source, pd.DataFrame):
        source, name = _column(source, column, name)
    elif column is not None:
        raise InvalidInput(f"column={column!r} is for a table of several columns. Leave it out.")
    values = _numbers(source, name)
    mean, is_rate = float(values.mean()), bool(np.isin(values, (0.0, 1.0)).all())
    if is_rate and 0.0 < mean < 1.0:
        return PastData(mean, None, values.size, name)
    sd = float(values.std(ddof=1))
    if not sd > 0.0 or not math.isfinite(mean + sd):
        raise InvalidInput(
            f"past outcomes must vary; those of {name} have a standard deviation of {sd:g}. Give a column of outcomes."
        )
    return PastData(mean, sd, values.size, name)


def _read(path: Path) -> Any:
    """Return the table of a CSV file, whatever separates its cells: a comma, a semicolon or a tab."""
    import pandas as pd

    try:
        text = path.read_text(encoding="utf-8-sig").strip("\r\n")  # a blank line at the end is no outcome
        with warnings.catch_warnings():
            warnings.simplefilter("error", pd.errors.ParserWarning)  # cells that no column is named for
            separator = max(_SEPARATORS, key=text.partition("\n")[0].count)
            table = pd.read_csv(StringIO(text), sep=separator, index_col=False, skip_blank_lines=False)
    except FileNotFoundError:
        raise InvalidInput(
            f"past data must be a CSV file; there is no file {path}. Check the path; a rate is a number, 0.03 for 3%."
        ) from None
    except UnicodeDecodeError:
        raise InvalidInput(
            f"past data must be a CSV file in UTF-8; {path.name} is not. Save it as one, in a spreadsheet as CSV UTF-8."
        ) from None
    except OSError as refused:
        raise InvalidInput(
            f"past data must be a file that can be read; {path} is not: {refused.strerror}. Give the path of "
            "a CSV file."
        ) from None
    except pd.errors.EmptyDataError as refused:
        raise InvalidInput(
            f"past data must be a CSV file whose first line names the columns; {path.name}: {refused}."
        ) from None
    except (pd.errors.ParserError, pd.errors.ParserWarning):
        raise InvalidInput(
            f"past data must have as many cells in each line as the first line names; {path.name} does not. If numbers "
            "have decimal commas, separate cells by semicolons, or write decimal points."
        ) from None
    table.columns = [str(each).strip() for each in table.columns]
    if all(re.fullmatch(_NUMBER, each) for each in table.columns):
        raise InvalidInput(
            f"past data must be a CSV file whose first line names the columns; that of {path.name} has "
            f"{table.columns[0]}, a number. Write a name above the outcomes."
        )
    return table


def _column(table: Any, column: str | None, name: str) -> tuple[Any, str]:
    known = [str(each) for each in table.columns]
    if column is None and len(known) > 1:
        raise InvalidInput(
            f"past data of several columns needs the name of one; {name} has {', '.join(known)}. Give one, like "
            f"column={known[0]!r}."
        )
    if column is None:
        column = known[0] if known else ""
    column = column.strip()
    if column not in known:
        raise InvalidInput(f"{name} has no column {column!r}. It has {', '.join(known) or 'none'}.")
    return table[column], f"{name}, column {column}"


def _numbers(values: Any, name: str) -> Floats:
    import pandas as pd

    if np.ndim(values) != 1:
        raise InvalidInput(
            f"past outcomes must be one list of numbers; those of {name} have {counted(np.ndim(values), 'dimension')}. "
            "Give one column."
        )
    series = pd.Series(values)
    if series.isna().any():
        missing = int(series.isna().sum())
        raise InvalidInput(
            f"past outcomes must all be known; {missing:,} of {len(series):,} in {name} are missing. Leave those rows "
            "out, or fill them in."
        )
    series = _with_points(series, name)
    try:
        found: Floats = series.to_numpy(dtype=float)
    except (TypeError, ValueError):
        wrong = series[pd.to_numeric(series, errors="coerce").isna()].iloc[0]
        raise InvalidType(
            f"past outcomes must be numbers; those of {name} are not, {wrong!r} for one. Give another column, or write "
            "numbers like 1234.5."
        ) from None
    if not np.isfinite(found).all():
        raise InvalidInput(
            f"past outcomes must be numbers; those of {name} are not, {found[~np.isfinite(found)][0]} for one. Leave "
            "those rows out."
        )
    if found.size < 2:
        raise InvalidInput(f"past data must have two outcomes or more; {name} has {found.size}.")
    return found


def _with_points(series: Any, name: str) -> Any:
    """Return numbers that are written with decimal commas with points; 1,234 alone could be either."""
    import pandas as pd

    if not pd.api.types.is_string_dtype(series) or not series.str.fullmatch(_WITH_COMMA).all():
        return series
    written = series[series.str.contains(",")]
    if len(written) and (written.str.strip().str.partition(",")[2].str.len() == 3).all():
        example = written.iloc[0]
        whole, _, end = example.partition(",")
        raise InvalidInput(
            f"past outcomes must be clear numbers; {example} in {name} could be {whole}.{end} or {whole}{end}. Write "
            "them with a decimal point, and without thousands separators."
        )
    return series.str.replace(",", ".")
