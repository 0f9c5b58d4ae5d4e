"""What loads have left unchecked is checked in the background."""

import time

from tests.live.conftest import Api, problem
from tests.live.damage import tamper
from tests.live.storage.test_recovery import change_arm, filled, takes_no_more

from steadyarm.live.http import snapshot_checks
from steadyarm.live.storage.recovery import Prefix


def test_a_long_journal_is_checked_after_the_start_and_meanwhile_serves_no_damage(
    open_api, database, monkeypatch
):
    api = open_api()
    filled(api)
    api.close()
    change_arm(database, "u3")
    monkeypatch.setattr("steadyarm.live.storage.recovery.CHECKED_AT_ONCE", 2)
    monkeypatch.setattr("steadyarm.live.http.snapshot_checks.SLICE", 2)
    api = open_api()
    assert api.allocate("u0").status_code == 200
    until = time.monotonic() + 10.0
    while api.state().get("state") == "running":
        assert time.monotonic() < until
        time.sleep(0.01)
    takes_no_more(api)


def test_a_long_journal_that_is_whole_is_checked_to_its_end(open_api, monkeypatch):
    api = open_api()
    filled(api)
    api.close()
    monkeypatch.setattr("steadyarm.live.storage.recovery.CHECKED_AT_ONCE", 2)
    monkeypatch.setattr("steadyarm.live.http.snapshot_checks.SLICE", 2)
    api = open_api()
    assert api.allocate("u0").status_code == 200
    assert "e" in api.service.writer.memory.unchecked
    until = time.monotonic() + 10.0
    while api.service.writer.memory.unchecked:
        assert time.monotonic() < until
        time.sleep(0.01)
    assert api.allocate("new").status_code == 201


def test_a_check_that_meets_a_defect_goes_on_with_other_experiments(sqlite, monkeypatch):
    api = Api(sqlite)
    filled(api)
    for number in range(10):
        assert api.allocate(f"u{number}", "other").status_code == 201
    api.close()
    tamper(sqlite, "UPDATE journal SET body = 'garbage' WHERE experiment = 2 AND seq = 8")
    monkeypatch.setattr("steadyarm.live.storage.recovery.CHECKED_AT_ONCE", 2)
    checked = Prefix.check

    def check(prefix, connection, most):
        if prefix._identity == 1 and most == snapshot_checks.SLICE:
            raise ZeroDivisionError("a defect")
        return checked(prefix, connection, most)

    monkeypatch.setattr(Prefix, "check", check)
    api = Api(sqlite)
    assert api.allocate("u0").status_code == 200
    assert api.allocate("u0", "other").status_code == 200
    until = time.monotonic() + 10.0
    while api.allocate("u0", "other").status_code == 200:
        assert time.monotonic() < until
        time.sleep(0.01)
    problem(api.allocate("new", "other"), 503, "damaged")
    api.close()
