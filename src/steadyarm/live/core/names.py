"""Names and texts that clients give: what they may look like, and how a refused one is shown."""

from __future__ import annotations

import re
import unicodedata
from typing import Any

from steadyarm.live.core.problems import Problem

NAME_PATTERN = r"^[A-Za-z0-9_][A-Za-z0-9_.:@+=~-]{0,127}$"
"""Names of experiments: 1 to 128 letters, digits and _ . : @ + = ~ -, the first one no sign but _."""

LONGEST_UNIT = 256  # characters

LONGEST_TEXT = 1000

_NAME = re.compile(NAME_PATTERN[1:-1])
_PLAIN = re.compile(r"[!-~]+").fullmatch  # visible ASCII: what most units are called
_PLACES = (".", "..")  # in an address, however they are written there
_NO_TEXT = {"Cc", "Cs", "Zl", "Zp"}  # control characters, halves of characters, ends of lines and paragraphs


def check_name(value: Any) -> str:
    """Return the name of an experiment.

    >>> check_name("colours")
    'colours'
    """
    if not isinstance(value, str) or not _NAME.fullmatch(value):
        raise Problem(
            "invalid",
            "the name of an experiment must be 1 to 128 letters, digits or any of _ . : @ + = ~ -, and begin with a "
            f"letter, digit or _; got {shown(value)}.",
        )
    return value


def check_unit(value: Any) -> str:
    """Return the name of a unit, as it is: é in one character and in two are two units.

    >>> check_unit("orders/2026 №17 <zoë@example.org>")
    'orders/2026 №17 <zoë@example.org>'
    """
    if isinstance(value, str) and 0 < len(value) <= LONGEST_UNIT and value not in _PLACES:
        if _PLAIN(value):
            return value
        if value.strip() == value and not _NO_TEXT.intersection(map(unicodedata.category, value)):
            return value
    raise Problem(
        "invalid",
        f"the name of a unit must be 1 to {LONGEST_UNIT} characters, none of them a control character or the end of a "
        f"line, without a space at its beginning or end, and not . or ..; got {shown(value)}.",
    )


def check_text(value: Any, what: str, shortest: int = 0) -> str:
    """Return a text that people will read: at most 1,000 characters, none of them a control character."""
    fine = isinstance(value, str) and shortest <= len(value) <= LONGEST_TEXT
    if not fine or not all(character.isprintable() or character in "\n\t" for character in value):
        raise Problem(
            "invalid",
            f"{what} must be a text of {shortest} to {LONGEST_TEXT:,} characters without control characters; "
            f"got {shown(value)}.",
        )
    return str(value)


def shown(value: Any) -> str:
    """Return a refused value as an error shows it: not endlessly."""
    text = repr(value)
    return text if len(text) <= 100 else text[:97] + "..."


def repeated(values: list[str]) -> str:
    """Return the first of some values that stands there twice.

    >>> repeated(["a", "b", "c", "b"])
    'b'
    """
    return next(value for place, value in enumerate(values) if value in values[:place])
