"""Stores that several tests look at."""

import pytest
from tests.live.conftest import Api
from tests.live.server import run_live

from steadyarm.live.storage.store import Store


@pytest.fixture
def filled(sqlite, tmp_path):
    """A store with a backup, which lacks the last unit; returns the arm of the first one and a token."""
    api = Api(sqlite)
    api.create()
    first = api.allocate("u1").json()
    run_live("backup", "--database", sqlite, str(tmp_path / "copy.db"))
    api.allocate("u2")
    api.close()
    return first, api.token


@pytest.fixture
def store(tmp_path):
    return Store(f"sqlite:///{tmp_path}/live.db")
