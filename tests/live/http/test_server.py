"""The service as a process: starting, stopping, streaming, tokens, and its journals on the command line."""

import asyncio
import json
import socket
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from tests.live.server import CONFIGURATION, Server, new_token, refused_server, run_live

import steadyarm.live


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def server(request, tmp_path_factory):
    """One server for all tests here that leave it running."""
    if request.param == "sqlite":
        database = f"sqlite:///{tmp_path_factory.mktemp('store')}/live.db"
    else:
        database = request.getfixturevalue("postgres").new_database()
    with Server(database, new=True) as running:
        yield running


@pytest.fixture
def client(server):
    with steadyarm.live.Client(server.url, server.token) as client:
        yield client


def test_a_server_starts_without_the_slow_parts_of_scipy():
    """Plans and analyses need them, and import them when they do."""
    script = "import sys, steadyarm.live.http.server; print([*sys.modules])"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert "scipy.special" in done.stdout
    assert not any(f"'scipy.{slow}'" in done.stdout for slow in ("stats", "optimize"))


def filled(client, name, units=20):
    experiment = client.experiment(name)
    experiment.create(**CONFIGURATION | {"horizon": 2000})
    experiment.start()
    for number in range(units):
        experiment.allocate(f"u{number}")
        experiment.report(f"u{number}", number % 2)
    return experiment


def test_a_second_server_refuses_to_start(server):
    assert "Stop that server first" in refused_server("--database", server.database, "--port", "0")


def test_a_taken_port_is_one_line(sqlite):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        said = refused_server("--database", sqlite, "--port", str(port))
    assert f"cannot listen on 127.0.0.1 port {port}" in said


def test_a_token_made_while_the_server_runs_is_honoured_at_once_and_revoked_soon(server):
    token = new_token(server.database, "read", "allocate")
    with server.client(token) as http:
        assert http.get("/v1/experiments").status_code == 200
        assert http.get("/v1/experiments/x/arms").status_code == 403
        identity = token.split("_")[1]
        listed = run_live("token", "--database", server.database, "--list").stdout
        assert identity in listed
        assert token not in listed
        run_live("token", "--database", server.database, "--revoke", identity)
        until = time.monotonic() + 5.0
        while http.get("/v1/experiments").status_code != 401:
            assert time.monotonic() < until
            time.sleep(0.1)


def test_the_client_does_everything(client):
    experiment = filled(client, "by-client")
    given = experiment.allocate_many(["v1", "v2"])["allocations"]
    assert [each["round"] for each in given] == [21, 22]
    assert experiment.unit("v1")["outcome"] == "outstanding"
    experiment.void("v1", "lost")
    assert experiment.verify()["decisions"] == 22
    assert sum(each["count"] for each in experiment.arms()["arms"]) == 22
    assert experiment.results()["round"] == 22
    assert [entry["seq"] for entry in experiment.events(after=40)] == list(
        range(41, experiment.state()["seq"] + 1)
    )
    with pytest.raises(steadyarm.live.LiveError, match="first value wins") as refused:
        experiment.report("u0", 1)
    assert (refused.value.status, refused.value.code) == (409, "reward_conflict")
    assert "by-client" in [each["experiment"] for each in client.experiments()]
    assert experiment.pause()["state"] == "paused"
    with pytest.raises(steadyarm.live.LiveError, match="name the pause"):
        experiment.start()
    assert experiment.resume()["state"] == "running"
    assert experiment.close()["state"] == "closed"


def test_the_asynchronous_client_does_too(server):
    async def run():
        async with steadyarm.live.AsyncClient(server.url, server.token) as client:
            experiment = client.experiment("by-async-client")
            await experiment.create(**CONFIGURATION)
            await experiment.start()
            given = await asyncio.gather(*(experiment.allocate(f"u{number % 10}") for number in range(40)))
            assert len({(each["unit"], each["arm"], each["round"]) for each in given}) == 10
            assert sorted({each["round"] for each in given}) == list(range(1, 11))
            assert "by-async-client" in [each["experiment"] for each in await client.experiments()]
            following = experiment.follow(after=9)
            assert [(await anext(following))["seq"] for _ in range(3)] == [10, 11, 12]
            await experiment.allocate("later")
            assert (await anext(following))["unit"] == "later"
            await following.aclose()
            await experiment.pause()
            assert (await experiment.resume())["state"] == "running"
            with pytest.raises(steadyarm.live.LiveError, match="no experiment"):
                await anext(client.experiment("nobody").follow())
            return [entry["seq"] async for entry in experiment.events()]

    assert asyncio.run(run()) == list(range(1, 16))


def events_of(response, count):
    """The first events of a stream as (id, kind, entry)."""
    found, event = [], {}
    for text in response.iter_lines():
        if text:
            name, _, value = text.partition(": ")
            event[name] = value
        elif "data" in event:
            found.append((int(event["id"]), event["event"], json.loads(event["data"])))
            event = {}
            if len(found) == count:
                return found
    return found


def test_a_stream_resumes_where_it_was_left(server, client):
    experiment = filled(client, "streamed", units=5)
    entries = list(experiment.events())
    with server.client() as http:
        with http.stream("GET", "/v1/experiments/streamed/stream") as response:
            assert response.headers["content-type"].startswith("text/event-stream")
            first = events_of(response, 4)
        assert [each[2] for each in first] == entries[:4]
        assert [each[1] for each in first] == ["created", "started", "allocated", "rewarded"]
        resume = {"last-event-id": str(first[-1][0])}
        with http.stream("GET", "/v1/experiments/streamed/stream", headers=resume) as response:
            threading.Timer(0.2, experiment.allocate, ["later"]).start()
            rest = events_of(response, len(entries) - 4 + 1)
        assert [each[0] for each in rest] == list(range(5, len(entries) + 2))
        assert rest[-1][2]["unit"] == "later"
        assert http.get("/v1/experiments/nobody/stream").json()["code"] == "unknown_experiment"
        refused = http.get("/v1/experiments/streamed/stream", headers={"last-event-id": "x"})
        assert refused.json()["code"] == "invalid"


def test_following_yields_what_comes(client):
    experiment = filled(client, "followed", units=2)
    following = experiment.follow(after=4)
    assert [next(following)["seq"] for _ in range(2)] == [5, 6]
    following.close()


def timeless(results):
    """The same without ages: a file's are as of its last entry, the service's as of now."""
    for arm in results["health"]["outcomes"]["arms"]:
        arm["oldest_waiting_seconds"] = None
    return results


def test_journals_are_exported_verified_and_imported(server, client, tmp_path):
    experiment = filled(client, "travelling", units=5)
    experiment.allocate_many([f"many-{number}" for number in range(1000)])  # more than is read at a time
    file = tmp_path / "journal.ndjson"
    said = run_live("export", "travelling", "--database", server.database, "--out", str(file)).stderr
    head = experiment.state()["hash"]
    assert f"travelling: {experiment.state()['seq']:,} entries, head {head}" in said
    assert [json.loads(text) for text in file.read_text().splitlines()] == list(experiment.events())
    assert "decisions replayed" in run_live("verify", str(file), "--head", head).stdout
    assert timeless(steadyarm.live.read_journal(file).results()) == timeless(experiment.results())
    assert steadyarm.live.read_journal(file).arms() == experiment.arms()

    other = f"sqlite:///{tmp_path}/other.db"
    assert "travelling" in run_live("import", str(file), "--database", other).stdout
    again = run_live("import", str(file), "--database", other, check=False)
    assert again.exit_code == 2
    assert "never overwritten" in again.stderr
    with Server(other) as elsewhere, steadyarm.live.Client(elsewhere.url, elsewhere.token) as there:
        moved = there.experiment("travelling")
        assert moved.state() == experiment.state()
        assert moved.allocate("many-7") == experiment.allocate("many-7")

    lines = file.read_text().splitlines(keepends=True)
    mistyped = run_live("export", "traveling", "--database", other, "--out", str(file), check=False)
    assert "there is no experiment 'traveling'" in mistyped.stderr
    assert file.read_text().splitlines(keepends=True) == lines  # and the file of before is still there
    file.write_text("".join(lines[:-1]))
    cut = run_live("verify", str(file), "--head", head, "--json", check=False)
    assert cut.exit_code == 1
    assert json.loads(cut.stdout)["seq"] == len(lines)
    file.write_text("".join([*lines[:4], *lines[5:]]))
    cut = run_live("verify", str(file), "--json", check=False)
    assert json.loads(cut.stdout) | {"reason": "?"} == {
        "valid": False, "experiment": "travelling", "seq": 5, "reason": "?"
    }  # fmt: skip
    assert (
        run_live("import", str(file), "--database", f"sqlite:///{tmp_path}/third.db", check=False).exit_code
        == 2
    )


def test_a_backup_under_load_is_whole(server, client, tmp_path):
    experiment = filled(client, "busy", units=1)
    going, count = threading.Event(), [0]

    def load():
        with steadyarm.live.Client(server.url, server.token) as busy:
            while not going.is_set() and count[0] < 250:
                busy.experiment("busy").allocate(f"load-{count[0]}")
                count[0] += 1

    thread = threading.Thread(target=load)
    thread.start()
    while count[0] < 20:
        time.sleep(0.01)
    before = count[0]
    run_live("backup", "--database", server.database, str(tmp_path / "copy.db"))
    going.set()
    thread.join()
    if server.database.startswith("sqlite"):
        copy = f"sqlite:///{tmp_path}/copy.db"
    else:
        copy = f"sqlite:///{tmp_path}/restored.db"
        run_live("import", str(tmp_path / "copy.db"), "--database", copy)
    verified = json.loads(run_live("verify", "--database", copy, "--json", "--experiment", "busy").stdout)
    (found,) = verified["experiments"]
    assert before <= found["decisions"] <= experiment.state()["round"]
    assert (
        "exists"
        in run_live("backup", "--database", server.database, str(tmp_path / "copy.db"), check=False).stderr
    )


def test_it_stops_within_seconds_while_streams_are_open_and_logs_no_secret(sqlite, new_server):
    server = new_server(sqlite)
    with steadyarm.live.Client(server.url, server.token) as client:
        filled(client, "e", units=2)
    with server.client() as http, http.stream("GET", "/v1/experiments/e/stream") as response:
        assert len(events_of(response, 3)) == 3
        seconds, log = server.stop()
    assert seconds < 5.0
    assert server.process.returncode == 0
    lines = [json.loads(text) for text in log.splitlines()]
    assert lines[-1]["event"] == "stopped"
    assert server.token not in log
    assert server.token.split("_", 2)[2] not in log
    requests = [each for each in lines if each["event"] == "request"]
    assert all(each["request_id"] for each in requests)
    assert {"PUT", "POST", "GET"} <= {each["method"] for each in requests}


def test_what_was_acknowledged_survives_a_kill(sqlite, new_server):
    server = new_server(sqlite)
    with server.client() as http:
        http.put("/v1/experiments/e", json=CONFIGURATION)
        http.post("/v1/experiments/e/start")
        given = [http.put(f"/v1/experiments/e/allocations/u{number}").json() for number in range(30)]
    server.kill()
    with server, server.client() as http:
        assert [http.put(f"/v1/experiments/e/allocations/u{number}").json() for number in range(30)] == given
        assert http.get("/v1/experiments/e/verify").json()["decisions"] == 30


def test_a_client_waits_for_a_server_that_is_restarted(sqlite, new_server):
    server = new_server(sqlite)
    with (
        steadyarm.live.Client(server.url, server.token, attempts=60) as client,
        ThreadPoolExecutor(1) as pool,
    ):
        experiment = filled(client, "e", units=1)
        server.kill()
        answer = pool.submit(experiment.allocate, "u1")
        time.sleep(0.5)
        server.start(wait=False)
        assert answer.result()["round"] == 2


def test_a_client_gives_up_in_the_end():
    with (
        steadyarm.live.Client("http://127.0.0.1:9", "none", attempts=2) as client,
        pytest.raises(steadyarm.live.NoAnswer, match="2 attempts"),
    ):
        client.experiment("e").state()


@pytest.fixture
def advice(monkeypatch):
    """The advice that is logged, by event."""
    from steadyarm.live.http import server

    said = {}
    monkeypatch.setattr(server, "log", lambda level, event, **more: said.update({event: (level, more)}))

    def hear(service, address):
        said.clear()
        server.advise(service, address)
        return dict(said)

    return hear


def test_a_server_without_a_valid_token_says_how_to_make_one(database, advice):
    from steadyarm.live.http.service import Service, Settings

    service = Service(Settings(database=database))
    service.open()
    try:
        level, more = advice(service, "127.0.0.1")["no_token"]
        assert level == "warning"
        assert "steadyarm live token --scope admin --database " in more["advice"]
        assert (database in more["advice"]) == database.startswith("sqlite")  # a URL may hold a password
        token = service.tokens.create(["read"])
        assert advice(service, "127.0.0.1") == {}
        service.tokens.revoke(token.split("_")[1])
        assert "no_token" in advice(service, "127.0.0.1")
    finally:
        service.close()


@pytest.mark.parametrize(
    ("address", "open_"), [("127.0.0.1", False), ("127.3.2.1", False), ("::1", False), ("0.0.0.0", True),
                           ("::", True), ("192.0.2.7", True)]
)  # fmt: skip
def test_a_server_that_other_machines_can_reach_says_that_there_is_no_tls(sqlite, advice, address, open_):
    from steadyarm.live.http.service import Service, Settings

    service = Service(Settings(database=sqlite))
    service.tokens.create(["read"])
    said = advice(service, address)
    service.tokens.close()
    assert set(said) == ({"no_tls"} if open_ else set())
    if open_:
        assert "TLS" in said["no_tls"][1]["advice"]


def test_the_first_token_is_asked_for_in_the_log(sqlite, tmp_path):
    server = Server(sqlite)
    (tmp_path / "live.db.tokens").unlink()
    with server:
        with server.client(new_token(sqlite)) as http:
            assert http.get("/v1/experiments").status_code == 200  # it is honoured at once
        lines = [json.loads(text) for text in server.stop()[1].splitlines()]
    (said,) = [each["advice"] for each in lines if each["event"] == "no_token"]
    assert f"--database {sqlite}" in said


def test_a_log_that_cannot_be_written_stops_nothing():
    from steadyarm.live.core import logs

    class Full:
        def write(self, _):
            raise OSError("no space left on the device")

        flush = write

    logs.configure("error", Full())
    try:
        logs.log("error", "commit_failed")
    finally:
        logs.configure("warning")


def test_the_files_of_a_store_are_for_their_owner_only(sqlite, tmp_path):
    with Server(sqlite) as server, steadyarm.live.Client(server.url, server.token) as client:
        filled(client, "e", units=1)
        found = sorted(path.name for path in tmp_path.iterdir())
        assert found == ["live.db", "live.db-shm", "live.db-wal", "live.db.lock", "live.db.tokens"]
        for path in tmp_path.iterdir():
            assert path.stat().st_mode & 0o077 == 0, path
