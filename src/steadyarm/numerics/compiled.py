"""The one decorator for compiled functions, so that all of them are compiled alike.

Numba without fast-math keeps every IEEE operation as written; `nogil` lets ranges of runs share a thread
pool; the cache on disk makes the second start fast. `.py_func` of a compiled function is its plain Python.
"""

import hashlib
import sys
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from typing import Any, ClassVar, TypeVar, cast
from weakref import WeakSet

import numba
from numba.core import event

from steadyarm.numerics.wide_vectors import WideCompiler

F = TypeVar("F", bound=Callable[..., Any])

_UNCACHED: WeakSet[Any] = WeakSet()
"""Compiled functions that are not cached on disk."""

_njit = partial(numba.njit, nogil=True, error_model="numpy", pipeline_class=WideCompiler)

_LAYERS_WITH_KERNELS = ("numerics", "model", "policies", "theory", "engines")


def compiled(function: F) -> F:
    """Compile a function or kernel with Numba, on first use, once per machine."""
    return _compiled(function, forceinline=False)


def inlined(function: F) -> F:
    """Compile a small function into its callers, so that a loop that calls it can be vectorised."""
    return _compiled(function, forceinline=True)


def _compiled(function: F, forceinline: bool) -> F:
    try:
        dispatcher = _njit(cache=True, forceinline=forceinline)(function)
    except RuntimeError:  # no place on this machine where a cache could be written
        return uncached(function)
    # Numba's cache watches the function's own file only, but a kernel contains what it calls in other files.
    # The version, unlike the source stamp, is compared before anything in the cache is unpickled.
    dispatcher._cache._cache_file._version += package_stamp()  # type: ignore[attr-defined]
    return cast(F, dispatcher)


def uncached(function: F) -> F:
    """Compile a function for this process only: for kernels that contain a user's own functions."""
    dispatcher = _njit()(plain_function(function))
    _UNCACHED.add(dispatcher)
    return cast(F, dispatcher)


def plain_function(function: Any) -> Any:
    """Return the plain Python behind a compiled function; a plain one as it is."""
    return getattr(function, "py_func", function)


def is_compiled(function: Any) -> bool:
    """Whether a function is a compiled one, or will be on first use."""
    return plain_function(function) is not function


@cache
def package_stamp() -> str:
    """Change with any source file of the layers that hold kernels."""
    package = Path(__file__).parent.parent
    sources = [path for layer in _LAYERS_WITH_KERNELS for path in (package / layer).rglob("*.py")]
    stamps = [(str(path), path.stat().st_mtime_ns, path.stat().st_size) for path in sources]
    return hashlib.sha256(repr(sorted(stamps)).encode()).hexdigest()


class _CompilationNotice(event.Listener):
    """Says, the first time a process has to compile, that the silence is a compilation, and whether it is cached."""

    said: ClassVar[set[bool]] = set()
    """Of what is cached on disk, and of what is not."""

    def on_start(self, started: event.Event) -> None:
        dispatcher = started.data["dispatcher"]
        ours = (dispatcher.py_func.__module__ or "").startswith("steadyarm.")
        cached = dispatcher not in _UNCACHED
        if ours and cached not in _CompilationNotice.said:
            _CompilationNotice.said.add(cached)
            print(
                f"steadyarm: compiling for first use{'; cached on disk' if cached else ''} ...",
                file=sys.stderr,
                flush=True,
            )

    def on_end(self, _event: event.Event) -> None:
        pass


event.register("numba:compile", _CompilationNotice())  # type: ignore[no-untyped-call]
