"""The journal over HTTP: read, followed and verified."""

from __future__ import annotations

from typing import Annotated

from fastapi import FastAPI, Query, Request
from starlette.responses import JSONResponse, Response, StreamingResponse

from steadyarm.live.core.journal import Broken
from steadyarm.live.core.logs import log
from steadyarm.live.core.names import shown
from steadyarm.live.core.problems import Problem
from steadyarm.live.http import schemas, streams
from steadyarm.live.http.authentication import require
from steadyarm.live.http.documentation import answers
from steadyarm.live.http.routes.experiments import ExperimentName
from steadyarm.live.http.service import Service
from steadyarm.live.storage.queries import LATEST


def add_journal_routes(app: FastAPI, service: Service) -> None:
    """Add them."""

    @app.get(
        "/v1/experiments/{experiment}/events",
        tags=["journal"],
        responses=answers(200, 403, 404, 422, 503, media="application/x-ndjson"),
    )
    async def events(
        experiment: ExperimentName,
        request: Request,
        after: Annotated[int, Query(ge=0, le=LATEST, description="Begin after this entry.")] = 0,
        limit: Annotated[int | None, Query(ge=1, le=LATEST, description="At most this many entries.")] = None,
    ) -> Response:
        """Return the journal as NDJSON, one entry per line; scope `read`."""
        token = request.scope["steadyarm.token"]
        require(token, "read")
        identity = await service.identity(experiment)
        entries = streams.ndjson(service, identity, after, limit, token)
        return StreamingResponse(entries, media_type="application/x-ndjson")

    @app.get(
        "/v1/experiments/{experiment}/stream",
        tags=["journal"],
        responses=answers(200, 403, 404, 422, 503, media="text/event-stream"),
    )
    async def stream(
        experiment: ExperimentName,
        request: Request,
        after: Annotated[int, Query(ge=0, le=LATEST, description="Begin after this entry.")] = 0,
    ) -> Response:
        """Follow the journal as server-sent events; resumes with `Last-Event-ID`. Scope `read`."""
        require(request.scope["steadyarm.token"], "read")
        last = request.headers.get("last-event-id", "")
        if last:
            if not (last.isascii() and last.isdigit() and len(last) <= 16 and int(last) <= LATEST):
                raise Problem(
                    "invalid",
                    f"Last-Event-ID must be the number of an entry; got {shown(last)}. Leave it out to begin "
                    "with the first.",
                )
            after = int(last)
        identity = await service.identity(experiment)
        token = request.scope["steadyarm.token"]
        events = streams.server_sent_events(service, experiment, identity, after, token)
        return streams.EventStream(service.hub, events)

    @app.get(
        "/v1/experiments/{experiment}/verify",
        tags=["journal"],
        responses=answers(200, 403, 404, 409, 422, 503, model=schemas.Verified),
    )
    async def verify(experiment: ExperimentName, request: Request) -> Response:
        """Check the chain and replay every decision; the first bad entry is named. Scope `read`."""
        require(request.scope["steadyarm.token"], "read")
        try:
            return JSONResponse(await service.verify(experiment))
        except Broken as broken:
            log("error", "chain_broken", experiment=experiment, seq=broken.seq, reason=broken.reason)
            await service.condemn(broken)
            raise Problem("chain_broken", str(broken), seq=broken.seq, reason=broken.reason) from None
