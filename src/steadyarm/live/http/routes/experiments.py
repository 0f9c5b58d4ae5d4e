"""Experiments over HTTP: made, started, paused and closed, and what they say."""

from __future__ import annotations

import asyncio
import json
import re
from typing import Annotated, Any, Literal

from fastapi import FastAPI, Header, Path, Query, Request
from pydantic import AfterValidator
from starlette.responses import JSONResponse, Response

from steadyarm.errors import InvalidInput
from steadyarm.live.analysis.history import MOST_POINTS
from steadyarm.live.analysis.results import HIGHEST_LEVEL, arms_of, state_of
from steadyarm.live.core.commands.commands import Create, Move, Retire
from steadyarm.live.core.experiment import Summary
from steadyarm.live.core.problems import Problem
from steadyarm.live.core.setup.configuration import requested, resolve
from steadyarm.live.http import fast_path, schemas
from steadyarm.live.http.authentication import require
from steadyarm.live.http.bodies import parse, parse_as
from steadyarm.live.http.documentation import answers, body
from steadyarm.live.http.routes import results_schemas
from steadyarm.live.http.service import Service
from steadyarm.live.storage import queries

ExperimentName = Annotated[
    str,
    AfterValidator(fast_path.experiment_of),
    Path(description="The experiment's name.", json_schema_extra=schemas.NAMED),
]


_TAG = re.compile(r'\s*(W/)?"([^"]*)"\s*')


def matching(header: str | None) -> tuple[int, ...] | None:
    """Return the entries that If-Match names; None if any will do. What is no tag of a state names none.

    >>> matching('"3", W/"4", "x"'), matching("*"), matching("3")
    ((3,), None, ())
    """
    if header is None or header.strip() == "*":
        return None
    tags = [_TAG.fullmatch(part) for part in header.split(",")]
    return tuple(int(tag[2]) for tag in tags if tag and not tag[1] and re.fullmatch("[0-9]{1,16}", tag[2]))


def _state(summary: Summary, status: int = 200) -> Response:
    """Return an experiment with the tag of its state, which a move may ask for by If-Match."""
    return JSONResponse(state_of(summary), status, {"etag": f'"{summary.state_seq}"'})


def add_experiment_routes(app: FastAPI, service: Service) -> None:
    """Add them."""

    @app.get(
        "/v1/experiments",
        tags=["experiments"],
        responses=answers(200, 403, 422, 503, model=schemas.Experiments),
    )
    async def list_experiments(
        request: Request,
        after: Annotated[str, Query(pattern="^[ -~]{0,128}$", description="List names after this one.")] = "",
        limit: Annotated[int, Query(ge=1, le=schemas.MOST_LISTED)] = schemas.MOST_LISTED,
    ) -> Response:
        """List experiments by name; scope `read`."""
        require(request.scope["steadyarm.token"], "read")

        only = request.scope["steadyarm.token"].experiment

        def names() -> list[str]:
            with service.store.read() as connection:
                if only is not None:
                    return [only] if only > after and queries.head(connection, only) else []
                return [row[1] for row in queries.names(connection, after, limit)]

        async def state(name: str) -> dict[str, Any]:
            try:
                return state_of(await service.summary(name))
            except Problem as problem:
                if problem.code != "damaged":
                    raise
                return {"experiment": name, "state": "damaged", "detail": problem.detail}

        found = []
        for name in await service.lanes.look_ups.run(names):
            found.append(json.dumps(await state(name)))
            await asyncio.sleep(0)  # a hundred of a thousand arms are megabytes; others are served in between
        return Response(f'{{"experiments": [{", ".join(found)}]}}', media_type="application/json")

    @app.put(
        "/v1/experiments/{experiment}",
        tags=["experiments"],
        responses=answers(201, 200, 400, 403, 409, 413, 422, 503, model=schemas.Experiment),
        openapi_extra=body(schemas.Configuration),
    )
    async def create_experiment(experiment: ExperimentName, request: Request) -> Response:
        """Create an experiment; its configuration never changes, and ω is drawn and logged. Scope `admin`.

        One that `continues` another closes that too, if it is open.
        """
        token = request.scope["steadyarm.token"]
        require(token, "admin")
        given = requested(parse(request.scope["steadyarm.body"]))
        if token.experiment is not None and "continues" in given:
            rule = "the experiment that is continued will be closed. Use an admin token for all experiments."
            raise Problem("forbidden", f"this token is for {token.experiment!r} only, and {rule}")
        status = 200
        if not await service.has(experiment, given):
            setup = await service.lanes.analyses.run(resolve, given)
            if "continues" in given:
                await service.summary(given["continues"])  # loaded before the writer needs it, or unknown
            status, _ = await service.write(Create(experiment, setup, token.actor))
        return _state(await service.summary(experiment), status)

    @app.get(
        "/v1/experiments/{experiment}",
        tags=["experiments"],
        responses=answers(200, 403, 404, 422, 503, model=schemas.Experiment),
    )
    async def get_experiment(experiment: ExperimentName, request: Request) -> Response:
        """Return the state and the configuration; scope `read`."""
        require(request.scope["steadyarm.token"], "read")
        return _state(await service.summary(experiment))

    def add_move(move: str, meaning: str) -> None:
        async def change(
            experiment: ExperimentName,
            request: Request,
            if_match: Annotated[
                str | None, Header(description="The `ETag` of the state that is there now.")
            ] = None,
        ) -> Response:
            token, content = request.scope["steadyarm.token"], request.scope["steadyarm.body"]
            require(token, "admin")
            given = parse_as(schemas.Move, content) if content else schemas.Move()
            named = (given.state_seq, matching(if_match))
            await service.write(Move(experiment, move, *named, given.reason, token.actor))
            return _state(await service.summary(experiment))

        change.__doc__ = f"{meaning} Repeating it changes nothing. Scope `admin`."
        app.post(
            f"/v1/experiments/{{experiment}}/{move}",
            tags=["experiments"],
            name=f"{move}_experiment",
            responses=answers(200, 400, 403, 404, 409, 412, 413, 422, 503, model=schemas.Experiment),
            openapi_extra=body(schemas.Move, required=False),
        )(change)

    add_move(
        "start",
        "Take units from now on; to start a paused one give its `state_seq`, so that a late retry ends no pause.",
    )
    add_move("pause", "Take no new units until it is started again; rewards still come in.")
    add_move("close", "Take no new units ever again; rewards still come in.")

    @app.post(
        "/v1/experiments/{experiment}/arms/{arm}/retire",
        tags=["experiments"],
        responses=answers(201, 200, 400, 403, 404, 409, 413, 422, 503, model=schemas.Retired),
        openapi_extra=body(schemas.Reason),
    )
    async def retire_arm(
        experiment: ExperimentName,
        arm: Annotated[str, Path(description="The arm, percent-encoded.")],
        request: Request,
    ) -> Response:
        """Never give an arm again, with a reason; no guarantee from here on. Idempotent. Scope `admin`."""
        token = request.scope["steadyarm.token"]
        require(token, "admin")
        given = parse_as(schemas.Reason, request.scope["steadyarm.body"])
        retire = Retire(experiment, fast_path.name_of(arm), given.reason, token.actor)
        status, content = await service.write(retire)
        return JSONResponse(content, status)

    @app.get(
        "/v1/experiments/{experiment}/arms",
        tags=["analysis"],
        responses=answers(200, 403, 404, 422, 503, model=results_schemas.Arms),
    )
    async def get_arms(experiment: ExperimentName, request: Request) -> Response:
        """Return each arm's index: it predicts the next arm, so scope `unblind`."""
        require(request.scope["steadyarm.token"], "unblind")
        summary = await service.summary(experiment)
        return JSONResponse(await service.lanes.analyses.run(arms_of, summary))

    @app.get(
        "/v1/experiments/{experiment}/results",
        tags=["analysis"],
        responses=answers(200, 403, 404, 422, 503, model=results_schemas.Results),
    )
    async def get_results(
        experiment: ExperimentName,
        request: Request,
        level: Annotated[
            float, Query(gt=0.0, le=HIGHEST_LEVEL, description="Confidence level of the intervals.")
        ] = 0.95,
        control: Annotated[
            str | None, Query(description="The arm that all others are compared with; all pairs without it.")
        ] = None,
        method: Annotated[
            Literal["auto", "wald", "wilson", "anytime"],
            Query(description="How to decide; `auto` takes the narrowest that is valid."),
        ] = "auto",
    ) -> Response:
        """Return counts, means and differences with intervals, bounds, the prediction, and health; `read`."""
        require(request.scope["steadyarm.token"], "read")
        summary = await service.summary(experiment)
        asked = (summary, level, control, method)
        try:
            found = await service.reading(service.lanes.analyses, service.monitor.results, *asked)
        except InvalidInput as refused:
            raise Problem("invalid", str(refused)) from None
        return JSONResponse(found)

    @app.get(
        "/v1/experiments/{experiment}/history",
        tags=["analysis"],
        responses=answers(200, 403, 404, 422, 503, model=results_schemas.History),
    )
    async def get_history(
        experiment: ExperimentName,
        request: Request,
        points: Annotated[int, Query(ge=2, le=MOST_POINTS, description="At most this many rounds.")] = 200,
    ) -> Response:
        """Return the counts along the rounds, the predicted band and the ages of outstanding rewards; `read`."""
        require(request.scope["steadyarm.token"], "read")
        summary = await service.summary(experiment)
        identity = await service.identity(experiment)
        history = service.reading(service.lanes.analyses, service.histories.answer, identity, summary, points)
        return JSONResponse(await history)
