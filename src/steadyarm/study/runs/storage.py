"""A study on disk: a folder with a manifest and Parquet parts, safe against being killed at any moment.

The manifest says what the study is, so that a folder is not used for another one by mistake. The parts (see
`parts.py`) are found by what they are a function of. Several processes may use one folder at once: what two of
them write under one name is the same.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from steadyarm.errors import InvalidInput, OtherStudy
from steadyarm.study.runs.keys import canonical, digest
from steadyarm.study.runs.parts import FORMAT, PartFolder, make_folder, versions, write_whole

MANIFEST = "study.json"

_IDENTITY = ("kind", "configuration")
_MOST_DIFFERENCES = 5
_WIDEST = 60  # letters of a value
_BEFORE = 16  # of them before the place where two values differ
_MISSING = object()


class Store:
    """The folder of a study. `note` takes sentences about what was found broken and mended."""

    def __init__(self, folder: Path, note: Callable[[str], None]) -> None:
        self.folder, self.note = folder, note
        self._announced: dict[str, Any] | None = None

    def begin(self, kind: str, configuration: dict[str, Any], runs: int | None = None) -> None:
        """Say what the folder is for; a folder that is for something else is refused.

        The number of runs is no part of the configuration: it may grow and shrink from call to call. The
        manifest is written with the first part, so that a call that fails before leaves nothing behind.
        """
        asked = _new_manifest(kind, configuration, runs)
        manifest = self._manifest()
        if manifest is not None:
            self._refuse_another(manifest, asked)
        self._announced = asked

    def announce(self) -> None:
        """Write the manifest, if it is not there or was for fewer runs."""
        manifest, asked = self._manifest(), self._announced
        if manifest is None:
            self._write(asked or _new_manifest("simulations", {}, None))  # simulations of any kind
        elif asked is not None:
            self._refuse_another(manifest, asked)
            if (manifest.get("runs") or 0) < (asked["runs"] or 0):
                self._write(manifest | {"runs": asked["runs"]})

    def _write(self, manifest: dict[str, Any]) -> None:
        make_folder(self.folder)
        text = json.dumps(manifest, indent=2, ensure_ascii=False) + "\n"
        write_whole(self.folder / MANIFEST, text.encode())

    def _refuse_another(self, manifest: dict[str, Any], asked: dict[str, Any]) -> None:
        stored, wanted = ({key: one.get(key) for key in _IDENTITY} for one in (manifest, asked))
        found = list(_differences(stored, wanted))
        if not found:
            return
        shown = [
            f"{path.removeprefix('configuration.')} (stored {one}, asked {other})"
            for path, one, other in ((path, *_apart(*ends)) for path, *ends in found[:_MOST_DIFFERENCES])
        ]
        more = f" and {len(found) - len(shown)} more" if len(found) > len(shown) else ""
        raise OtherStudy(
            f"the study in {self.folder} is another one; it differs in {', '.join(shown)}{more}. "
            "Ask for what is stored, or use another folder."
        )

    def part_folder(self, what: str, name: str, description: dict[str, Any]) -> PartFolder:
        """Return the place of the parts that a description names."""
        key = digest(description | {"what": what, "format": FORMAT})
        return PartFolder(
            self.folder / "parts" / f"{name}-{key[:20]}", what, key, description, self.announce, self.note
        )

    def _manifest(self) -> dict[str, Any] | None:
        path = self.folder / MANIFEST
        try:
            text = path.read_bytes()
        except FileNotFoundError:
            return None
        try:
            manifest = json.loads(text)
            if not isinstance(manifest["format"], int):
                raise TypeError
        except (ValueError, TypeError, KeyError):
            raise InvalidInput(
                f"{path} cannot be read as the manifest of a study. If it should be one, delete this file: the "
                "parts beside it name themselves and will be used."
            ) from None
        if manifest["format"] > FORMAT:
            raise InvalidInput(
                f"{path} has format {manifest['format']}, and this steadyarm reads up to {FORMAT}. Upgrade it."
            )
        return dict(manifest)


def _new_manifest(kind: str, configuration: dict[str, Any], runs: int | None) -> dict[str, Any]:
    return {
        "format": FORMAT,
        "kind": kind,
        "configuration": json.loads(canonical(configuration)),
        "runs": runs,
        "created": datetime.now(UTC).isoformat(timespec="seconds"),
        "versions": versions(),
    }


def _differences(stored: Any, asked: Any, path: str = "") -> Iterator[tuple[str, Any, Any]]:
    """Yield (where, stored, asked) for everything in which two plain values differ."""
    if isinstance(stored, dict) and isinstance(asked, dict):
        for key in [*asked, *(key for key in stored if key not in asked)]:
            place = f"{path}.{key}" if path else key
            yield from _differences(stored.get(key, _MISSING), asked.get(key, _MISSING), place)
    elif isinstance(stored, list) and isinstance(asked, list) and len(stored) == len(asked):
        for place, (one, other) in enumerate(zip(stored, asked, strict=True)):
            yield from _differences(one, other, f"{path}[{place}]")
    elif stored != asked and (stored == stored or asked == asked):  # nan is the same as nan here
        yield path, stored, asked


def _apart(one: Any, other: Any) -> tuple[str, str]:
    """Return two values as texts; of long ones the part where they differ.

    >>> _apart(0.5, _MISSING)
    ('0.5', 'nothing')
    >>> _apart([*range(30), 7, 8], [*range(30), 9])
    ('… 26, 27, 28, 29, 7, 8]', '… 26, 27, 28, 29, 9]')
    """
    texts = [
        "nothing" if value is _MISSING else json.dumps(value, ensure_ascii=False) for value in (one, other)
    ]
    pairs = enumerate(zip(*texts, strict=False))
    first = next((place for place, (a, b) in pairs if a != b), min(map(len, texts)))
    begin = first - _BEFORE if first > _WIDEST // 2 else 0
    return tuple(_excerpt(text, begin) for text in texts)  # type: ignore[return-value]


def _excerpt(text: str, begin: int) -> str:
    if len(text) <= _WIDEST:
        return text
    end = begin + _WIDEST
    return f"{'… ' if begin else ''}{text[begin:end].strip()}{' …' if end < len(text) else ''}"
