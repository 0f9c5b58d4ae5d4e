"""A server with little patience."""

import pytest
from tests.live.server import CONFIGURATION, Server

# Little patience and few connections, so that the tests have an end too.
HASTY = """
from steadyarm.live.http import connections
connections.REQUEST_SECONDS = 2.0
connections.MOST_FILES = 130
"""


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with Server(f"sqlite:///{tmp_path_factory.mktemp('store')}/live.db", before=HASTY) as running:
        with running.client() as client:
            client.put("/v1/experiments/e", json=CONFIGURATION | {"horizon": 10**6})
            client.post("/v1/experiments/e/start")
        yield running
