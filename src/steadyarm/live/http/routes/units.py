"""Units over HTTP: allocated, rewarded, voided and looked up."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import FastAPI, Path, Request
from pydantic import AfterValidator
from starlette.responses import JSONResponse, Response

from steadyarm.live.core.commands.commands import Command
from steadyarm.live.core.commands.unit_commands import Amend, Void, not_allocated
from steadyarm.live.core.problems import Problem
from steadyarm.live.core.units import MOST_IN_A_BATCH
from steadyarm.live.http import fast_path, schemas
from steadyarm.live.http.authentication import require
from steadyarm.live.http.bodies import parse_as
from steadyarm.live.http.documentation import answers, body
from steadyarm.live.http.routes.experiments import ExperimentName
from steadyarm.live.http.service import Service
from steadyarm.live.storage import queries

UnitName = Annotated[
    str,
    AfterValidator(fast_path.unit_of),
    Path(description="The unit: the idempotency key, percent-encoded.", json_schema_extra=schemas.UNIT),
]


def add_unit_routes(app: FastAPI, service: Service) -> None:
    """Add them."""

    async def written(command: Command) -> Response:
        status, content = await service.write(command)
        return JSONResponse(content, status)

    # The next four are answered by the fast path as a rule.
    @app.put(
        "/v1/experiments/{experiment}/allocations/{unit}",
        tags=["units"],
        responses=answers(201, 200, 400, 403, 404, 409, 413, 422, 503, model=schemas.Allocation),
        openapi_extra=body(schemas.Stratum, required=False),
    )
    async def allocate(experiment: ExperimentName, unit: UnitName, request: Request) -> Response:
        """Which arm for this unit? Durable before it is answered, the same forever after. Scope `allocate`."""
        token, content = request.scope["steadyarm.token"], request.scope["steadyarm.body"]
        return await written(fast_path.allocate(token, experiment, unit, content))

    @app.post(
        "/v1/experiments/{experiment}/allocations",
        tags=["units"],
        description=f"Allocate up to {MOST_IN_A_BATCH:,} units in order: all of them or none. "
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
        "/v1/experiments/{experiment}/rewards",
        tags=["units"],
        description=f"Tell up to {MOST_IN_A_BATCH:,} rewards in order: all of them or none. `errors` "
        "names each that is refused by its place. Scope `report`.",
        responses=answers(200, 400, 403, 404, 409, 413, 422, 503, model=schemas.ManyRewarded),
        openapi_extra=body(schemas.UnitRewards),
    )
    async def report_many(experiment: ExperimentName, request: Request) -> Response:
        token, content = request.scope["steadyarm.token"], request.scope["steadyarm.body"]
        return await written(fast_path.report_many(token, experiment, content))

    @app.post(
        "/v1/experiments/{experiment}/allocations/{unit}/amend",
        tags=["units"],
        responses=answers(201, 200, 400, 403, 404, 409, 413, 422, 503, model=schemas.Amended),
        openapi_extra=body(schemas.Amendment),
    )
    async def amend(experiment: ExperimentName, unit: UnitName, request: Request) -> Response:
        """Correct a unit's reward: results use it, the policy goes on with what it was told. Scope `admin`."""
        token = request.scope["steadyarm.token"]
        require(token, "admin")
        given = parse_as(schemas.Amendment, request.scope["steadyarm.body"])
        said = (given.reward, given.reason, given.outcome_seq)
        return await written(Amend(experiment, (unit,), *said, token.actor))

    @app.post(
        "/v1/experiments/{experiment}/allocations/{unit}/void",
        tags=["units"],
        responses=answers(201, 200, 400, 403, 404, 409, 413, 422, 503, model=schemas.Voided),
        openapi_extra=body(schemas.Void),
    )
    async def void(experiment: ExperimentName, unit: UnitName, request: Request) -> Response:
        """Write off a unit that will never report, with a reason; its pull still counts. Scope `report`."""
        token = request.scope["steadyarm.token"]
        require(token, "report")
        given = parse_as(schemas.Void, request.scope["steadyarm.body"])
        return await written(Void(experiment, (unit,), given.reason, token.actor))

    @app.get(
        "/v1/experiments/{experiment}/allocations/{unit}",
        tags=["units"],
        responses=answers(200, 403, 404, 422, 503, model=schemas.UnitState),
    )
    async def get_unit(experiment: ExperimentName, unit: UnitName, request: Request) -> Response:
        """Return a unit's allocation and outcome; scope `read`."""
        require(request.scope["steadyarm.token"], "read")
        identity = await service.identity(experiment)

        def state() -> dict[str, Any]:
            with service.store.read() as connection:
                found = queries.units(connection, identity, experiment, [unit]).get(unit)
            if found is None:
                raise Problem("unknown_unit", not_allocated(unit, experiment))
            said = found._asdict() | {"outcome": found.outcome or "outstanding"}
            turn = None if found.holdout else found.round
            said |= {"arm": found.arm or None, "round": turn, "stratum": found.stratum or None}
            return {"unit": unit, **said}

        await service.summary(experiment)
        return JSONResponse(await service.reading(service.lanes.look_ups, state))
