"""Experiments as feature flags: OpenFeature's remote evaluation protocol (OFREP), for its providers as they are.

A flag is an experiment, its targeting key a unit, its value and variant the arm's name. To evaluate a flag allocates
the unit; to evaluate all flags at once never does: it gives back what a unit has already. Errors have the protocol's
shape.
"""

from __future__ import annotations

from hashlib import sha256
from typing import Annotated, Any, Literal

from fastapi import FastAPI, Header, Path, Request
from pydantic import BaseModel, Field
from starlette.responses import JSONResponse, Response

from steadyarm.live.core.commands.unit_commands import Allocate
from steadyarm.live.core.journal import Broken, canonical
from steadyarm.live.core.names import check_name, check_unit
from steadyarm.live.core.problems import Problem
from steadyarm.live.http.authentication import require
from steadyarm.live.http.bodies import parse
from steadyarm.live.http.documentation import answers, body
from steadyarm.live.http.fast_path import name_of
from steadyarm.live.http.service import Service
from steadyarm.live.storage import queries

_PATH = "/ofrep/v1/evaluate/flags"
_OURS = ("unauthorized", "forbidden", "too_large")  # the protocol leaves these to HTTP, as it does all 5xx

_CODES = {
    "unknown_experiment": (404, "FLAG_NOT_FOUND"),
    "invalid": (400, "INVALID_CONTEXT"),  # its stratum: what else the context says was checked before
}


class FlagContext(BaseModel):
    """Whom a flag is evaluated for; the rest of the context is ignored."""

    context: dict[str, Any] = Field(
        description="`targetingKey` is the unit, `stratum` its stratum if there are strata."
    )


class Flag(BaseModel):
    """An evaluated flag (OFREP): the arm of a unit."""

    key: str
    value: str = Field(
        default="", description="Not there for a unit that is held out: the code's default applies."
    )
    variant: str
    reason: Literal["SPLIT", "DEFAULT"]
    metadata: dict[str, int | bool | str]


class Flags(BaseModel):
    """The flags that a unit has been given."""

    flags: list[Flag]


class FlagFailure(BaseModel):
    """Why a flag could not be evaluated (OFREP)."""

    key: str | None = None
    errorCode: Literal[  # noqa: N815 (the protocol's own word)
        "PARSE_ERROR", "TARGETING_KEY_MISSING", "INVALID_CONTEXT", "FLAG_NOT_FOUND", "GENERAL"
    ]
    errorDetails: str  # noqa: N815


class _Refused(Exception):
    """An evaluation that failed, as the protocol says it."""

    def __init__(self, status: int, code: str, details: str) -> None:
        super().__init__(details)
        self.status, self.code, self.details = status, code, details


def add_flag_routes(app: FastAPI, service: Service) -> None:
    """Add them."""

    @app.post(
        f"{_PATH}/{{key}}",
        tags=["feature flags"],
        responses=answers(200, 403, 413, 503, model=Flag) | _failures(404),
        openapi_extra=body(FlagContext),
    )
    async def evaluate_flag(
        key: Annotated[str, Path(description="The experiment.")], request: Request
    ) -> Response:
        """Evaluate a flag for `context.targetingKey`: allocate that unit, or give what it has. Scope `allocate`."""
        token, key = request.scope["steadyarm.token"], name_of(key)
        try:
            require(token, "allocate")
            unit, stratum = _unit(request.scope["steadyarm.body"])
            name = _experiment(key)
            if not (await service.summary(name)).strata:
                stratum = ""  # some other attribute of the application's context
            _, given = await service.write(Allocate(name, (unit,), True, token.actor, stratum))
        except Problem as problem:
            if problem.status >= 500 or problem.code in _OURS:
                raise
            status, code = _CODES.get(problem.code, (400, "GENERAL"))
            return _failure(_Refused(status, code, problem.detail), key)
        except _Refused as refused:
            return _failure(refused, key)
        return JSONResponse(_flag(name, given))

    @app.post(
        _PATH,
        tags=["feature flags"],
        responses=answers(200, 403, 413, 503, model=Flags) | _failures() | _UNCHANGED,
        openapi_extra=body(FlagContext),
    )
    async def evaluate_flags(
        request: Request,
        if_none_match: Annotated[str | None, Header(description="The `ETag` of what is known.")] = None,
    ) -> Response:
        """Return the flags that `context.targetingKey` has been given already; none is allocated. Scope `allocate`."""
        token = request.scope["steadyarm.token"]
        require(token, "allocate")
        try:
            unit, _ = _unit(request.scope["steadyarm.body"])
        except _Refused as refused:
            return _failure(refused)

        def given() -> list[tuple[str, dict[str, Any] | Broken]]:
            with service.store.read() as connection:
                return queries.given_to(connection, unit, token.experiment)

        found = []
        for name, entry in await service.lanes.look_ups.run(given):
            if service.writer.memory.is_damaged(name):  # the code's default applies, and other flags go on
                continue
            if isinstance(entry, Broken):
                await service.condemn(entry)
            else:
                found.append(_flag(name, entry | {"holdout": entry["kind"] == "held"}))
        flags = {"flags": found}
        tag = f'"{sha256(canonical(flags).encode()).hexdigest()[:32]}"'
        if if_none_match is not None and tag in if_none_match:
            return Response(status_code=304, headers={"etag": tag})
        return JSONResponse(flags, headers={"etag": tag})


def _unit(content: bytes) -> tuple[str, str]:
    """Return the unit that a body names, and its stratum."""
    try:
        given = parse(content)
    except Problem as problem:
        raise _Refused(400, "PARSE_ERROR", problem.detail) from None
    context = given.get("context", {}) if isinstance(given, dict) else None
    if not isinstance(context, dict):
        rule = 'the body must be a JSON object like {"context": {"targetingKey": "visitor-17"}}.'
        raise _Refused(400, "INVALID_CONTEXT", rule)
    if context.get("targetingKey") in (None, ""):
        rule = "context.targetingKey must name the unit: one unit, one arm, for ever. Set the targeting key."
        raise _Refused(400, "TARGETING_KEY_MISSING", rule)
    try:
        stratum = context.get("stratum")
        return check_unit(context["targetingKey"]), "" if stratum is None else str(stratum)
    except Problem as problem:
        raise _Refused(400, "INVALID_CONTEXT", problem.detail) from None


def _experiment(key: str) -> str:
    try:
        return check_name(key)
    except Problem as problem:
        raise _Refused(404, "FLAG_NOT_FOUND", problem.detail) from None


def _flag(name: str, given: dict[str, Any]) -> dict[str, Any]:
    """Return a flag as the protocol has it; without a value the code's default applies."""
    stratum = {"stratum": given["stratum"]} if given.get("stratum") else {}
    if given.get("holdout"):
        value = {"value": given["arm"]} if given.get("arm") else {}
        metadata = {"seq": given["seq"], "holdout": True}
        return {
            "key": name,
            **value,
            "variant": "holdout",
            "reason": "DEFAULT",
            "metadata": metadata | stratum,
        }
    turn = given.get("round", 0)  # 0: served outside the policy
    arm, metadata = given["arm"], {"round": turn, "seq": given["seq"]}
    reason = "SPLIT" if turn else "DEFAULT"
    return {"key": name, "value": arm, "variant": arm, "reason": reason, "metadata": metadata | stratum}


def _failure(refused: _Refused, key: str | None = None) -> Response:
    named = {} if key is None else {"key": key}
    said = named | {"errorCode": refused.code, "errorDetails": refused.details}
    return JSONResponse(said, refused.status)


def _failures(*statuses: int) -> dict[int | str, Any]:
    words = {400: "The flag could not be evaluated: the default applies", 404: "`FLAG_NOT_FOUND`"}
    return {status: {"description": words[status], "model": FlagFailure} for status in (400, *statuses)}


_UNCHANGED: dict[int | str, Any] = {304: {"description": "As known"}}
