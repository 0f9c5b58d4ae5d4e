"""Plans and simulations over HTTP; `serve --open-planning` gives them to everybody."""

from __future__ import annotations

from typing import Annotated

from fastapi import FastAPI, Path, Request
from starlette.responses import JSONResponse, Response

from steadyarm.live.analysis import simulations
from steadyarm.live.http import work
from steadyarm.live.http.authentication import require
from steadyarm.live.http.bodies import parse
from steadyarm.live.http.documentation import answers, body
from steadyarm.live.http.routes import planning_schemas as schemas
from steadyarm.live.http.service import Service

SimulationId = Annotated[
    str, Path(pattern="^[0-9a-f]{16}$", description="As `POST /v1/simulations` gave it.")
]


def add_planning_routes(app: FastAPI, service: Service) -> None:
    """Add them."""

    @app.post(
        "/v1/plan",
        tags=["planning"],
        responses=answers(200, 400, 403, 413, 422, model=schemas.Plan | schemas.SituationOutline),
        openapi_extra=body(schemas.PlanQuestion),
    )
    async def plan(request: Request) -> Response:
        """Predict what an α or a goal gives, with the frontier around it; or start from a baseline; scope `read`."""
        require(request.scope["steadyarm.token"], "read")
        answer = await service.lanes.plans.run(work.plan, request.scope["steadyarm.body"], shared=True)
        return Response(answer, media_type="application/json")

    @app.post(
        "/v1/simulations",
        tags=["planning"],
        responses=answers(202, 400, 403, 413, 422, 503, model=schemas.Simulation),
        openapi_extra=body(schemas.SimulationQuestion),
    )
    async def start(request: Request) -> Response:
        """Simulate a policy, or all designs of a plan from a baseline, in the background; scope `read`."""
        require(request.scope["steadyarm.token"], "read")
        question = parse(request.scope["steadyarm.body"])
        started = service.simulator.start(await service.lanes.analyses.run(simulations.check, question))
        return JSONResponse(started.to_dict(), 202)

    @app.get(
        "/v1/simulations/{identity}",
        tags=["planning"],
        responses=answers(200, 403, 404, 422, model=schemas.Simulation),
    )
    async def get(identity: SimulationId, request: Request) -> Response:
        """Return the progress of a simulation, and its result; scope `read`."""
        require(request.scope["steadyarm.token"], "read")
        return JSONResponse(service.simulator.find(identity).to_dict())

    @app.delete(
        "/v1/simulations/{identity}",
        tags=["planning"],
        responses=answers(200, 403, 404, 413, 422, model=schemas.Simulation),
    )
    async def cancel(identity: SimulationId, request: Request) -> Response:
        """Stop a simulation; scope `read`."""
        require(request.scope["steadyarm.token"], "read")
        return JSONResponse(service.simulator.cancel(identity).to_dict())
