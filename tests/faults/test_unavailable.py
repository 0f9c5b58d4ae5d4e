"""A fault of the store is a 503, never a false success and never a 500, and the service recovers by itself."""

import os
import resource
import subprocess
import time
from contextlib import contextmanager, suppress

import pytest

from tests.faults.clients import Load, assert_whole, create, journal, missing
from tests.faults.sizes import FULL
from tests.live.server import CONFIGURATION, Server

QUIET = ("--log-level", "error")
# A limit on the size of files needs no privileges; a file system that is really full needs root.
DISKS = ["limited files", "full file system"] if FULL and os.geteuid() == 0 else ["limited files"]


class LimitedFiles:
    """No file of the server's process may grow: writes fail as on a full disk."""

    def __init__(self, folder):
        self.folder = folder

    @contextmanager
    def full(self, server):
        limits = resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE)
        resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (4096, limits[1]))
        yield
        with suppress(ProcessLookupError):  # it was stopped meanwhile
            resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, limits)

    def remove(self):
        pass


class FullFileSystem:
    """A small file system of its own, filled to the last byte."""

    def __init__(self, folder):
        self.folder = folder / "small"
        self.folder.mkdir()
        subprocess.run(["mount", "-t", "tmpfs", "-o", "size=3m", "tmpfs", self.folder], check=True)

    @contextmanager
    def full(self, _server):
        filler = self.folder / "filler"
        with filler.open("wb", buffering=0) as file, suppress(OSError):
            while file.write(bytes(4096)):
                pass
        assert os.statvfs(self.folder).f_bavail == 0
        yield
        filler.unlink()

    def remove(self):
        subprocess.run(["umount", self.folder], check=True)


@pytest.fixture(params=DISKS)
def disk(request, tmp_path):
    made = {"limited files": LimitedFiles, "full file system": FullFileSystem}[request.param](tmp_path)
    yield made
    made.remove()


@pytest.mark.slow
def test_a_full_disk_is_a_503_and_what_was_acknowledged_stays(disk):
    path = "/v1/experiments/e/allocations"
    with Server(f"sqlite:///{disk.folder}/live.db", *QUIET) as server, server.client() as client:
        create(server, horizon=10**6)
        given = [client.put(f"{path}/u{number}").json() for number in range(10)]
        with disk.full(server):
            statuses = []
            for number in range(60):  # a file system gives what is left of its last pages first
                answer = client.put(f"{path}/full-{number}")
                statuses.append(answer.status_code)
                if answer.status_code < 300:
                    given.append(answer.json())
            assert set(statuses) <= {201, 503}
            assert statuses[-20:] == [503] * 20
            assert answer.json()["code"] == "unavailable"
            assert answer.headers["retry-after"] == "1"
            for answer in (
                client.post(path, json={"units": [f"b{number}" for number in range(1000)]}),
                client.put(f"{path}/u1/reward", json={"reward": 1}),
                client.post(f"{path}/u2/void", json={"reason": "lost"}),
                client.put("/v1/experiments/f", json=CONFIGURATION),
                client.post("/v1/experiments/e/pause"),
                client.get("/readyz"),
            ):
                assert answer.status_code == 503, answer.text
            assert client.get("/healthz").status_code == 200
            assert client.put(f"{path}/u3").status_code in (200, 503)  # never another arm
            assert client.get(f"{path}/u3").status_code in (200, 503)
        until = time.monotonic() + 10
        while client.put(f"{path}/after").status_code == 503:
            assert time.monotonic() < until
        assert client.get("/readyz").status_code == 200
        assert client.get("/v1/experiments/f").status_code == 404  # what was refused did not happen
        assert [client.put(f"{path}/{said['unit']}").json() for said in given] == given
        assert client.get("/v1/experiments/e/verify").status_code == 200
        assert_whole(journal(server))
        with disk.full(server):
            seconds, _ = server.stop()  # nor does a full disk hold it up
        assert seconds < 5
        assert server.process.returncode == 0


@pytest.mark.slow
def test_a_restart_of_postgresql_under_load_is_503s_and_then_goes_on(durable_postgres):
    database = durable_postgres.new_database()
    with Server(database, *QUIET) as server, Load(server, clients=4) as load:
        load.wait_for(30)
        with server.client() as client:
            durable_postgres.stop("immediate")
            statuses = {
                client.get(path).status_code
                for path in (
                    "/readyz",
                    "/v1/experiments/e/events",
                    "/v1/experiments/e/verify",
                    "/v1/experiments",
                )
            }
            assert statuses <= {200, 503}
            assert client.get("/readyz").status_code == 503
            assert client.get("/healthz").status_code == 200
            fresh = server.client("steadyarm_0123456789ab_unknown")
            assert fresh.get("/v1/experiments").status_code == 503  # cannot know; must not say 401 or 200
            fresh.close()
            durable_postgres.start()
            load.wait_for(30)
            load.stop()
        entries = journal(server)
        assert missing(load.ledgers, entries) == []
        assert_whole(entries)
        assert load.refused > 0
        assert load.lost == 0
    durable_postgres.drop(database)
