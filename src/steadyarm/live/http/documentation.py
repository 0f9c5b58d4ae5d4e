"""OpenAPI: every answer of every route, problems included, and the bearer token."""

from __future__ import annotations

from types import UnionType
from typing import Any

from fastapi import FastAPI
from pydantic import BaseModel

from steadyarm.live.core.problems import CODES, MEDIA_TYPE
from steadyarm.live.http import schemas

_PROBLEM = {"content": {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}}}


def answers(
    *statuses: int, model: type[BaseModel] | UnionType | None = None, media: str | None = None
) -> dict[int | str, Any]:
    """Return the `responses` of a route: successes with the model or media type, and problems."""
    responses: dict[int | str, Any] = {}
    for status in statuses:
        if status < 300:
            said: dict[str, Any] = {
                "description": {200: "Done, or as before", 201: "Done"}.get(status, "Accepted")
            }
            if model is not None:
                said["model"] = model
            if media is not None:
                said["content"] = {media: {"schema": {"type": "string"}}}
            responses[status] = said
        else:
            codes = sorted(code for code, (number, _) in CODES.items() if number == status)
            responses[status] = {"description": " or ".join(f"`{code}`" for code in codes)} | _PROBLEM
    return responses


def body(model: type[BaseModel], required: bool = True) -> dict[str, Any]:
    """Return the documentation of a request body; it is read by hand, so that errors state our rules."""
    schema = model.model_json_schema()
    return {"requestBody": {"required": required, "content": {"application/json": {"schema": schema}}}}


def document(app: FastAPI) -> None:
    """Add what all routes have in common to the app's OpenAPI."""
    make = app.openapi

    def openapi() -> dict[str, Any]:
        if app.openapi_schema is None:
            found = make()
            parts = found.setdefault("components", {})
            parts.setdefault("schemas", {})["Problem"] = schemas.Problem.model_json_schema()
            parts["securitySchemes"] = {"token": {"type": "http", "scheme": "bearer"}}
            found["security"] = [{"token": []}]
            for path, operations in found["paths"].items():
                for operation in operations.values():
                    _common(path, operation)
            app.openapi_schema = found
        return app.openapi_schema

    app.openapi = openapi  # type: ignore[method-assign]


def _common(path: str, operation: dict[str, Any]) -> None:
    responses = operation["responses"]
    if "200" in responses and "application/json" in responses["200"].get("content", {}):
        content = responses["200"]["content"]
        if len(content) > 1:  # the framework adds JSON to whatever else a route says
            del content["application/json"]
    if "201" in responses and operation.get("tags") == ["units"] and "200" not in responses:
        raise AssertionError(path)
    anywhere = [400] if path in ("/healthz", "/readyz") else [400, 401]  # 400: an address that cannot be read
    for status, answer in answers(*anywhere).items():
        said = responses.setdefault(str(status), answer)
        said["content"] = answer["content"] | said["content"]  # a flag's own 400 is another one
    if responses.get("422", {}).get("content", {}).get("application/json"):
        responses["422"] = answers(422)[422]
