"""Units over HTTP: allocated, rewarded, voided and looked up."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import FastAPI, Path, Request
from starlette.responses import JSONResponse, Response

from steadyarm.live.core.commands import Command, Void
from steadyarm.live.core.problems import Problem
from steadyarm.live.http import fast_path, schemas
from steadyarm.live.http.authentication import require
from steadyarm.live.http.bodies import parse_as
from steadyarm.live.http.documentation import answers, body
from steadyarm.live.http.routes.experiments import ExperimentName
from steadyarm.live.http.service import Service
from steadyarm.live.storage import queries

UnitName = Annotated[
    schemas.UnitName, Path(description="The unit: the idempotency key.", json_schema_extra=schemas.NAMED)
]


def add_unit_routes(app: FastAPI, service: Service) -> None:
    """Add them."""

    async def written(command: Command) -> Response:
        status, content = await service.write(command)
        return JSONResponse(content, status)

    # The next three are answered by the fast path as a rule.
    @app.put(
        "/v1/experiments/{experiment}/allocations/{unit}",
        tags=["units"],
        responses=answers(201, 200, 403, 404, 409, 413, 422, 503, model=schemas.Allocation),
    )
    async def allocate(experiment: ExperimentName, unit: UnitName, request: Request) -> Response:
        """Which arm for this unit? Durable before it is answered, the same for ever after. Scope `allocate`."""
        return await written(fast_path.allocate(request.scope["steadyarm.token"], experiment, unit))

    @app.post(
        "/v1/experiments/{experiment}/allocations",
        tags=["units"],
        description=f"Allocate up to {schemas.MOST_UNITS_IN_A_BATCH:,} units in order: all of them or none. "
        "Scope `allocate`.",
        responses=answers(200, 400, 403, 404, 409, 413, 422, 503, model=schemas.Allocations),
        openapi_extra=body(schemas.Units),
    )
    async def allocate_many(experiment: ExperimentName, request: Request) -> Response:
        token, content = request.scope["steadyarm.token"], request.scope["steadyarm.body"]
        return await written(fast_path.allocate_many(token, experiment, content))

    @app.put(
        "/v1/experiments/{experiment}/allocations/{unit}/reward",
        tags=["units"],
        responses=answers(201, 200, 400, 403, 404, 409, 413, 422, 503, model=schemas.Rewarded),
        openapi_extra=body(schemas.Reward),
    )
    async def report(experiment: ExperimentName, unit: UnitName, request: Request) -> Response:
        """Tell a unit's reward; the first value wins, the same again is no change. Scope `report`."""
        token, content = request.scope["steadyarm.token"], request.scope["steadyarm.body"]
        return await written(fast_path.report(token, experiment, unit, content))

    @app.post(
        "/v1/experiments/{experiment}/allocations/{unit}/void",
        tags=["units"],
        responses=answers(201, 200, 400, 403, 404, 409, 413, 422, 503, model=schemas.Voided),
        openapi_extra=body(schemas.Void),
    )
    async def void(experiment: ExperimentName, unit: UnitName, request: Request) -> Response:
        """Write off a unit that never will report, with a reason; its pull still counts. Scope `report`."""
        require(request.scope["steadyarm.token"], "report")
        given = parse_as(schemas.Void, request.scope["steadyarm.body"])
        return await written(Void(experiment, (unit,), given.reason))

    @app.get(
        "/v1/experiments/{experiment}/allocations/{unit}",
        tags=["units"],
        responses=answers(200, 403, 404, 422, 503, model=schemas.UnitState),
    )
    async def get_unit(experiment: ExperimentName, unit: UnitName, request: Request) -> Response:
        """Return a unit's allocation and outcome; scope `read`."""
        require(request.scope["steadyarm.token"], "read")
        identity = await service.identity(experiment)

        def look() -> dict[str, Any]:
            with service.store.read() as connection:
                found = queries.units(connection, identity, experiment, [unit]).get(unit)
            if found is None:
                raise Problem(
                    "unknown_unit", f"unit {unit!r} has no allocation in experiment {experiment!r}."
                )
            return {"unit": unit, **found._asdict(), "outcome": found.outcome or "outstanding"}

        await service.summary(experiment)
        return JSONResponse(await service.reading(service.lanes.look_ups, look))
