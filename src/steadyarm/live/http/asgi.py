"""What every request passes: its id, its token, its size, its line in the log; then the fast path or a route."""

from __future__ import annotations

import itertools
import json
import os
import re
import time
from collections.abc import Awaitable, Callable, MutableMapping
from typing import TYPE_CHECKING, Any

from steadyarm.live.core.logs import enabled, log
from steadyarm.live.core.problems import MEDIA_TYPE, Problem
from steadyarm.live.http import bodies, standby
from steadyarm.live.http.authentication import check_experiment
from steadyarm.live.http.bodies import Receive
from steadyarm.live.http.fast_path import fast_path_command, path_of
from steadyarm.live.http.pages import File, Pages
from steadyarm.live.http.streams import Ended
from steadyarm.live.storage import failures
from steadyarm.live.storage.tokens import Token

if TYPE_CHECKING:
    from steadyarm.live.http.service import Service

Scope = MutableMapping[str, Any]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]

_PUBLIC = frozenset(("/healthz", "/readyz"))
_OPEN = re.compile(r"/v1/(plan|simulations)(/.*)?")
_LONG = re.compile(r"/v1/experiments/[^/]+/(events|stream)")
_REQUEST_ID = re.compile(rb"[A-Za-z0-9._-]{1,64}")
_SLOW_BODY_SECONDS = 0.1  # of a body; if it took longer, its token is checked again
_NOT_GOOD = "the token is not known, has expired or was revoked. `steadyarm live token` makes one."
_PROCESS, _NUMBERS = os.urandom(6).hex().encode(), itertools.count(1)
_JSON = (b"content-type", b"application/json")
_PROBLEM = (b"content-type", MEDIA_TYPE.encode())
_SAFE = ((b"x-content-type-options", b"nosniff"), (b"referrer-policy", b"no-referrer"))
_UNKEPT = (*_SAFE, (b"cache-control", b"no-store"))


class Middleware:
    """The outermost layer of the service: it answers, or hands the request on to the routes."""

    def __init__(self, app: Any, service: Service) -> None:
        self.app = app
        self.service = service
        self.pages = Pages()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a request, or hand anything else on."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        started = time.perf_counter()
        headers = dict(scope["headers"])
        given = headers.get(b"x-request-id", b"")
        request_id = given if _REQUEST_ID.fullmatch(given) else b"%s-%x" % (_PROCESS, next(_NUMBERS))
        answer = _Answer(send, request_id)
        try:
            await self._serve(scope, headers, receive, answer, request_id.decode())
        except Problem as problem:
            await answer.problem(problem)
        except Ended:  # the answer is left without its end, so that nobody takes a part for the whole
            pass
        except Exception as error:
            await answer.problem(failures.report("store_failed", error, request_id=request_id.decode()))
        finally:
            seconds = time.perf_counter() - started
            method = scope["method"]
            self.service.metrics.answered(method, answer.status, seconds)
            if enabled("info"):
                log(
                    "info",
                    "request",
                    request_id=request_id.decode(),
                    method=method,
                    path=scope["path"],
                    status=answer.status,
                    milliseconds=round(seconds * 1e3, 2),
                    token=token.id if (token := scope.get("steadyarm.token")) else None,
                )

    async def _serve(
        self, scope: Scope, headers: dict[bytes, bytes], receive: Receive, answer: _Answer, request_id: str
    ) -> None:
        path, method = path_of(scope), scope["method"]
        scope["path"] = path
        if not self.service.active:
            if path != standby.HEALTH:
                raise standby.refusal()
            await answer.json(200, {"status": "standby"})
            return
        if method in ("GET", "HEAD") and not path.startswith("/v1/"):
            file = self.pages.find(path)
            if file is not None:
                await answer.file(file, headers.get(b"if-none-match", b""), method == "HEAD")
                return
        token = None
        if path not in _PUBLIC:
            token = await self._token(headers.get(b"authorization"), path)
            if token is not None:
                check_experiment(token, path)
        body = b""
        if method in ("PUT", "POST", "PATCH", "DELETE"):
            begun = time.monotonic()
            body = await bodies.read(headers, receive)
            if token is not None and time.monotonic() - begun > _SLOW_BODY_SECONDS:
                await self._check_still_good(token)
        scope["steadyarm.token"], scope["steadyarm.body"] = token, body
        scope["steadyarm.request_id"] = request_id
        command = fast_path_command(method, path, token, body)
        if command is not None:
            status, content = await self.service.write(command)
            await answer.json(status, content)
            return

        async def replay() -> MutableMapping[str, Any]:
            nonlocal body
            if body is not None:
                message, body = {"type": "http.request", "body": body, "more_body": False}, None  # type: ignore[assignment]
                return message
            return await receive()

        if method == "HEAD" and not _LONG.fullmatch(path):  # like GET; the server leaves the body out
            scope = {**scope, "method": "GET"}
        await self.app(scope, replay, answer.send)

    async def _token(self, authorization: bytes | None, path: str) -> Token | None:
        if self.service.settings.open_planning and _OPEN.fullmatch(path):
            return None
        scheme, _, secret = (authorization or b"").decode("latin-1").partition(" ")
        if scheme.lower() != "bearer" or not secret:
            wrong = "send the header 'Authorization: Bearer TOKEN'; `steadyarm live token` makes one."
        else:
            found = await self.service.authentication.find(secret)
            if found is not None:
                return found
            wrong = _NOT_GOOD
        await self.service.authentication.wait_to_refuse()
        raise Problem("unauthorized", wrong)

    async def _check_still_good(self, token: Token) -> None:
        """Refuse a token that was good when its request began, and is not now that it is all there."""
        if not await self.service.authentication.is_valid(token):
            raise Problem("unauthorized", _NOT_GOOD)


class _Answer:
    """Sends an answer with the request's id, and remembers its status."""

    def __init__(self, send: Send, request_id: bytes) -> None:
        self._send = send
        self._id = (b"x-request-id", request_id)
        self.status = 0

    async def send(self, message: MutableMapping[str, Any]) -> None:
        """Pass a message of the framework on."""
        if message["type"] == "http.response.start":
            self.status = message["status"]
            message["headers"] = [*message.get("headers", ()), self._id, *_UNKEPT]
        await self._send(message)

    async def json(self, status: int, content: Any) -> None:
        """Send a JSON answer."""
        await self._bytes(status, _JSON, json.dumps(content, ensure_ascii=False).encode(), ())

    async def file(self, file: File, known: bytes, head: bool) -> None:
        """Send a file of the page, or say that the browser has it already."""
        fresh = file.tag.encode() in known
        self.status = 304 if fresh else 200
        length = (b"content-length", str(len(file.body)).encode())
        headers = [*file.headers(), *_SAFE, self._id, *(() if fresh else (length,))]
        await self._send({"type": "http.response.start", "status": self.status, "headers": headers})
        await self._send({"type": "http.response.body", "body": b"" if fresh or head else file.body})

    async def problem(self, problem: Problem) -> None:
        """Send a problem document, unless an answer is on its way."""
        if self.status:
            return
        more: tuple[tuple[bytes, bytes], ...] = ()
        if problem.status == 401:
            more = ((b"www-authenticate", b"Bearer"),)
        if problem.status == 503:
            more = ((b"retry-after", b"1"),)
        if problem.status == 413:
            more = ((b"connection", b"close"),)
        await self._bytes(problem.status, _PROBLEM, problem.body(self._id[1].decode()), more)

    async def _bytes(
        self, status: int, kind: tuple[bytes, bytes], body: bytes, more: tuple[tuple[bytes, bytes], ...]
    ) -> None:
        self.status = status
        headers = [kind, (b"content-length", str(len(body)).encode()), self._id, *_UNKEPT, *more]
        await self._send({"type": "http.response.start", "status": status, "headers": headers})
        await self._send({"type": "http.response.body", "body": body})
