"""Names and texts that clients give: what they may look like, and how a refused one is shown."""

from __future__ import annotations

import re
from typing import Any

from steadyarm.live.core.problems import Problem

NAME_PATTERN = r"^[A-Za-z0-9_][A-Za-z0-9_.:@+=~-]{0,127}$"
"""Names of experiments and units: 1 to 128 letters, digits and _ . : @ + = ~ -, the first one no sign but _."""

LONGEST_TEXT = 1000

_NAME = re.compile(NAME_PATTERN[1:-1])


def check_name(value: Any, what: str) -> str:
    """Return the name of an experiment or a unit.

    >>> check_name("visitor-17", "unit")
    'visitor-17'
    """
    if not isinstance(value, str) or not _NAME.fullmatch(value):
        raise Problem(
            "invalid",
            f"the name of {what} must be 1 to 128 letters, digits or any of _ . : @ + = ~ -, and begin with a "
            f"letter, digit or _; got {shown(value)}.",
        )
    return value


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
