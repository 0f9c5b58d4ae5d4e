"""The routes of the API, but for planning: each translates a request and decides nothing."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any

from fastapi import FastAPI, Path, Query, Request
from fastapi.exceptions import RequestValidationError
from sqlalchemy.exc import SQLAlchemyError
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, Response, StreamingResponse

from steadyarm.live import queries, schemas, streams
from steadyarm.live.auditing import verify_stored
from steadyarm.live.commands import Create, Move, Void
from steadyarm.live.configuration import NAME_PATTERN, check_name, check_text, requested, resolve
from steadyarm.live.documentation import answers, body
from steadyarm.live.front import parse, parse_object, require
from steadyarm.live.history import MOST_POINTS
from steadyarm.live.journal import Broken
from steadyarm.live.logs import log
from steadyarm.live.metrics import CONTENT_TYPE
from steadyarm.live.problems import MEDIA_TYPE, Problem, internal, unavailable
from steadyarm.live.results import arms_of, results_of, state_of
from steadyarm.live.service import Service

_PAGE = 100

ExperimentName = Annotated[str, Path(pattern=NAME_PATTERN, description="The experiment's name.")]
UnitName = Annotated[str, Path(pattern=NAME_PATTERN, description="The unit: the idempotency key.")]


def add_routes(app: FastAPI, service: Service) -> None:
    """Add every route and the handlers that turn errors into problem documents."""
    from steadyarm.live.planning_routes import add_planning_routes

    _add_health(app, service)
    _add_experiments(app, service)
    _add_units(app, service)
    _add_journal(app, service)
    add_planning_routes(app, service)
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
        service.metrics.waiting.set(service.writer.waiting)
        return Response(service.metrics.text(), media_type=CONTENT_TYPE)


def _add_experiments(app: FastAPI, service: Service) -> None:
    @app.get(
        "/v1/experiments",
        tags=["experiments"],
        responses=answers(200, 403, 422, 503, model=schemas.Experiments),
    )
    async def list_experiments(
        request: Request,
        after: Annotated[str, Query(pattern="^[ -~]{0,128}$", description="List names after this one.")] = "",
        limit: Annotated[int, Query(ge=1, le=_PAGE)] = _PAGE,
    ) -> Response:
        """List experiments by name; scope `read`."""
        require(request.scope["steadyarm.token"], "read")

        def names() -> list[str]:
            with service.store.read() as connection:
                return [row[1] for row in queries.names(connection, after, limit)]

        async def state(name: str) -> dict[str, Any]:
            try:
                return state_of(await service.summary(name))
            except Problem as problem:
                if problem.code != "damaged":
                    raise
                return {"experiment": name, "state": "damaged", "detail": problem.detail}

        found = await asyncio.gather(*map(state, await run_in_threadpool(names)))
        return JSONResponse({"experiments": found})

    @app.put(
        "/v1/experiments/{experiment}",
        tags=["experiments"],
        responses=answers(201, 200, 400, 403, 409, 413, 422, 503, model=schemas.Experiment),
        openapi_extra=body(schemas.Configuration),
    )
    async def create_experiment(experiment: ExperimentName, request: Request) -> Response:
        """Create an experiment; its configuration never changes, and ω is drawn and logged. Scope `admin`."""
        require(request.scope["steadyarm.token"], "admin")
        check_name(experiment, "an experiment")
        given = requested(parse(request.scope["steadyarm.body"]))
        status = 200
        if not await service.has(experiment, given):
            setup = await run_in_threadpool(resolve, given)
            status, _ = await service.write(Create(experiment, setup))
        return JSONResponse(state_of(await service.summary(experiment)), status)

    @app.get(
        "/v1/experiments/{experiment}",
        tags=["experiments"],
        responses=answers(200, 403, 404, 422, 503, model=schemas.Experiment),
    )
    async def get_experiment(experiment: ExperimentName, request: Request) -> Response:
        """Return the state and the configuration; scope `read`."""
        require(request.scope["steadyarm.token"], "read")
        return JSONResponse(state_of(await service.summary(experiment)))

    def add_move(move: str, meaning: str) -> None:
        async def change(experiment: ExperimentName, request: Request) -> Response:
            require(request.scope["steadyarm.token"], "admin")
            await service.write(Move(experiment, move))
            return JSONResponse(state_of(await service.summary(experiment)))

        change.__doc__ = f"{meaning} Again is no change. Scope `admin`."
        app.post(
            f"/v1/experiments/{{experiment}}/{move}",
            tags=["experiments"],
            name=f"{move}_experiment",
            responses=answers(200, 403, 404, 409, 413, 422, 503, model=schemas.Experiment),
        )(change)

    add_move("start", "Take units from now on.")
    add_move("pause", "Take no new units until it is started again; rewards still come in.")
    add_move("close", "Take no new units ever again; rewards still come in.")

    @app.get(
        "/v1/experiments/{experiment}/arms",
        tags=["analysis"],
        responses=answers(200, 403, 404, 422, 503, model=schemas.Arms),
    )
    async def get_arms(experiment: ExperimentName, request: Request) -> Response:
        """Return each arm's index: it predicts the next arm, so scope `unblind`."""
        require(request.scope["steadyarm.token"], "unblind")
        return JSONResponse(arms_of(await service.summary(experiment)))

    @app.get(
        "/v1/experiments/{experiment}/results",
        tags=["analysis"],
        responses=answers(200, 403, 404, 422, 503, model=schemas.Results),
    )
    async def get_results(
        experiment: ExperimentName,
        request: Request,
        level: Annotated[float, Query(gt=0.0, lt=1.0, description="Of the intervals.")] = 0.95,
    ) -> Response:
        """Return counts, means with intervals, bounds, and how far the allocation is from its prediction; `read`."""
        require(request.scope["steadyarm.token"], "read")
        summary = await service.summary(experiment)
        return JSONResponse(await run_in_threadpool(results_of, summary, level))

    @app.get(
        "/v1/experiments/{experiment}/history",
        tags=["analysis"],
        responses=answers(200, 403, 404, 422, 503, model=schemas.History),
    )
    async def get_history(
        experiment: ExperimentName,
        request: Request,
        points: Annotated[int, Query(ge=2, le=MOST_POINTS, description="At most so many rounds.")] = 200,
    ) -> Response:
        """Return the counts along the rounds, the predicted band and the ages of outstanding rewards; `read`."""
        require(request.scope["steadyarm.token"], "read")
        summary = await service.summary(experiment)
        identity = await run_in_threadpool(service.identity, experiment)
        return JSONResponse(await run_in_threadpool(service.histories.answer, identity, summary, points))

    @app.get("/v1/token", tags=["tokens"], responses=answers(200, model=schemas.Token))
    async def get_token(request: Request) -> Response:
        """Return what the token of this request may do; any token."""
        token = request.scope["steadyarm.token"]
        scopes = sorted(token.scopes)
        said = {"id": token.id, "label": token.label, "scopes": scopes, "created_at": token.created_at}
        return JSONResponse(said)


def _add_units(app: FastAPI, service: Service) -> None:
    # The next three are answered by `front.py`; they stand here for the documentation.
    @app.put(
        "/v1/experiments/{experiment}/allocations/{unit}",
        tags=["units"],
        responses=answers(201, 200, 403, 404, 409, 413, 422, 503, model=schemas.Allocation),
    )
    async def allocate(experiment: ExperimentName, unit: UnitName) -> Response:
        """Which arm for this unit? Durable before it is answered, the same for ever after. Scope `allocate`."""
        raise AssertionError(experiment, unit)

    @app.post(
        "/v1/experiments/{experiment}/allocations",
        tags=["units"],
        responses=answers(200, 400, 403, 404, 409, 413, 422, 503, model=schemas.Allocations),
        openapi_extra=body(schemas.Units),
    )
    async def allocate_many(experiment: ExperimentName) -> Response:
        """Allocate up to 1,000 units in order: all of them or none. Scope `allocate`."""
        raise AssertionError(experiment)

    @app.put(
        "/v1/experiments/{experiment}/allocations/{unit}/reward",
        tags=["units"],
        responses=answers(201, 200, 400, 403, 404, 409, 413, 422, 503, model=schemas.Rewarded),
        openapi_extra=body(schemas.Reward),
    )
    async def report(experiment: ExperimentName, unit: UnitName) -> Response:
        """Tell a unit's reward; the first value wins, the same again is no change. Scope `report`."""
        raise AssertionError(experiment, unit)

    @app.post(
        "/v1/experiments/{experiment}/allocations/{unit}/void",
        tags=["units"],
        responses=answers(201, 200, 400, 403, 404, 409, 413, 422, 503, model=schemas.Voided),
        openapi_extra=body(schemas.Void),
    )
    async def void(experiment: ExperimentName, unit: UnitName, request: Request) -> Response:
        """Write off a unit that never will report, with a reason; its pull still counts. Scope `report`."""
        require(request.scope["steadyarm.token"], "report")
        given = parse_object(request.scope["steadyarm.body"], "reason")
        reason = check_text(given.get("reason"), "reason", shortest=1)
        check_name(experiment, "an experiment")
        status, content = await service.write(Void(experiment, (check_name(unit, "a unit"),), reason))
        return JSONResponse(content, status)

    @app.get(
        "/v1/experiments/{experiment}/allocations/{unit}",
        tags=["units"],
        responses=answers(200, 403, 404, 422, 503, model=schemas.UnitState),
    )
    async def get_unit(experiment: ExperimentName, unit: UnitName, request: Request) -> Response:
        """Return a unit's allocation and outcome; scope `read`."""
        require(request.scope["steadyarm.token"], "read")

        def look() -> dict[str, Any]:
            identity = service.identity(experiment)
            with service.store.read() as connection:
                found = queries.units(connection, identity, [unit]).get(unit)
            if found is None:
                raise Problem(
                    "unknown_unit", f"unit {unit!r} has no allocation in experiment {experiment!r}."
                )
            return {"unit": unit, **found._asdict(), "outcome": found.outcome or "outstanding"}

        return JSONResponse(await run_in_threadpool(look))


def _add_journal(app: FastAPI, service: Service) -> None:
    @app.get(
        "/v1/experiments/{experiment}/events",
        tags=["journal"],
        responses=answers(200, 403, 404, 422, 503, media="application/x-ndjson"),
    )
    async def events(
        experiment: ExperimentName,
        request: Request,
        after: Annotated[int, Query(ge=0, le=queries.LATEST, description="Begin after this entry.")] = 0,
        limit: Annotated[
            int | None, Query(ge=1, le=queries.LATEST, description="At most so many entries.")
        ] = None,
    ) -> Response:
        """Return the journal as NDJSON, an entry a line; scope `read`."""
        require(request.scope["steadyarm.token"], "read")
        identity = await run_in_threadpool(service.identity, experiment)
        entries = streams.ndjson(service, identity, after, limit)
        return StreamingResponse(entries, media_type="application/x-ndjson")

    @app.get(
        "/v1/experiments/{experiment}/stream",
        tags=["journal"],
        responses=answers(200, 403, 404, 422, 503, media="text/event-stream"),
    )
    async def stream(
        experiment: ExperimentName,
        request: Request,
        after: Annotated[int, Query(ge=0, le=queries.LATEST, description="Begin after this entry.")] = 0,
    ) -> Response:
        """Follow the journal as server-sent events; resumes with `Last-Event-ID`. Scope `read`."""
        require(request.scope["steadyarm.token"], "read")
        last = request.headers.get("last-event-id", "")
        if last:
            if not (last.isascii() and last.isdigit() and len(last) <= 16 and int(last) <= queries.LATEST):
                raise Problem("invalid", "Last-Event-ID must be the number of an entry.")
            after = int(last)
        identity = await run_in_threadpool(service.identity, experiment)
        entries = streams.server_sent_events(service, experiment, identity, after)
        first = await anext(entries)  # a refusal is an answer of its own, not the end of a stream

        async def begun() -> Any:
            yield first
            async for part in entries:
                yield part

        headers = {"x-accel-buffering": "no"}
        return StreamingResponse(begun(), media_type="text/event-stream", headers=headers)

    @app.get(
        "/v1/experiments/{experiment}/verify",
        tags=["journal"],
        responses=answers(200, 403, 404, 409, 422, 503, model=schemas.Verified),
    )
    async def verify(experiment: ExperimentName, request: Request) -> Response:
        """Check the chain and replay every decision; the first bad entry is named. Scope `read`."""
        require(request.scope["steadyarm.token"], "read")
        try:
            return JSONResponse(await run_in_threadpool(verify_stored, service.store, experiment))
        except Broken as broken:
            log("error", "chain_broken", experiment=experiment, seq=broken.seq, reason=broken.reason)
            raise Problem("chain_broken", str(broken), seq=broken.seq, reason=broken.reason) from None


def _add_errors(app: FastAPI) -> None:
    def answer(request: Request, problem: Problem, headers: dict[str, str] | None = None) -> Response:
        content = problem.body(request.scope.get("steadyarm.request_id", ""))
        return Response(content, problem.status, headers, media_type=MEDIA_TYPE)

    async def on_problem(request: Request, error: Any) -> Response:
        return answer(request, error, {"retry-after": "1"} if error.status == 503 else None)

    async def on_invalid(request: Request, error: Any) -> Response:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        return answer(request, Problem("invalid", f"{where}: {first['msg']}."))

    async def on_http(request: Request, error: Any) -> Response:
        code = {404: "not_found", 405: "method_not_allowed"}.get(error.status_code, "malformed")
        problem = Problem(code, f"{request.method} {request.url.path}: {error.detail}.")
        return answer(request, problem, dict(error.headers or {}))

    async def on_store(request: Request, error: Any) -> Response:
        log("error", "store_failed", error=type(error).__name__, path=request.url.path)
        return answer(request, unavailable(), {"retry-after": "1"})

    async def on_defect(request: Request, _error: Exception) -> Response:
        return answer(request, internal())  # it is raised once more, and `front.py` logs it

    app.add_exception_handler(Exception, on_defect)
    app.add_exception_handler(Problem, on_problem)
    app.add_exception_handler(RequestValidationError, on_invalid)
    app.add_exception_handler(HTTPException, on_http)
    app.add_exception_handler(SQLAlchemyError, on_store)
    app.add_exception_handler(OSError, on_store)
