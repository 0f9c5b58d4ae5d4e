"""How often, how long and whom a client asks: attempts with growing pauses, up to a deadline; and how they may end."""

from __future__ import annotations

import queue
import random
import time
from collections.abc import Callable, Sequence
from threading import Thread
from typing import Any

import httpx

from steadyarm.errors import InvalidInput, SteadyarmError
from steadyarm.words import counted

PASSING = (502, 503, 504)
_FIRST_WAIT, _LONGEST_WAIT = 0.05, 2.0  # seconds between two attempts
_CONNECT_TIMEOUT_SECONDS = 1.0  # for a connection, where another address can be asked instead
_GRACE_SECONDS = 0.01  # in which what limits itself may say so
_SHORTEST_ATTEMPT_SECONDS = 0.25  # with less until a deadline no other attempt is worth beginning


class LiveError(SteadyarmError):
    """A refusal of the service; `code` is stable, `status` is HTTP's."""

    def __init__(self, status: int, problem: dict[str, Any]) -> None:
        super().__init__(problem.get("detail", f"HTTP status {status}"))
        self.status = status
        self.code: str = problem.get("code", "unknown")
        self.problem = problem


class NoAnswer(SteadyarmError, TimeoutError):
    """Nobody answered in time; whether the call was done is not known, and the same call again is safe."""


def check_deadline(seconds: float) -> float:
    """Return a deadline, if it is one."""
    if not seconds > 0.0:
        raise InvalidInput(f"deadline must be positive; got {seconds!r}. It is in seconds.")
    return seconds


class Addresses:
    """Where the service may be: one address, or those of a server and its standbys; asks the one that answered last."""

    def __init__(self, urls: str | Sequence[str]) -> None:
        self._urls = [url.rstrip("/") for url in ([urls] if isinstance(urls, str) else urls)]
        if not self._urls:
            raise InvalidInput("a client needs at least one URL, like http://127.0.0.1:8470; got none.")
        self._now = 0

    def __len__(self) -> int:
        return len(self._urls)

    @property
    def now(self) -> str:
        """The address to ask."""
        return self._urls[self._now]

    def next(self, failed: str) -> None:
        """Ask the next one from now on, unless another thread has gone on from the one that failed already."""
        if self.now == failed:
            self._now = (self._now + 1) % len(self._urls)


class Attempts:
    """The attempts of one call: where and how long each is made, whether and when there is another."""

    def __init__(self, call: str, addresses: Addresses, most: int, timeout: float, deadline: float) -> None:
        self._call = call
        self._addresses = addresses
        self._address = addresses.now
        self._most = most * len(addresses)
        self._timeout = timeout
        self._deadline = deadline
        self._until = time.monotonic() + self._deadline
        self._made = 0
        self._end = self._until  # of the attempt that is being made

    def begin(self) -> tuple[str, float]:
        """Return the address of the next attempt, and how many seconds it may take."""
        self._made += 1
        self._address = self._addresses.now
        begun = time.monotonic()
        seconds = max(0.001, min(self._timeout, self._until - begun))
        self._end = begun + seconds
        return self._address, seconds

    def limits(self, seconds: float) -> httpx.Timeout:
        """Return the limits of an attempt; where there is another address, a dead one is given up soon."""
        connect = min(seconds, _CONNECT_TIMEOUT_SECONDS) if len(self._addresses) > 1 else seconds
        return httpx.Timeout(seconds, connect=connect)

    def read(self, response: httpx.Response) -> httpx.Response:
        """Return a response with all of its body; httpx limits the time between two pieces, and not that of all."""
        pieces = []
        for piece in response.iter_bytes():
            if time.monotonic() > self._end:
                raise httpx.ReadTimeout("the answer came too slowly", request=response.request)
            pieces.append(piece)
        return httpx.Response(response.status_code, content=b"".join(pieces))

    def after(self, response: httpx.Response) -> float | None:
        """Return the seconds until the next attempt; None if the response is the answer."""
        return self._next() if _passing(response) else None

    def lost(self, error: Exception) -> float:
        """Return the seconds until the next attempt after one without a response."""
        wait = self._next()
        if wait is None:
            reason = str(error).rstrip(".") or type(error).__name__
            raise NoAnswer(
                f"no answer to {self._call} in {counted(self._made, 'attempt')} within {self._deadline:g} seconds "
                f"({reason}). "
                "Whether it was done is not known; the same call again is safe: a unit keeps its arm, and the first "
                "reward stays."
            ) from error
        return wait

    def _next(self) -> float | None:
        self._addresses.next(self._address)
        rounds, rest = divmod(self._made, len(self._addresses))
        wait = 0.0 if rest else pause(rounds)  # every address once, and then a pause
        another = (
            self._made < self._most and time.monotonic() + wait + _SHORTEST_ATTEMPT_SECONDS < self._until
        )
        return wait if another else None


def within(seconds: float, ask: Callable[[], httpx.Response]) -> httpx.Response:
    """Return the response to a request, if it is all there in time; one that hangs is left to its thread.

    httpx limits each wait for a socket, but neither how long headers come piece by piece nor the look-up of a name.
    """
    ends: queue.SimpleQueue[httpx.Response | BaseException] = queue.SimpleQueue()

    def run() -> None:
        try:
            ends.put(ask())
        except BaseException as error:
            ends.put(error)

    Thread(target=run, daemon=True).start()
    try:
        end = ends.get(timeout=seconds + _GRACE_SECONDS)
    except queue.Empty:
        raise httpx.ReadTimeout("the answer came too slowly") from None
    if isinstance(end, BaseException):
        raise end
    return end


def _passing(response: httpx.Response) -> bool:
    """Whether the same call may be answered later; damage does not go away by itself."""
    return response.status_code in PASSING and refusal(response).code != "damaged"


def refusal(response: httpx.Response) -> LiveError:
    """Return a response that is no success as an error."""
    try:
        problem = response.json()
    except ValueError:
        problem = {}
    return LiveError(response.status_code, problem if isinstance(problem, dict) else {})


def pause(attempt: int) -> float:
    """Return a pause that doubles, with a random part so that many clients do not come back at once."""
    doubled = _FIRST_WAIT * 2.0 ** min(attempt - 1, 10)  # whoever follows a stream may try for days
    return min(_LONGEST_WAIT, doubled) * random.uniform(0.5, 1.0)
