"""Units that a client served a default arm while the service was away, told when it is back."""

from __future__ import annotations

from typing import Any, ClassVar, Literal

from fastapi import FastAPI, Request
from pydantic import BaseModel, Field
from starlette.responses import JSONResponse, Response

from steadyarm.live.core.commands.default_commands import NoteDefaults
from steadyarm.live.core.units import MOST_IN_A_BATCH
from steadyarm.live.http import schemas
from steadyarm.live.http.authentication import require
from steadyarm.live.http.bodies import parse_as
from steadyarm.live.http.documentation import answers, body
from steadyarm.live.http.routes.experiments import ExperimentName
from steadyarm.live.http.service import Service


class UnitDefault(schemas.Body):
    """A unit with the arm that it was served."""

    example: ClassVar[dict[str, Any]] = {"unit": "u1", "arm": "a"}
    unit: schemas.UnitName
    arm: str
    stratum: str | None = Field(default=None, min_length=1, description="Of a new unit, if there are strata.")


class UnitDefaults(schemas.Body):
    """Units that were served a default, in this order."""

    example: ClassVar[dict[str, Any]] = {"defaults": [UnitDefault.example]}
    defaults: list[UnitDefault] = Field(min_length=1, max_length=MOST_IN_A_BATCH)


class Default(BaseModel):
    """What the journal says of a unit's default."""

    unit: str
    arm: str
    seq: int = Field(description="The entry that says so.")
    kind: Literal["defaulted", "allocated", "held"] = Field(
        description="Of that entry: `allocated` if the policy had given the unit this very arm, so that it counts, "
        "and `held` if it is held out, with this arm stated."
    )


class Defaults(BaseModel):
    """Defaults in the order in which they were told."""

    defaults: list[Default]


def add_default_routes(app: FastAPI, service: Service) -> None:
    """Add them."""

    @app.post(
        "/v1/experiments/{experiment}/defaults",
        tags=["units"],
        description=f"Note up to {MOST_IN_A_BATCH:,} units that were served a default arm while the "
        "service was away: all of them or none. They do not count as pulls, and take no reward. Scope `allocate`.",
        responses=answers(200, 400, 403, 404, 409, 413, 422, 503, model=Defaults),
        openapi_extra=body(UnitDefaults),
    )
    async def note_defaults(experiment: ExperimentName, request: Request) -> Response:
        token = request.scope["steadyarm.token"]
        require(token, "allocate")
        given = parse_as(UnitDefaults, request.scope["steadyarm.body"]).defaults
        units, arms = tuple(each.unit for each in given), tuple(each.arm for each in given)
        strata = tuple(each.stratum or "" for each in given)
        status, content = await service.write(NoteDefaults(experiment, units, arms, strata, token.actor))
        return JSONResponse(content, status)
