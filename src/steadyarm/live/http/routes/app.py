"""All routes, with those about no experiment: health, tokens, and errors as problem documents."""

from __future__ import annotations

from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, Response

from steadyarm.live.core.names import shown
from steadyarm.live.core.problems import MEDIA_TYPE, Problem, unavailable
from steadyarm.live.http import schemas
from steadyarm.live.http.authentication import require
from steadyarm.live.http.documentation import answers
from steadyarm.live.http.fast_path import name_of
from steadyarm.live.http.metrics import CONTENT_TYPE
from steadyarm.live.http.monitoring import experiment_metrics
from steadyarm.live.http.routes.anchoring import add_anchoring_routes
from steadyarm.live.http.routes.defaults import add_default_routes
from steadyarm.live.http.routes.experiments import add_experiment_routes
from steadyarm.live.http.routes.flags import add_flag_routes
from steadyarm.live.http.routes.journal import add_journal_routes
from steadyarm.live.http.routes.planning import add_planning_routes
from steadyarm.live.http.routes.units import add_unit_routes
from steadyarm.live.http.service import Service
from steadyarm.live.storage.failures import answer_to


def add_routes(app: FastAPI, service: Service) -> None:
    """Add every route and the handlers that turn errors into problem documents."""
    _add_health(app, service)
    add_experiment_routes(app, service)
    _add_token(app)
    add_unit_routes(app, service)
    add_default_routes(app, service)
    add_journal_routes(app, service)
    add_anchoring_routes(app, service)
    add_planning_routes(app, service)
    add_flag_routes(app, service)
    _add_errors(app)


def _add_health(app: FastAPI, service: Service) -> None:
    @app.get(
        "/healthz",
        tags=["health"],
        responses=answers(200, model=schemas.Health),
        openapi_extra={"security": []},
    )
    async def healthz() -> Response:
        """Whether the process answers."""
        return JSONResponse({"status": "ok"})

    @app.get(
        "/readyz",
        tags=["health"],
        responses=answers(200, 503, model=schemas.Health),
        openapi_extra={"security": []},
    )
    async def readyz() -> Response:
        """Whether the store can be written."""
        if not await service.ready():
            raise unavailable()
        return JSONResponse({"status": "ready"})

    @app.get("/metrics", tags=["health"], responses=answers(200, 403, media="text/plain"))
    async def metrics(request: Request) -> Response:
        """Prometheus metrics; scope `read`."""
        require(request.scope["steadyarm.token"], "read")
        await service.ready()
        service.metrics.waiting.set(service.writer.waiting)
        service.metrics.streams.set(service.hub.open)
        lines = service.metrics.text() + await service.lanes.analyses.run(experiment_metrics, service)
        return Response(lines, media_type=CONTENT_TYPE)


def _add_token(app: FastAPI) -> None:
    @app.get("/v1/token", tags=["tokens"], responses=answers(200, model=schemas.Token))
    async def get_token(request: Request) -> Response:
        """Return what the token of this request may do; any token."""
        shown: dict[str, Any] = request.scope["steadyarm.token"].shown()
        del shown["revoked_at"]
        return JSONResponse(shown)


def _add_errors(app: FastAPI) -> None:
    def answer(request: Request, problem: Problem, headers: dict[str, str] | None = None) -> Response:
        content = problem.body(request.scope.get("steadyarm.request_id", ""))
        return Response(content, problem.status, headers, media_type=MEDIA_TYPE)

    async def on_problem(request: Request, error: Any) -> Response:
        return answer(request, error, {"retry-after": "1"} if error.status == 503 else None)

    async def on_invalid(request: Request, error: Any) -> Response:
        first = error.errors()[0]
        place, *names = map(str, first["loc"])
        rule = f"{'.'.join(names)} in the {place}: {first['msg'][0].lower()}{first['msg'][1:]}"
        remedy = "Put it right, or leave it out." if place == "query" else "GET /openapi.json describes it."
        return answer(request, Problem("invalid", f"{rule}; got {shown(first['input'])}. {remedy}"))

    async def on_http(request: Request, error: Any) -> Response:
        code = {404: "not_found", 405: "method_not_allowed"}.get(error.status_code, "malformed")
        asked = f"{request.method} {name_of(request.scope['path'])}"
        problem = Problem(code, f"{asked}: {error.detail}. GET /openapi.json describes every call.")
        return answer(request, problem, dict(error.headers or {}))

    async def on_other(request: Request, error: Exception) -> Response:
        return await on_problem(request, answer_to(error))  # it is raised once more, and `asgi.py` logs it

    app.add_exception_handler(Exception, on_other)
    app.add_exception_handler(Problem, on_problem)
    app.add_exception_handler(RequestValidationError, on_invalid)
    app.add_exception_handler(HTTPException, on_http)
