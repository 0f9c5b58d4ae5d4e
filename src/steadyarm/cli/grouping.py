"""Groups of options: a command names the group, Typer sees the group's options one by one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import MISSING, fields, is_dataclass
from functools import wraps
from inspect import Parameter, Signature, signature
from typing import Any, get_type_hints


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
            flat.append(parameter.replace(annotation=hints[parameter.name], kind=Parameter.KEYWORD_ONLY))
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
            annotation=hints[field.name],
        )
        for field in fields(group)
    ]
