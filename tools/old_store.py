"""Writes tests/live/storage/data/store-0001.sql: a store as the first version of the tables had it.

It is what a user may still have on a disk; tests open it with the newest version. Run it only to add a version, and by
the software of that version: so store-0002.sql was made, with a snapshot as that software kept it.
"""

import sqlite3
import tempfile
from pathlib import Path

import alembic.command
from alembic.config import Config

from steadyarm.live.core.experiment import Experiment
from steadyarm.live.core.setup.configuration import requested, resolve
from steadyarm.live.storage import queries, store

REVISION = "0001"
TARGET = Path(__file__).parent.parent / "tests" / "live" / "storage" / "data" / f"store-{REVISION}.sql"
CONFIGURATION = {"arms": ["a", "b"], "horizon": 100, "rewards": "bernoulli", "constants": "sharp", "seed": 11}


def rows():
    at = "2026-11-15T09:00:00.000Z"
    experiment, first = Experiment.create(1, "old", resolve(requested(CONFIGURATION)), at, version=1)
    yield first
    yield experiment.move("started", at)
    for number in range(12):
        row, unit = experiment.allocate(f"u{number}", at)
        yield row
        if number == 3:
            yield experiment.void("u3", unit, "lost", at)[0]
        elif number != 7:  # one stays outstanding
            yield experiment.reward(f"u{number}", unit, float(number % 2), at)[0]


def write(opened):
    """Make an empty store one of the old version, with a journal."""
    with opened.connect_writer() as connection:
        config = Config()
        config.set_main_option("script_location", str(Path(store.__file__).parent / "migrations"))
        config.set_main_option("path_separator", "os")
        config.attributes["connection"] = connection
        alembic.command.upgrade(config, REVISION)
        connection.commit()
        with connection.begin():
            queries.import_rows(connection, "old", rows())


def main():
    with tempfile.TemporaryDirectory() as folder:
        opened = store.Store(f"sqlite:///{folder}/old.db")
        write(opened)
        opened.close()
        with sqlite3.connect(f"{folder}/old.db") as plain:
            TARGET.parent.mkdir(exist_ok=True)
            TARGET.write_text("\n".join(plain.iterdump()) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
