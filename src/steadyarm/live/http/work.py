"""What a service has done by its processes: plain values in, plain values out."""

from __future__ import annotations

import json
from contextlib import closing
from typing import Any

from steadyarm.live.analysis import plans
from steadyarm.live.http.bodies import parse
from steadyarm.live.storage.store import Store
from steadyarm.live.storage.verification import verify_stored


def verify(url: str, name: str) -> dict[str, Any]:
    """Verify an experiment of the store at a URL."""
    with closing(Store(url)) as store:
        return verify_stored(store, name)


def plan(body: bytes) -> bytes:
    """Answer the question of a body with the body of an answer.

    >>> plan(b'{"arms": 2, "horizon": 1000, "alpha": 1}')[:20]
    b'{"policy": {"policy"'
    """
    return json.dumps(plans.answer(parse(body)), allow_nan=False).encode()
