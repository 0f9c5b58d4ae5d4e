"""The one decorator for compiled functions, so that all of them are compiled alike.

Numba without fast-math keeps every IEEE operation as written; `nogil` lets ranges of runs share a thread
pool; the cache on disk makes the second start fast. `.py_func` of a compiled function is its plain Python.
"""

import sys
from collections.abc import Callable
from typing import Any, TypeVar, cast

import numba
from numba.core import event

F = TypeVar("F", bound=Callable[..., Any])


def compiled(function: F) -> F:
    """Compile a scalar function or kernel with Numba, on first use, once per machine."""
    return cast(F, numba.njit(cache=True, nogil=True, error_model="numpy")(function))


class _CompilationNotice(event.Listener):
    """Says, the first time a process has to compile, that the silence is a compilation."""

    said = False

    def on_start(self, _event: event.Event) -> None:
        if not _CompilationNotice.said:
            _CompilationNotice.said = True
            print(
                "steadyarm: compiling for this machine; this happens once and is kept on disk ...",
                file=sys.stderr,
                flush=True,
            )

    def on_end(self, _event: event.Event) -> None:
        pass


event.register("numba:compile", _CompilationNotice())  # type: ignore[no-untyped-call]
