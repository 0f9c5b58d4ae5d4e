"""Hot backups hold all that was acknowledged before them; upgrades survive being killed."""

import os
import subprocess
import sys
from contextlib import closing
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest

from steadyarm.live.storage import queries
from steadyarm.live.storage.store import Store
from tests.faults.clients import Load, missing
from tests.faults.sizes import FULL, SIZES
from tests.live.conftest import Api
from tests.live.postgres import program
from tests.live.server import Server, run_live

ROOT = Path(__file__).parents[2]


def restored_store(request, database, copy, number):
    """Back a store up while clients write, and restore that into an empty place; returns its URL.

    PostgreSQL in turn by our own export and by its own dump, as docs/backup.md has it.
    """
    if database.startswith("sqlite"):
        run_live("backup", "--database", database, str(copy))
        restored = f"sqlite:///{copy}-restored/live.db"
        run_live("restore", str(copy), "--database", restored)
        return restored
    restored = request.getfixturevalue("durable_postgres").new_database()
    if number % 2:
        copy.touch(0o600)
        subprocess.run([program("pg_dump"), "--file", copy, database], check=True, timeout=60)
        words = [program("psql"), "--quiet", "--set", "ON_ERROR_STOP=1", "--file", copy, restored]
        subprocess.run(words, check=True, timeout=60, stdout=subprocess.DEVNULL)
    else:
        run_live("backup", "--database", database, str(copy))
        run_live("import", str(copy), "--database", restored)
    return restored


@pytest.mark.slow
def test_a_backup_under_load_is_whole_and_holds_what_was_acknowledged_before_it(request, database, tmp_path):
    with Server(database, "--log-level", "warning") as server, Load(server, clients=4) as load:
        for number in range(SIZES.backups):
            load.wait_for(50)
            before, copy = load.copy(), tmp_path / f"copy-{number}"
            restored = restored_store(request, database, copy, number)
            after = load.acknowledged
            run_live("verify", "--database", restored)
            api = Api(restored)  # it opens, and goes on
            try:
                entries = api.events()
                assert missing(before, entries) == []
                known = next(iter(before[0].arms.values()))
                assert api.allocate(known["unit"]).json() == known
                new = api("PUT", "/v1/experiments/e/allocations/new", {"stratum": "x"})
                assert new.status_code == 201
                if database.startswith("sqlite") or number % 2:  # tokens are in it, but not in an export
                    assert api("GET", "/v1/experiments", token=server.token).status_code == 200
            finally:
                api.close()
            if restored.startswith("postgresql"):
                request.getfixturevalue("durable_postgres").drop(restored)
            files = [copy, *tmp_path.glob(f"copy-{number}-restored/*")]
            for file in files:  # nor is it for everybody's eyes
                assert file.stat().st_mode & 0o077 == 0, file
        assert load.acknowledged > after  # clients wrote on
        assert load.lost == load.refused == 0  # and never noticed


def old_store(url):
    """A store as the first version had it, with a journal."""
    spec = spec_from_file_location("old_store", ROOT / "tools" / "old_store.py")
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    with closing(Store(url)) as store:
        module.write(store)


# Brings a store up to date and kills itself with SIGKILL at the n-th statement of it; forks, because imports are slow.
MIGRATE = """
import os, signal, sys
import sqlalchemy as sql
import alembic.command
from steadyarm.live.storage.store import Store

def migrate(url, last):
    store = Store(url)
    with store.connect_writer() as connection:
        seen = 0
        @sql.event.listens_for(connection, "after_cursor_execute")
        def count(*_):
            nonlocal seen
            seen += 1
            if seen == last:
                os.kill(os.getpid(), signal.SIGKILL)
        print(seen, store.migrate(connection), flush=True)
    store.close()

for word in sys.argv[1:]:
    last, url = word.split("=", 1)
    child = os.fork()
    if child == 0:
        migrate(url, int(last))
        os._exit(0)
    print("killed" if os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == -signal.SIGKILL else "done", flush=True)
"""


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_an_upgrade_that_is_killed_at_any_statement_is_done_by_the_next_start(kind, tmp_path, request):
    statements = range(1, 21)  # more than there are
    if kind == "sqlite":
        urls = [f"sqlite:///{tmp_path}/{number}.db" for number in statements]
    else:
        statements = statements if FULL else (1, 5, 8, 20)
        postgres = request.getfixturevalue("durable_postgres")
        urls = [postgres.new_database() for _ in statements]
    for url in urls:
        old_store(url)
    words = [f"{number}={url}" for number, url in zip(statements, urls, strict=True)]
    done = subprocess.run(
        [sys.executable, "-c", MIGRATE, *words], capture_output=True, text=True, timeout=100, env=os.environ
    )
    assert done.returncode == 0, done.stderr
    ends = [line for line in done.stdout.splitlines() if line in ("killed", "done")]
    killed = ends.count("killed")
    assert ends == ["killed"] * killed + ["done"] * (len(urls) - killed)
    assert len(urls) / 2 <= killed < len(urls)  # and the last one none: every statement had its turn
    for url in urls:
        api = Api(url)
        try:
            with api.service.store.read() as connection:
                (version,) = queries._run(connection, "SELECT version_num FROM alembic_version").one()
            assert version == "0003"
            assert api("GET", "/v1/experiments/old/verify").json()["decisions"] == 12
            assert api.allocate("u0", "old").status_code == 200
            assert api.allocate("new", "old").status_code == 201
        finally:
            api.close()
        if kind == "postgresql":
            postgres.drop(url)
