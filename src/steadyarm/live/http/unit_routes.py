"""Units over HTTP: allocated, rewarded, voided and looked up."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import FastAPI, Path, Request
from starlette.responses import JSONResponse, Response

from steadyarm.live.core.commands import Void
from steadyarm.live.core.configuration import NAME_PATTERN, check_name, check_text
from steadyarm.live.core.problems import Problem
from steadyarm.live.http import schemas
from steadyarm.live.http.asgi import require
from steadyarm.live.http.bodies import parse_object
from steadyarm.live.http.documentation import answers, body
from steadyarm.live.http.experiment_routes import ExperimentName
from steadyarm.live.http.service import Service
from steadyarm.live.storage import queries

UnitName = Annotated[str, Path(pattern=NAME_PATTERN, description="The unit: the idempotency key.")]


def add_unit_routes(app: FastAPI, service: Service) -> None:
    """Add them."""

    # The next three are answered by `asgi.py`; they stand here for the documentation.
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
