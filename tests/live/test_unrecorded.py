"""A client serves a default arm while the service is away, and tells the service when it is back."""

import asyncio
import time

import pytest

from steadyarm.live import AsyncClient, Client, LiveError, NoAnswer, unrecorded
from steadyarm.live.calls import Default
from tests.live.server import CONFIGURATION, Server, free_port

AWAY = 0.4  # seconds, for a call that nobody answers


@pytest.fixture
def service(sqlite):
    """A server that a test may stop and start again."""
    server = Server(sqlite).start()
    with Client(server.url, server.token) as client:
        client.experiment("e").create(**CONFIGURATION)
        client.experiment("e").start()
    yield server
    if server.process.poll() is None:
        server.stop()


def entries(client, kind):
    return [entry for entry in client.experiment("e").events() if entry["kind"] == kind]


def test_a_default_is_served_while_the_service_is_away_and_recorded_when_it_is_back(service):
    with Client(service.url, service.token) as client:
        experiment = client.experiment("e")
        given = experiment.allocate("u0", default="a")
        assert given["round"] == 1
        service.kill()
        begun = time.monotonic()
        assert experiment.allocate("u1", default="b", deadline=AWAY) == {
            "unit": "u1",
            "arm": "b",
            "round": 0,
            "seq": 0,
        }
        assert experiment.allocate("u1", default="c", deadline=AWAY)["arm"] == "b"  # a unit keeps its arm
        assert time.monotonic() - begun < 2.0
        assert len(client.unrecorded) == 1
        with pytest.raises(NoAnswer):
            experiment.allocate("u2", deadline=AWAY)
        service.start()
        assert experiment.allocate("u1")["arm"] == "b"  # told first, so that the policy does not give another
        assert [(entry["unit"], entry["arm"]) for entry in entries(client, "defaulted")] == [("u1", "b")]
        assert not client.unrecorded
        assert experiment.allocate("u3", default="a")["round"] == 2


def test_the_asynchronous_client_does_the_same(service):
    async def run():
        async with AsyncClient(service.url, service.token) as client:
            experiment = client.experiment("e")
            service.kill()
            assert (await experiment.allocate("u1", default="b", deadline=AWAY))["round"] == 0
            service.start()
            return await experiment.allocate("u1")

    assert asyncio.run(run()) == {"unit": "u1", "arm": "b", "round": 0, "seq": 3}


def test_what_the_service_refuses_is_kept_with_its_reason_and_the_others_are_recorded(service):
    with Client(service.url, service.token) as client:
        experiment = client.experiment("e")
        service.kill()
        for unit, arm in (("u1", "a"), ("u2", "nowhere"), ("u3", "c")):
            experiment.allocate(unit, default=arm, deadline=AWAY)
        service.start()
        assert experiment.state()["defaulted"] == 2
        (refused,) = client.unrecorded.refused
        assert (refused["unit"], refused["code"]) == ("u2", "invalid")
        assert not client.unrecorded


def test_a_unit_that_cannot_be_told_takes_no_others_with_it(service):
    with Client(service.url, service.token) as client:
        experiment = client.experiment("e")
        service.kill()
        client.unrecorded.serve(Default("e", " bad", "a"))
        units = [f"{number:03}{'😀' * 253}" for number in range(290)]  # in one body they would be too large
        for unit in units:
            client.unrecorded.serve(Default("e", unit, "nowhere" if unit == units[7] else "a"))
        service.start()
        assert experiment.allocate("another", deadline=60.0)["round"] == 1
        assert experiment.state()["defaulted"] == 289
        assert {each["unit"] for each in client.unrecorded.refused} == {" bad", units[7]}
        assert not client.unrecorded


def test_many_defaults_are_told_in_half_the_time_of_a_call_and_the_rest_with_the_next(service, monkeypatch):
    def slowly(*asked):
        time.sleep(0.1)
        return ask(*asked)

    with Client(service.url, service.token) as client:
        ask = client._ask
        monkeypatch.setattr(client, "_ask", slowly)
        experiment = client.experiment("e")
        for number in range(30):
            client.unrecorded.serve(Default("e", f"u{number}", "b"))
        monkeypatch.setattr(unrecorded, "MOST_IN_A_BATCH", 1)
        assert experiment.allocate("another", deadline=1.0)["round"] == 1
        assert 20 < len(client.unrecorded) < 30
        served = experiment.allocate("u29", default="c", deadline=1.0)  # not told yet, and kept
        assert (served["arm"], served["round"]) == ("b", 0)


def test_as_many_defaults_are_recorded_as_there_is_room_for(service):
    with Client(service.url, service.token) as client:
        experiment = client.experiment("small")
        experiment.create(arms=["a", "b"], horizon=5)
        service.kill()
        for number in range(8):
            client.unrecorded.serve(Default("small", f"u{number}", "a"))
        service.start()
        assert experiment.state()["defaulted"] == 5
        assert [each["code"] for each in client.unrecorded.refused] == ["horizon_reached"] * 3


def test_a_default_is_recorded_in_the_stratum_of_its_unit(service):
    with Client(service.url, service.token) as client:
        experiment = client.experiment("apart")
        experiment.create(**CONFIGURATION, strata=["ios", "web"])
        experiment.start()
        service.kill()
        served = experiment.allocate("u1", "web", default="b", deadline=AWAY)
        assert served == {"unit": "u1", "arm": "b", "round": 0, "seq": 0, "stratum": "web"}
        experiment.allocate("u2", default="b", deadline=AWAY)  # of no stratum
        service.start()
        assert experiment.allocate("u1", "ios") == served | {"seq": 3}
        (refused,) = client.unrecorded.refused
        assert (refused["unit"], refused["stratum"], refused["code"]) == ("u2", None, "invalid")
        experiment.note_defaults({"u3": "c"}, stratum="ios")
        assert experiment.state()["defaulted"] == 2


def test_a_refusal_is_an_error_whatever_the_default(service):
    with Client(service.url, service.token) as client:
        client.experiment("e").pause()
        with pytest.raises(LiveError, match="new units need it running"):
            client.experiment("e").allocate("u", default="a")
        assert not client.unrecorded


def test_defaults_stay_to_be_told_while_the_token_is_over(service):
    with Client(service.url, "over") as client:
        client.unrecorded.serve(Default("e", "u1", "b"))
        for asked in (
            client.experiment("e").state,
            lambda: client.experiment("e").allocate("u2", default="a"),
        ):
            with pytest.raises(LiveError, match="token"):
                asked()
            assert (len(client.unrecorded), client.unrecorded.refused) == (1, [])
        client._http.headers["authorization"] = f"Bearer {service.token}"
        assert client.experiment("e").state()["defaulted"] == 1
        assert not client.unrecorded


def test_a_client_that_ends_while_the_service_is_away_warns(monkeypatch):
    monkeypatch.setattr(unrecorded, "MOST_UNRECORDED", 2)
    nobody = f"http://127.0.0.1:{free_port()}"
    client = Client(nobody, "none", deadline=0.1)
    for unit in ("u1", "u2"):
        client.experiment("e").allocate(unit, default="a")
    with pytest.raises(NoAnswer, match="one too many"):
        client.experiment("e").allocate("u3", default="a")
    with pytest.warns(RuntimeWarning, match="2 units served a default could not be recorded"):
        client.__exit__()


def test_a_call_may_have_a_deadline_of_its_own():
    nobody = f"http://127.0.0.1:{free_port()}"
    with Client(nobody, "none") as client:
        begun = time.monotonic()
        with pytest.raises(NoAnswer, match=r"0\.3 seconds"):
            client.experiment("e").allocate("u", deadline=0.3)
        assert time.monotonic() - begun < 1.5
