"""The durable experiment: a journal, a service around it, and a client.

Needs the extra `live`: pip install 'steadyarm[live]'. Names are loaded on first use.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from steadyarm.live.analysis.journal import Journal, read_feedback, read_journal
    from steadyarm.live.attempts import LiveError, NoAnswer
    from steadyarm.live.client import AsyncClient, Client
    from steadyarm.live.http.service import Settings, create_app

_HOME = {
    "AsyncClient": "client",
    "Client": "client",
    "Journal": "analysis.journal",
    "LiveError": "attempts",
    "NoAnswer": "attempts",
    "Settings": "http.service",
    "create_app": "http.service",
    "read_feedback": "analysis.journal",
    "read_journal": "analysis.journal",
}

__all__ = [
    "AsyncClient",
    "Client",
    "Journal",
    "LiveError",
    "NoAnswer",
    "Settings",
    "create_app",
    "read_feedback",
    "read_journal",
]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'steadyarm.live' has no attribute {name!r}")
    try:
        value = getattr(import_module(f"steadyarm.live.{_HOME[name]}"), name)
    except ModuleNotFoundError as missing:
        if missing.name and missing.name.startswith("steadyarm"):
            raise
        raise ModuleNotFoundError(
            f"steadyarm.live needs {missing.name!r}. Install it with: pip install 'steadyarm[live]'",
            name=missing.name,
        ) from None
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
