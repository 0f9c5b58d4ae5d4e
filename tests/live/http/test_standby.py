"""A standby: where it can wait, what it answers, and what stops it."""

import asyncio
import signal

import pytest

from steadyarm.errors import InvalidInput
from steadyarm.live.http import standby
from steadyarm.live.storage.failures import StoreFailed
from steadyarm.live.storage.locks import StoreLocked
from steadyarm.live.storage.store import Store


class Waiting:
    """A service whose store can be had after some errors."""

    def __init__(self, *errors):
        self.errors, self.active, self.failed, self.store, self.asked = (
            list(errors),
            False,
            None,
            "a store",
            0,
        )

    def open(self):
        self.asked += 1
        if self.errors:
            raise self.errors.pop(0)
        self.active = True


def test_there_is_nothing_to_wait_for_on_sqlite(tmp_path):
    with pytest.raises(InvalidInput, match="--standby needs a PostgreSQL store; got sqlite"):
        standby.check_can_wait(Store(f"sqlite:///{tmp_path}/live.db"))
    standby.check_can_wait(Store("postgresql://somebody@127.0.0.1/live"))


def test_whoever_asks_a_standby_is_sent_to_the_other_server():
    refused = standby.refusal()
    assert (refused.status, refused.code) == (503, "standby")


def test_it_tries_again_while_another_has_the_store_or_the_database_is_away(monkeypatch):
    monkeypatch.setattr(standby, "RETRY_AFTER_SECONDS", 0.0)
    service = Waiting(StoreLocked("taken"), StoreFailed("away"), StoreFailed("away"), StoreLocked("taken"))
    asyncio.run(standby.take_over(service))
    assert service.active
    assert service.asked == 5


def test_what_does_not_pass_by_itself_stops_the_server(monkeypatch):
    stopped = []
    monkeypatch.setattr(standby.os, "kill", lambda _process, number: stopped.append(number))
    error = TypeError("a defect")
    service = Waiting(error)
    asyncio.run(standby.take_over(service))
    assert not service.active
    assert service.failed is error
    assert stopped == [signal.SIGTERM]
