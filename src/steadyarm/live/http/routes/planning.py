"""Plans and simulations over HTTP; `serve --open-planning` gives them to everybody."""

from __future__ import annotations

import asyncio
import json
from typing import Annotated, Any

from fastapi import FastAPI, Path, Request
from starlette.responses import JSONResponse, Response

from steadyarm.live.analysis import questions, simulations
from steadyarm.live.analysis.situations import SIMULATED, with_table
from steadyarm.live.core.problems import Problem
from steadyarm.live.http import work
from steadyarm.live.http.authentication import require
from steadyarm.live.http.bodies import parse
from steadyarm.live.http.documentation import answers, body
from steadyarm.live.http.routes import planning_schemas as schemas
from steadyarm.live.http.service import Service

SimulationId = Annotated[
    str, Path(pattern="^[0-9a-f]{16}$", description="As `POST /v1/simulations` gave it.")
]

_POLL_EVERY_SECONDS = 0.05  # of a simulation that is waited for


def add_planning_routes(app: FastAPI, service: Service) -> None:
    """Add them."""

    @app.post(
        "/v1/plan",
        tags=["planning"],
        responses=answers(200, 400, 403, 413, 422, 503, model=schemas.Plan | schemas.SituationPlan),
        openapi_extra=body(questions.PlanQuestion),
    )
    async def plan(request: Request) -> Response:
        """Predict what an α or a goal gives, with the frontier around it; or plan from a baseline; scope `read`.

        With a baseline and `runs` it answers once all designs are simulated, which takes seconds to minutes.
        """
        require(request.scope["steadyarm.token"], "read")
        given = request.scope["steadyarm.body"]
        question = parse(given)
        if isinstance(question, dict) and question.get("runs") is not None:
            return JSONResponse(await _simulated(service, question))
        answer = await service.lanes.plans.run(work.plan, given, shared=True)
        return Response(answer, media_type="application/json")

    @app.post(
        "/v1/simulations",
        tags=["planning"],
        responses=answers(202, 400, 403, 413, 422, 503, model=schemas.Simulation),
        openapi_extra=body(questions.SimulationQuestion),
    )
    async def start(request: Request) -> Response:
        """Simulate a policy, the designs of a plan or its worst instances, in the background; scope `read`."""
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


async def _simulated(service: Service, question: dict[str, Any]) -> dict[str, Any]:
    """Return a plan from a baseline with its table: simulated in the background, where nothing else waits for it."""
    asked, simulation = with_table(question)
    told = await service.lanes.plans.run(work.plan, json.dumps(asked).encode(), shared=True)
    found: dict[str, Any] = json.loads(told)
    started = service.simulator.start(await service.lanes.analyses.run(simulations.check, simulation))
    while (now := service.simulator.find(started.id)).status in ("waiting", "running"):
        await asyncio.sleep(_POLL_EVERY_SECONDS)
    if now.result is None:
        raise Problem("overloaded", f"the designs were not simulated: {now.detail or now.status}. Ask again.")
    return found | {name: now.result[name] for name in (*SIMULATED, "notes")}
