"""Groups of options: a command names the group, Typer sees the group's options one by one.

A real number among them is read by us, so that 0,5 is refused in words that help.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from copy import copy
from dataclasses import MISSING, fields, is_dataclass
from functools import wraps
from inspect import Parameter, Signature, signature
from typing import Annotated, Any, get_args, get_type_hints

import typer
from typer.models import OptionInfo


def grouped(command: Callable[..., None]) -> Callable[..., None]:
    """Let a command have parameters that are dataclasses of options.

    >>> from dataclasses import dataclass
    >>> @dataclass
    ... class Output:
    ...     out: str
    ...     as_json: bool = False
    >>> @grouped
    ... def show(*, level: float = 0.95, output: Output) -> None:
    ...     print(level, output)
    >>> list(signature(show).parameters)
    ['level', 'out', 'as_json']
    >>> show(level=0.9, out="here", as_json=True)
    0.9 Output(out='here', as_json=True)
    """
    hints = get_type_hints(command, include_extras=True)
    groups: dict[str, Any] = {name: kind for name, kind in hints.items() if is_dataclass(kind)}
    flat: list[Parameter] = []
    for parameter in signature(command).parameters.values():
        kind = groups.get(parameter.name)
        if kind is None:
            annotation = _with_reader(hints[parameter.name])
            flat.append(parameter.replace(annotation=annotation, kind=Parameter.KEYWORD_ONLY))
        else:
            flat += _options(kind)

    @wraps(command)
    def run(**given: Any) -> None:
        members = {
            name: kind(**{field.name: given.pop(field.name) for field in fields(kind)})
            for name, kind in groups.items()
        }
        command(**given, **members)

    del run.__wrapped__
    run.__signature__ = Signature(flat)  # type: ignore[attr-defined]
    run.__annotations__ = {parameter.name: parameter.annotation for parameter in flat}
    return run


def _options(group: Any) -> list[Parameter]:
    hints = get_type_hints(group, include_extras=True)
    return [
        Parameter(
            field.name,
            Parameter.KEYWORD_ONLY,
            default=Parameter.empty if field.default is MISSING else field.default,
            annotation=_with_reader(hints[field.name]),
        )
        for field in fields(group)
    ]


def real_number(text: str) -> float:
    """Read 0.5, 1e-3 or 100000.

    >>> real_number("1e-3")
    0.001
    """
    try:
        return float(text)
    except ValueError:
        raise typer.BadParameter(
            f"{text!r} should be a valid number; write it like 0.5 or 1e6: a decimal point, no thousands separators."
        ) from None


def _with_reader(annotation: Any) -> Any:
    """Let an option that is a real number, and has no reader of its own, be read by `real_number`."""
    kind, *rest = get_args(annotation) if hasattr(annotation, "__metadata__") else (annotation,)
    if not rest or not isinstance(rest[0], OptionInfo) or rest[0].parser or kind not in (float, float | None):
        return annotation
    option = copy(rest[0])
    option.parser = real_number
    option.metavar = option.metavar or "<float>"
    return Annotated[kind, option]


def in_options(message: str, command: Callable[..., None]) -> str:
    """Return a message of the library in the words of the command line: its options in place of parameters.

    A name without an underscore may be a plain word: it stays as it is unless it is given a value.

    >>> Spread, Runs = (Annotated[float, typer.Option(name)] for name in ("--max-sd", "--runs"))
    >>> @grouped
    ... def show(*, max_sd: Spread, runs: Runs) -> None: ...
    >>> in_options("max_sd must be positive. Plan more runs, or runs=100; give runs= anyway.", show)
    '--max-sd must be positive. Plan more runs, or --runs 100; give --runs anyway.'
    """
    options: dict[str, str] = {}
    for parameter in signature(command).parameters.values():
        for option in getattr(parameter.annotation, "__metadata__", ()):
            if isinstance(option, OptionInfo) and str(option.default).startswith(
                "--"
            ):  # the first of its names
                options[parameter.name] = str(option.default)
    if "arms" in options:
        options["n_arms"] = options["arms"]

    def named(match: re.Match[str]) -> str:
        name, value = match["name"], match["value"]
        if name not in options or (value is None and "_" not in name):
            return match[0]
        return options[name] if value in (None, "", "True") else f"{options[name]} {value}"

    value = r"(?:=(?P<value>'[^']*'|[\w.]*\w|(?=[\s,.;])))?"
    return re.sub(rf"(?<![\w/.`'-])(?P<name>[a-z]\w*){value}(?![\w/=])", named, message)
