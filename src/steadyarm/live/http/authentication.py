"""Who asks: tokens are known in memory, and the store is read again only so often, whatever is asked.

A right token costs a hash. A wrong one, which might be one made a moment ago, waits for the next reading together with
all others; and the answer that refuses it waits for its turn, so that guessing takes nothing from those who may ask.
"""

from __future__ import annotations

import asyncio
import hmac
import math
import re
import time
from concurrent.futures import ThreadPoolExecutor

from steadyarm.live.core.journal import moment, now
from steadyarm.live.core.problems import Problem
from steadyarm.live.storage import failures
from steadyarm.live.storage.tokens import Token, Tokens, hashed, identity_of

REREAD_AFTER = 1.0  # seconds for which what was read is good; so long a revoked token may live
REREAD_BEFORE = 0.05  # seconds between two readings at least
REFUSALS = 200  # a second
LONGEST_WAIT = 2.0  # seconds for a refusal


class Authentication:
    """The tokens of a service in memory."""

    def __init__(self, tokens: Tokens) -> None:
        self._tokens = tokens
        self._known: dict[str, Token] = {}
        self._ends: dict[str, float] = {}  # of tokens that expire, on the clock that never goes back
        self._read_at = -math.inf  # when the reading of what is known began
        self._tried_at = -math.inf
        self._reading: asyncio.Future[None] | None = None
        # A thread of its own, so that no token waits behind other reads.
        self._thread = ThreadPoolExecutor(1, "steadyarm-tokens")
        self._turn = 0.0

    async def find(self, secret: str) -> Token | None:
        """Return the token; None if it is wrong or revoked. What was good before the store failed stays good."""
        started, found = time.monotonic(), self._matching(secret)
        try:
            # Also with an id that is known: the time of the answer does not tell known ids from others.
            await self._reread(started if found is None else started - REREAD_AFTER)
        except Exception as error:
            if found is None or not failures.of_the_store(error):
                raise
            return found
        return self._matching(secret)

    async def is_valid(self, token: Token) -> bool:
        """Whether a token that was good is so still."""
        try:
            await self._reread(time.monotonic() - REREAD_AFTER)
        except Exception as error:
            if not failures.of_the_store(error):
                raise
        return token.id in self._known and not self._is_over(token)

    async def wait_to_refuse(self) -> None:
        """Wait for the turn of a refusal; only when there are many of them is there something to wait for."""
        now = time.monotonic()
        self._turn = min(max(self._turn, now - 0.5) + 1.0 / REFUSALS, now + LONGEST_WAIT)
        if self._turn > now:
            await asyncio.sleep(self._turn - now)

    def close(self) -> None:
        """End the thread."""
        self._thread.shutdown()

    def _matching(self, secret: str) -> Token | None:
        found = self._known.get(identity_of(secret))
        right = hmac.compare_digest(found.hash if found else hashed(""), hashed(secret))
        return found if right and found and not self._is_over(found) else None

    def _is_over(self, token: Token) -> bool:
        """Whether a token has expired; one that has does not come back when the machine's clock is set back."""
        return token.is_over or self._ends.get(token.id, math.inf) <= time.monotonic()

    async def _reread(self, since: float) -> None:
        """Return when what is known was read no earlier than at a time; all who wait share one reading."""
        while self._read_at < since:
            if self._reading is None:
                self._reading = asyncio.ensure_future(self._read())
            await asyncio.shield(self._reading)

    async def _read(self) -> None:
        try:
            await asyncio.sleep(self._tried_at + REREAD_BEFORE - time.monotonic())
            started = self._tried_at = time.monotonic()
            found = await asyncio.get_running_loop().run_in_executor(self._thread, self._tokens.all)
            self._known = {token.id: token for token in found if token.revoked_at is None}
            self._ends = {
                each.id: self._ends.get(each.id, started + moment(each.expires_at) - moment(now()))
                for each in self._known.values()
                if each.expires_at is not None
            }
            self._read_at = started
        finally:
            self._reading = None


_OF_ONE = re.compile(r"/(?:v1/experiments|ofrep/v1/evaluate/flags)/([^/]+)(?:/.*)?")
_OF_ALL = re.compile(
    r"/v1/(token|experiments|plan|simulations(/.*)?)|/ofrep/v1/evaluate/flags|/openapi\.json"
)


def check_experiment(token: Token, path: str) -> None:
    """Refuse a token for one experiment on any path about others; what lists experiments shows that one only."""
    if token.experiment is None:
        return
    found = _OF_ONE.fullmatch(path)
    if (found and found[1] == token.experiment) or (not found and _OF_ALL.fullmatch(path)):
        return
    raise Problem(
        "forbidden",
        f"this token is for experiment {token.experiment!r} only. `steadyarm live token` without --experiment makes "
        "one for all of them.",
    )


def require(token: Token | None, scope: str) -> None:
    """Refuse a token without a scope."""
    if token is not None and not token.allows(scope):
        raise Problem(
            "forbidden",
            f"this call needs the scope {scope!r}; the token has {', '.join(sorted(token.scopes))}. "
            f"`steadyarm live token --scope {scope}` makes one.",
        )
