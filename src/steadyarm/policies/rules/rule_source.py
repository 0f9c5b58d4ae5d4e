"""The source of a user's rule: its lines, and whether it draws from a generator that no run could repeat."""

from __future__ import annotations

import dis
import linecache
import random
import re
from collections.abc import Iterator
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any, NamedTuple

import numpy as np

from steadyarm.policies.core.fingerprints import with_helpers

_PLACE = re.compile(r'File "(?P<file>[^"]+)", line (?P<line>\d+)|(?:at|from) (?P<at>\S+) \((?P<number>\d+)\)')
_GENERATORS = (random.Random, np.random.RandomState, np.random.Generator)


class Line(NamedTuple):
    """A line of a file, and what stands there."""

    file: str
    number: int

    def __str__(self) -> str:
        text = linecache.getline(self.file, self.number).strip()
        return f"line {self.number} of {Path(self.file).name}" + (f", `{text}`" if text else "")


def line_in(message: str, function: Any) -> Line:
    """Return the first line of a function, or of its helpers, that a message of the compiler is about.

    A message names the innermost place first, and places in the compiler's own files among them. One without a
    place has a name that stands in the line.

    >>> str(line_in('No such thing at /somewhere/rule_source.py (1)', line_in)).partition(",")[0]
    'line 1 of rule_source.py'
    """
    codes = [each.__code__ for each in with_helpers(function)]
    files = {Path(code.co_filename).name: code.co_filename for code in codes}
    named = _line_with_name(message, codes)
    if named is not None and "is not defined" in message:
        return named
    for place in _PLACE.finditer(message):
        name = Path(place["file"] or place["at"]).name
        if name in files:
            return Line(files[name], int(place["line"] or place["number"]))
    return named or Line(codes[0].co_filename, codes[0].co_firstlineno)


def _line_with_name(message: str, codes: list[CodeType]) -> Line | None:
    """Return the first line with the name that a message is about: for messages that do not say where."""
    about = re.search(r"(?:name|attribute) '(\w+)'", message)
    for code in codes if about else ():
        for number in sorted({number for _, _, number in code.co_lines() if number}):
            if about and about[1] in re.findall(r"\w+", linecache.getline(code.co_filename, number)):
                return Line(code.co_filename, number)
    return None


def draw_of_its_own(function: Any) -> Line | None:
    """Return the first line where a function, or a helper, uses NumPy's or Python's random numbers."""
    for each in with_helpers(function):
        for code in _with_inner(each.__code__):
            value: Any = None
            for step in dis.get_instructions(code):
                if step.opname == "LOAD_GLOBAL":
                    value = each.__globals__.get(step.argval)
                elif step.opname in ("LOAD_ATTR", "LOAD_METHOD") and isinstance(value, ModuleType):
                    value = getattr(value, step.argval, None)
                else:
                    value = None
                if _has_state(value) and step.positions is not None:
                    return Line(code.co_filename, step.positions.lineno or code.co_firstlineno)
    return None


def _has_state(value: Any) -> bool:
    owner = getattr(value, "__self__", value)
    return value is random or value is np.random or isinstance(owner, _GENERATORS)


def _with_inner(code: CodeType) -> Iterator[CodeType]:
    yield code
    for each in code.co_consts:
        if isinstance(each, CodeType):
            yield from _with_inner(each)
