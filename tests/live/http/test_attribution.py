"""Silence is found in the background, in the order of the allocations, also for those that nobody asks for."""

import time

from steadyarm.live.core.journal import later, now
from steadyarm.live.http import attribution
from steadyarm.live.storage import queries, transaction

WINDOW = {"attribution": {"after": "PT1H", "reward": 0}}


def in_an_hour():
    return later(now(), 3601)


def until(condition):
    end = time.monotonic() + 20.0
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.02)


def test_silent_units_are_found_after_a_restart_though_nobody_asks(open_api, monkeypatch):
    monkeypatch.setattr(attribution, "CHECK_EVERY_SECONDS", 0.05)
    monkeypatch.setattr(queries, "CHUNK", 3)
    api = open_api()
    api.create("with", **WINDOW)
    api.create("without")
    for name in ("with", "without"):
        for number in range(7):
            api.allocate(f"u{number}", name)
    api.report("u3", 1, "with")
    time.sleep(0.2)
    assert api.state("with")["outstanding"] == 6
    api.close()
    monkeypatch.setattr(transaction, "now", in_an_hour)
    monkeypatch.setattr(attribution, "now", in_an_hour)
    api = open_api()
    until(lambda: "with" in api.service.writer.memory.published)
    until(lambda: sum(api.service.writer.memory.published["with"].lapsed) == 6)
    lapsed = [entry["unit"] for entry in api.events("with") if entry["kind"] == "lapsed"]
    assert lapsed == ["u0", "u1", "u2", "u4", "u5", "u6"]
    assert api.state("without")["outstanding"] == 7
    assert api("GET", "/v1/experiments/with/verify").status_code == 200


def test_an_experiment_that_is_damaged_does_not_hold_the_others_up(sqlite, tmp_path, monkeypatch):
    from tests.live.conftest import Api
    from tests.live.core.test_journal import tamper

    monkeypatch.setattr(attribution, "CHECK_EVERY_SECONDS", 0.05)
    api = Api(sqlite)
    for name in ("bad", "good"):
        api.create(name, **WINDOW)
        api.allocate("u", name)
    api.close()
    tamper(tmp_path / "live.db", "DELETE FROM journal WHERE experiment = 1 AND seq = 2")
    monkeypatch.setattr(transaction, "now", in_an_hour)
    monkeypatch.setattr(attribution, "now", in_an_hour)
    api = Api(sqlite)
    try:
        until(lambda: "good" in api.service.writer.memory.published)
        until(lambda: sum(api.service.writer.memory.published["good"].lapsed) == 1)
    finally:
        api.close()
