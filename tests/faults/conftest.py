"""Both databases; PostgreSQL here waits for the disk, as a user's does."""

import pytest

from tests.live.conftest import empty_store
from tests.live.conftest import sqlite as sqlite
from tests.live.postgres import Postgres


@pytest.fixture(scope="session")
def durable_postgres():
    """A PostgreSQL to be treated badly: killed and started again."""
    server = Postgres(durable=True)
    server.start()
    yield server
    server.remove()


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request, tmp_path):
    yield from empty_store(request, tmp_path, "durable_postgres")
