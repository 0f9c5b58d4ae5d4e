"""What can go wrong, each with a stable code and its HTTP status; errors as `application/problem+json`."""

from __future__ import annotations

import json
from typing import Any

from steadyarm.errors import SteadyarmError
from steadyarm.live.core.journal import Broken

MEDIA_TYPE = "application/problem+json"

CODES: dict[str, tuple[int, str]] = {
    "malformed": (400, "The request could not be read"),
    "unauthorized": (401, "A valid bearer token is needed"),
    "forbidden": (403, "The token lacks the scope"),
    "not_found": (404, "There is nothing here"),
    "unknown_experiment": (404, "No such experiment"),
    "unknown_unit": (404, "The unit has no allocation"),
    "unknown_arm": (404, "The experiment has no such arm"),
    "unknown_simulation": (404, "No such simulation"),
    "method_not_allowed": (405, "The method does not apply here"),
    "config_conflict": (409, "The experiment exists with another configuration"),
    "bad_state": (409, "The experiment's state does not allow this"),
    "not_running": (409, "The experiment takes no new units"),
    "horizon_reached": (409, "All rounds are assigned"),
    "reward_conflict": (409, "The unit's outcome is already known and differs"),
    "outcome_changed": (409, "The outcome to be amended is not the unit's last one"),
    "chain_broken": (409, "The journal is not what was written"),
    "precondition_failed": (412, "The experiment is no longer in the named state"),
    "too_large": (413, "The request body is too large"),
    "invalid": (422, "The request breaks a stated rule"),
    "invalid_reward": (422, "The reward is not of the declared kind"),
    "internal": (500, "A defect of the service"),
    "unavailable": (503, "The store cannot be written"),
    "overloaded": (503, "Too many requests are waiting"),
    "damaged": (503, "The experiment's journal is damaged"),
    "stopping": (503, "The service is stopping"),
    "standby": (503, "Another server has the store"),
}
"""Every code with its status and title; they are part of the API and do not change."""


class Problem(SteadyarmError):
    """A request that is refused, or cannot be served now."""

    def __init__(self, code: str, detail: str, **members: Any) -> None:
        super().__init__(detail)
        self.code = code
        self.status, self.title = CODES[code]
        self.detail = detail
        self.members = members

    def __reduce__(self) -> Any:
        return _problem, (self.code, self.detail, self.members)  # it comes from another process too

    def body(self, request_id: str) -> bytes:
        """Return the problem document (RFC 9457)."""
        document = {
            "type": f"urn:steadyarm:problem:{self.code}",
            "title": self.title,
            "status": self.status,
            "detail": self.detail,
            "code": self.code,
            "request_id": request_id,
            **self.members,
        }
        return json.dumps(document, ensure_ascii=False).encode("utf-8", "replace")


def _problem(code: str, detail: str, members: dict[str, Any]) -> Problem:
    return Problem(code, detail, **members)


def unknown_experiment(name: str) -> Problem:
    """Return the answer to a request about an experiment that there is not."""
    return Problem(
        "unknown_experiment", f"there is no experiment {name!r}. Check its name, or create it first."
    )


def unavailable(detail: str = "") -> Problem:
    """Return the answer to a request whose fate is unknown because the store failed."""
    reason = f" ({detail})" if detail else ""
    return Problem(
        "unavailable",
        f"the store could not be written{reason}. Nothing was acknowledged; ask again with the same unit.",
    )


def damaged(broken: Broken) -> Problem:
    """Return the answer to a request about an experiment whose journal is damaged."""
    return Problem("damaged", f"{broken} Restore a backup; `verify` says more.", seq=broken.seq)


def internal() -> Problem:
    """Return the answer to a request that met a defect."""
    return Problem("internal", "the service has a defect; its log says more.")
