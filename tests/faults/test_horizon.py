"""The sequence has no gaps and pulls never exceed the horizon, however many clients run towards it."""

import threading

import pytest

from tests.faults.clients import Caller, assert_whole, create, journal
from tests.faults.sizes import SIZES


@pytest.mark.slow
def test_16_clients_run_to_the_horizon_and_exactly_so_many_units_get_an_arm(database, new_server):
    server = new_server(database, "--log-level", "warning")
    create(server, horizon=SIZES.horizon)
    arms, refusals, errors = [{} for _ in range(16)], [None] * 16, []

    def run(number):
        caller, path, turn = Caller(server), "/v1/experiments/e/allocations", 0
        try:
            while refusals[number] is None:
                turn += 1
                if number % 4 == 0:  # some come in batches: all or none
                    units = [f"u{number}-{turn}-{place}" for place in range(7)]
                    status, said = caller("POST", path, {"units": units})
                    given = said.get("allocations")
                else:
                    status, said = caller("PUT", f"{path}/u{number}-{turn}")
                    given = [said]
                if status == 409:
                    refusals[number] = said
                else:
                    assert status in (200, 201), said
                    arms[number] |= {each["unit"]: each for each in given}
        except BaseException as error:
            errors.append(error)
        finally:
            caller.close()

    threads = [threading.Thread(target=run, args=(number,)) for number in range(16)]
    for thread in threads:
        thread.start()
    while sum(map(len, arms)) < SIZES.horizon / 2:
        assert not errors, errors
        threading.Event().wait(0.005)
    server.kill()  # half way, so that some have to ask again
    server.start()
    for thread in threads:
        thread.join()
    assert not errors, errors
    assert {said["code"] for said in refusals} == {"horizon_reached"}
    told = {unit: said for each in arms for unit, said in each.items()}
    assert len(told) == SIZES.horizon
    assert sorted(said["round"] for said in told.values()) == list(range(1, SIZES.horizon + 1))
    entries = journal(server)
    assert len(entries) == 2 + SIZES.horizon
    assert_whole(entries)
    assert {entry["unit"] for entry in entries[2:]} == told.keys()
