"""Measures the pause when a live experiment learns from a whole batch: in the core, and over HTTP on a database.

`python benchmarks/batch_pause.py [units of the batch] [--database URL] [--core]` allocates that many units on 20 arms,
tells their rewards in shuffled order, and prints as one line of JSON how long the next unit waits for its arm, before
which all rewards are told. Over HTTP it also says how long the slowest call before that took, snapshots included.
"""

import argparse
import asyncio
import json
import random
import socket
import subprocess
import tempfile
import time

import live  # benchmarks/live.py, beside this file
from steadyarm.live.core.experiment import Experiment
from steadyarm.live.core.setup.configuration import requested, resolve

AT = "2026-01-01T00:00:00.000000Z"
CALL = 1000


def configuration(units):
    arms = [f"headline {number}" for number in range(1, 21)]
    return {"arms": arms, "horizon": 5 * units, "rewards": "bernoulli", "spread": units / 10, "batch": units}


def reward(unit):
    return float(hash(unit) % 50 == 0)


def in_core(units):
    experiment, _ = Experiment.create(1, "e", resolve(requested(configuration(units))), AT)
    experiment.move("started", AT)
    given = [(f"u{number}", experiment.allocate(f"u{number}", AT)[1]) for number in range(units)]
    random.Random(1).shuffle(given)
    for name, unit in given:
        experiment.reward(name, unit, reward(name), AT)
    begun = time.perf_counter()
    experiment.allocate("next", AT)
    return {"pause_s": round(time.perf_counter() - begun, 3)}


def over_http(units, database):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    made = subprocess.check_output(
        live.command("token", "--database", database, "--scope", "admin", "--json")
    )
    server, _ = live.start(database, port)
    try:
        target, path = live.Target(port, json.loads(made)["token"]), "/v1/experiments/e"
        live.call(target, "PUT", path, configuration(units))
        live.call(target, "POST", f"{path}/start")
        names = [f"u{number}" for number in range(units)]
        parts = [names[first : first + CALL] for first in range(0, units, CALL)]
        sent = [("POST", f"{path}/allocations", json.dumps({"units": part})) for part in parts]
        random.Random(1).shuffle(names)
        for first in range(0, units, CALL):
            told = [{"unit": name, "reward": reward(name)} for name in names[first : first + CALL]]
            sent.append(("POST", f"{path}/rewards", json.dumps({"rewards": told})))
        times = asyncio.run(live.connection(target, sent, float("inf")))
        begun = time.perf_counter()
        live.call(target, "PUT", f"{path}/allocations/next")
        pause = time.perf_counter() - begun
        assert live.call(target, "GET", path)["untold"] == 0
        return {"pause_s": round(pause, 3), "slowest_call_before_s": round(max(times), 3)}
    finally:
        live.stop(server)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("units", type=float, nargs="?", default=1e6)
    parser.add_argument("--database", help="a temporary file of SQLite unless given")
    parser.add_argument("--core", action="store_true", help="without HTTP and database")
    asked = parser.parse_args()
    units = int(asked.units)
    with tempfile.TemporaryDirectory() as folder:
        database = asked.database or f"sqlite:///{folder}/batch.db"
        found = in_core(units) if asked.core else over_http(units, database)
    where = "core" if asked.core else database.split(":")[0]
    print(json.dumps({"units": units, "where": where} | found))


if __name__ == "__main__":
    main()
