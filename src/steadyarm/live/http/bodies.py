"""Request bodies: of some size, in UTF-8, JSON without surprises, read in time that grows with the size alone."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Awaitable, Callable, MutableMapping
from typing import TYPE_CHECKING, Any, TypeVar

from pydantic import ValidationError

from steadyarm.live.core.journal import members
from steadyarm.live.core.names import shown
from steadyarm.live.core.problems import Problem
from steadyarm.live.http.schemas import Body

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails

M = TypeVar("M", bound=Body)

_TEXTS = re.compile(
    rb'"[^"\\]*(?:\\.[^"\\]*)*"?', re.DOTALL
)  # one without an end reaches to the end of the body

_HALVES = re.compile(rb"\\u[dD][89a-fA-F]")

Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]

LARGEST_BODY = 1 << 18
DEEPEST = 64
MOST_VALUES = 20_000  # twice as many as the means of the largest plan
MOST_DIGITS = sys.get_int_max_str_digits()  # of a whole number; a longer one would take Python too long


async def read(headers: dict[bytes, bytes], receive: Receive) -> bytes:
    """Return the whole body of a request."""
    declared = headers.get(b"content-length", b"0")
    if declared.isdigit() and int(declared) > LARGEST_BODY:
        raise _too_large()
    parts, size = [], 0
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise Problem("malformed", "the client went away.")
        part = message.get("body", b"")
        size += len(part)
        if size > LARGEST_BODY:
            raise _too_large()
        parts.append(part)
        if not message.get("more_body", False):
            return b"".join(parts)


def parse(body: bytes) -> Any:
    """Return what a JSON body says.

    >>> parse(b'{"units": ["u1"]}')
    {'units': ['u1']}
    """
    if _values(body) > MOST_VALUES and _values(_TEXTS.sub(b"", body)) > MOST_VALUES:
        raise Problem("malformed", f"the body may hold {MOST_VALUES:,} values at most. Send less at a time.")
    try:
        given = json.loads(_text(body), object_pairs_hook=members)
    except RecursionError:
        raise _too_deep() from None
    except json.JSONDecodeError as wrong:
        raise Problem("malformed", f"the body must be JSON: {wrong}. Send it as a JSON object.") from None
    except ValueError:
        raise Problem(
            "malformed",
            f"the body has a member twice, or a number of more than {MOST_DIGITS:,} digits. Send each member once, and "
            "numbers with fewer digits.",
        ) from None
    if body.count(b"[") + body.count(b"{") > DEEPEST and _is_too_deep(given):
        raise _too_deep()
    if _HALVES.search(body):
        _check_characters(given)
    return given


def parse_as(model: type[M], body: bytes) -> M:
    """Return a JSON body as a model; what breaks its rules is a problem that states the rule, the value and a remedy.

    >>> from steadyarm.live.http.schemas import Units
    >>> parse_as(Units, b'{"units": ["u1"]}').units
    ['u1']
    >>> parse_as(Units, b'{"units": []}')
    Traceback (most recent call last):
    ...
    steadyarm.live.core.problems.Problem: units: list should have at least 1 item ...; got []. Send a body like ...
    """
    given = parse(body)
    try:
        return model.model_validate(given)
    except ValidationError as wrong:
        raise _broken_rule(model, given, wrong.errors(include_url=False)[0]) from None


def _broken_rule(model: type[Body], given: Any, first: ErrorDetails) -> Problem:
    members = ", ".join(model.model_fields)
    if not isinstance(given, dict) or first["type"] == "extra_forbidden":
        rule = f"the body must be a JSON object with no members but {members}; got {shown(given)}"
    elif first["type"] == "missing":
        rule = f"the body must have the member {'.'.join(map(str, first['loc']))}; got {shown(given)}"
    else:
        where = ".".join(map(str, first["loc"]))
        rule = f"{where}: {first['msg'][0].lower()}{first['msg'][1:]}; got {shown(first['input'])}"
    return Problem("invalid", f"{rule}. Send a body like {json.dumps(model.example)}.")


def _text(body: bytes) -> str:
    try:
        return body.decode("utf-8-sig")
    except UnicodeDecodeError as wrong:
        raise Problem(
            "malformed",
            f"the body must be JSON in UTF-8; byte {wrong.start} is 0x{body[wrong.start]:02x}. Send it in UTF-8.",
        ) from None


def _check_characters(given: Any) -> None:
    """Refuse half a character: JSON can write one, and neither UTF-8 nor a database can hold it."""
    try:
        json.dumps(given, ensure_ascii=False).encode()
    except UnicodeEncodeError as wrong:
        half = f"\\u{ord(wrong.object[wrong.start]):x}"
        raise Problem(
            "malformed",
            f"the body must be text, and has {half}, which is half a character. Send both halves, or the character "
            "itself in UTF-8.",
        ) from None


def _values(body: bytes) -> int:
    """Return how many values a body holds at most; a text may look like more than one."""
    return body.count(b",") + body.count(b"[") + body.count(b"{") + 1


def _is_too_deep(given: Any) -> bool:
    """Whether lists and objects stand in each other more than so deep: one level is taken off after the other."""
    level: list[Any] = [[given]]
    for _ in range(DEEPEST + 1):
        inside = [each.values() if isinstance(each, dict) else each for each in level]
        level = [item for items in inside for item in items if isinstance(item, dict | list)]
        if not level:
            return False
    return True


def _too_deep() -> Problem:
    return Problem(
        "malformed", f"the body may be nested {DEEPEST} deep at most. No call needs so much: send it flatter."
    )


def _too_large() -> Problem:
    return Problem(
        "too_large", f"a request body may have {LARGEST_BODY:,} bytes at most. Send less at a time."
    )
