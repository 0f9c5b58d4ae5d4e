"""Tables in files: CSV for people, Parquet for programs, and rows fit for JSON."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd


def save_table(frame: pd.DataFrame, folder: Path, name: str) -> list[Path]:
    """Write a table as CSV and Parquet into a folder, which is made if need be."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = [folder / f"{name}.csv", folder / f"{name}.parquet"]
    frame.to_csv(paths[0], index=False, lineterminator="\n")
    frame.to_parquet(paths[1], index=False)
    return paths


def save_json(state: dict[str, Any], folder: Path, name: str) -> Path:
    """Write a plain dict as JSON into a folder, which is made if need be."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name}.json"
    path.write_text(json.dumps(state, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    return path


def plain_rows(frame: pd.DataFrame) -> list[dict[str, Any]]:
    """Return the rows as dicts of plain numbers and words, to the last bit, with None for what is not finite.

    >>> import pandas as pd
    >>> plain_rows(pd.DataFrame({"value": [0.1 + 0.2, float("inf")]}))
    [{'value': 0.30000000000000004}, {'value': None}]
    """
    return [
        {
            str(name): None if isinstance(value, float) and not math.isfinite(value) else value
            for name, value in row.items()
        }
        for row in frame.to_dict("records")
    ]
