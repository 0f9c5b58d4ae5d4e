"""How anchoring is doing, over HTTP."""

from __future__ import annotations

from fastapi import FastAPI, Request
from pydantic import BaseModel, Field
from starlette.responses import JSONResponse, Response

from steadyarm.live.http.authentication import require
from steadyarm.live.http.documentation import answers
from steadyarm.live.http.service import Service


class AnchorTarget(BaseModel):
    """A place to which anchors are sent."""

    target: str
    waiting: int = Field(description="Experiments whose head is to be sent.")
    last_at: str | None = Field(description="When an anchor was last sent.")
    failing_since: str | None
    error: str | None


class Anchoring(BaseModel):
    """The key that signs, and how each target is doing; no key without a target."""

    key: str | None = Field(description="Its short name, which anchors carry.")
    public_key: str | None = Field(description="For `steadyarm live verify --public-key`.")
    targets: list[AnchorTarget]


def add_anchoring_routes(app: FastAPI, service: Service) -> None:
    """Add them."""

    @app.get("/v1/anchoring", tags=["journal"], responses=answers(200, 403, model=Anchoring))
    async def get_anchoring(request: Request) -> Response:
        """Return the public key of anchors, and what is sent, waits or fails; scope `read`."""
        require(request.scope["steadyarm.token"], "read")
        return JSONResponse(service.anchoring.shown())
