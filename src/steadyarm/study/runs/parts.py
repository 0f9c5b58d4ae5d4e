"""Parts: ranges of runs in Parquet files that are whole or not there at all.

The name of a part ends with the checksum of its bytes, so one that is there and unharmed can be told from
anything else without a second file.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import secrets
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

from steadyarm.disk import sync_folder
from steadyarm.study.runs.blocks import Piece, Rows
from steadyarm.study.runs.keys import canonical, own_version

FORMAT = 1

_MOST_COLUMNS = 256  # arms with a column of their own; more of them share a list
_ABANDONED_AFTER_SECONDS = 3600.0  # then a half-written file belongs to nobody


@dataclass(frozen=True)
class PartFolder:
    """The parts of one simulation, each a range of runs."""

    folder: Path
    what: str
    key: str
    description: dict[str, Any]
    announce: Callable[[], None]
    note: Callable[[str], None]

    def pieces(self, at: int, runs: int) -> Iterator[tuple[int, int, Piece]]:
        """Yield stored pieces that cover as much of runs `at`, …, `runs` − 1 as there is, without overlap."""
        parts = self._parts()
        while at < runs:
            here = [part for part in parts if part.first <= at < part.last]
            if not here:
                at = min((part.first for part in parts if part.first > at), default=runs)
                continue
            part = max(here, key=lambda one: one.last)
            piece = self._read(part)
            if piece is None:
                parts.remove(part)
                continue
            end = min(part.last, runs)
            rows = piece.rows[at - part.first : end - part.first]
            yield at, end, Piece(rows, piece.tolerance, piece.total_variation)
            at = end

    def put(self, first: int, piece: Piece) -> Path:
        """Write a part; when this returns, it is on the disk."""
        self.announce()
        make_folder(self.folder)
        last = first + len(piece.rows)
        data = _to_parquet(first, piece, self._facts(first, last, piece))
        path = self.folder / f"{self.what}-{first:010}-{last:010}-{_checksum(data)}.parquet"
        write_whole(path, data)
        return path

    def _facts(self, first: int, last: int, piece: Piece) -> dict[str, Any]:
        return {
            "key": self.key,
            "what": self.what,
            "first": first,
            "last": last,
            "tolerance": piece.tolerance,
            "total_variation": piece.total_variation,
            "of": self.description,
            "versions": versions(),
        }

    def _parts(self) -> list[_Part]:
        """List what is there, and sweep away what a killed process left half-written."""
        parts = []
        for path in self.folder.glob("*") if self.folder.is_dir() else ():
            if path.name.startswith("."):
                _sweep(path)
            elif match := re.fullmatch(
                rf"{self.what}-(\d{{10}})-(\d{{10}})-([0-9a-f]{{16}})\.parquet", path.name
            ):
                parts.append(_Part(path, int(match[1]), int(match[2]), match[3]))
        return sorted(parts, key=lambda part: part.path.name)

    def _read(self, part: _Part) -> Piece | None:
        """Return what a part holds; one that is damaged is set aside."""
        try:
            data = part.path.read_bytes()
        except FileNotFoundError:  # another process has set it aside
            return None
        if _checksum(data) == part.checksum:
            rows, facts = _from_parquet(data)
            if (facts["key"], facts["first"], facts["last"]) == (self.key, part.first, part.last):
                return Piece(rows, facts["tolerance"], facts["total_variation"])
        aside = part.path.with_suffix(".damaged")
        os.replace(part.path, aside)
        self.note(f"{part.path} was damaged and is computed again; the damaged file is kept as {aside.name}.")
        return None


@dataclass(frozen=True)
class _Part:
    path: Path
    first: int
    last: int
    checksum: str


def write_whole(path: Path, data: bytes) -> None:
    """Write a file so that it appears whole or not at all, and stays even if the power fails afterwards."""
    temporary = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    try:
        with open(temporary, "xb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    sync_folder(path.parent)


def make_folder(folder: Path) -> None:
    """Make a folder, and its name last."""
    if not folder.is_dir():
        folder.mkdir(parents=True, exist_ok=True)
        sync_folder(folder.parent)


def _sweep(path: Path) -> None:
    try:
        if time.time() - path.stat().st_mtime > _ABANDONED_AFTER_SECONDS:
            path.unlink()
    except FileNotFoundError:  # its writer has just finished it
        pass


def _checksum(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:16]


def _to_parquet(first: int, piece: Piece, facts: dict[str, Any]) -> bytes:
    import pyarrow as pa
    from pyarrow import parquet

    rows = piece.rows
    columns: dict[str, Any] = {"run": np.arange(first, first + len(rows))}
    if rows.shape[1] <= _MOST_COLUMNS:
        columns |= {f"arm_{arm}": np.ascontiguousarray(rows[:, arm]) for arm in range(rows.shape[1])}
    else:
        columns["arms"] = pa.FixedSizeListArray.from_arrays(pa.array(rows.ravel()), rows.shape[1])
    table = pa.table(columns).replace_schema_metadata({"steadyarm": canonical(facts)})
    sink = pa.BufferOutputStream()
    parquet.write_table(table, sink, compression="zstd")
    return bytes(sink.getvalue())


def _from_parquet(data: bytes) -> tuple[Rows, dict[str, Any]]:
    import pyarrow as pa
    from pyarrow import parquet

    # In this thread: a process that ends while Arrow is still starting threads of its own is aborted.
    table = parquet.ParquetFile(pa.BufferReader(data), pre_buffer=False).read(use_threads=False)
    facts = json.loads(table.schema.metadata[b"steadyarm"])
    if "arms" in table.column_names:
        arms = table["arms"].combine_chunks()
        return arms.values.to_numpy().reshape(len(arms), -1), facts
    return np.column_stack([table[name].to_numpy() for name in table.column_names[1:]]), facts


@cache
def versions() -> dict[str, str]:
    """Return the versions of what computed the numbers."""
    return {"steadyarm": own_version(), "numpy": version("numpy"), "numba": version("numba")}
