"""Measures `steadyarm live` on SQLite: single allocations, batches, rewards, memory, and restarts on a long journal.

The server is a process of its own, started as a user would; clients are connections of this one, with as little
work of their own as HTTP allows. `python benchmarks/live.py [entries of the long journal]` prints the figures;
with `--out benchmarks/results` it writes live.json there, and `tools/live_page.py` puts them into docs/live.md.
"""

import argparse
import asyncio
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from dataclasses import asdict
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from steadyarm.study.bench.report import Machine

SECONDS = 5.0
BATCH = 1000
CONFIGURATION = {
    "arms": ["a", "b", "c"],
    "horizon": 10**9,
    "rewards": "bernoulli",
    "constants": "sharp",
}


class Target(NamedTuple):
    """A server to be measured."""

    port: int
    token: str


def command(*words):
    return [sys.executable, "-m", "steadyarm", "live", *words]


def start(database, port):
    """Start a server; returns the process and the seconds until it was ready."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    begun = time.perf_counter()
    server = subprocess.Popen(
        command("serve", "--database", database, "--port", str(port)),
        env=environment,
        stderr=subprocess.DEVNULL,
    )
    while True:
        try:
            urllib.request.urlopen(f"http://127.0.0.1:{port}/readyz").read()
            return server, time.perf_counter() - begun
        except OSError:
            time.sleep(0.01)


def call(target, method, path, content=None):
    request = urllib.request.Request(
        f"http://127.0.0.1:{target.port}{path}",
        data=None if content is None else json.dumps(content).encode(),
        headers={"authorization": f"Bearer {target.token}"},
        method=method,
    )
    return json.load(urllib.request.urlopen(request))


async def connection(target, requests, until):
    """Send requests one after the other on one connection; returns how long each took."""
    reader, writer = await asyncio.open_connection("127.0.0.1", target.port)
    times = []
    for method, path, content in requests:
        begun = time.perf_counter()
        if begun > until:
            break
        head = f"{method} {path} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer {target.token}\r\n"
        writer.write(f"{head}content-length: {len(content)}\r\n\r\n{content}".encode())
        answer = await reader.readuntil(b"\r\n\r\n")
        if answer[9:12] not in (b"200", b"201"):
            raise SystemExit(answer)
        lower = answer.lower()
        at = lower.index(b"content-length:") + 15
        await reader.readexactly(int(lower[at : lower.index(b"\r\n", at)]))
        times.append(time.perf_counter() - begun)
    writer.close()
    await writer.wait_closed()
    return times


async def load(target, make, connections, seconds=SECONDS):
    """Keep connections busy for a while; returns the sorted times of all requests."""
    until = time.perf_counter() + seconds
    found = await asyncio.gather(*(connection(target, make(number), until) for number in range(connections)))
    return sorted(each for times in found for each in times)


def allocations(experiment, number):
    path = f"/v1/experiments/{experiment}/allocations"
    return (("PUT", f"{path}/unit-{number}-{count}", "") for count in range(10**9))


def batches(experiment, number):
    path = f"/v1/experiments/{experiment}/allocations"
    for count in range(10**9):
        units = [f"batch-{number}-{count}-{place}" for place in range(BATCH)]
        yield "POST", path, json.dumps({"units": units})


def rewards(experiment, number):
    """The rewards of units that `batches` had allocated, for as long as there are some."""
    for _, _, content in batches(experiment, number):
        told = [
            {"unit": unit, "reward": place % 2} for place, unit in enumerate(json.loads(content)["units"])
        ]
        yield "POST", f"/v1/experiments/{experiment}/rewards", json.dumps({"rewards": told})


def reward_batches(target, connections=4, each=25):
    """Tell the rewards of fresh units in batches; returns how many a second were taken in."""
    for number in range(connections):
        for method, path, content in islice(batches("batch", f"r{number}"), each):
            call(target, method, path, json.loads(content))
    ready = [list(islice(rewards("batch", f"r{number}"), each)) for number in range(connections)]
    begun = time.perf_counter()
    asyncio.run(load(target, lambda number: ready[number], connections, 600.0))
    return round(connections * each * BATCH / (time.perf_counter() - begun))


def figure(times, each=1):
    """Allocations a second, and the median and the late requests in milliseconds."""
    return {
        "per_second": round(len(times) * each / SECONDS),
        "median_ms": round(times[len(times) // 2] * 1e3, 2),
        "p99_ms": round(times[int(len(times) * 0.99)] * 1e3, 2),
    }


def stop(server):
    begun = time.perf_counter()
    server.send_signal(signal.SIGTERM)
    server.wait()
    return time.perf_counter() - begun


def resident(server):
    with open(f"/proc/{server.pid}/status") as status:
        return next(int(line.split()[1]) // 1024 for line in status if line.startswith("VmRSS"))


def sync_milliseconds(folder, times=100):
    """The median of an fdatasync after a page was written: the floor under a commit."""
    took = []
    with open(Path(folder) / "sync", "wb", buffering=0) as file:
        for _ in range(times):
            file.write(bytes(4096))
            begun = time.perf_counter()
            os.fdatasync(file.fileno())
            took.append(time.perf_counter() - begun)
    return round(sorted(took)[times // 2] * 1e3, 3)


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def measure(folder, entries, note):
    """Return all figures; `note` is told of each."""
    port = free_port()
    database = f"sqlite:///{folder}/live.db"
    made = subprocess.run(
        command("token", "--database", database, "--scope", "admin", "--json"),
        capture_output=True,
        check=True,
    )
    target = Target(port, json.loads(made.stdout)["token"])
    found = {"sync_ms": sync_milliseconds(folder), "batch": BATCH}
    server, _ = start(database, port)
    found["memory_mb"] = [[0, resident(server)]]
    for name in ("single", "batch"):
        call(target, "PUT", f"/v1/experiments/{name}", CONFIGURATION)
        call(target, "POST", f"/v1/experiments/{name}/start")
    asyncio.run(load(target, lambda number: allocations("single", f"w{number}"), 4))  # warm
    found["single"] = {}
    for connections in (1, 16, 32):
        run = asyncio.run(
            load(target, lambda n, c=connections: allocations("single", f"{c}-{n}"), connections)
        )
        found["single"][connections] = figure(run)
        note(f"single allocations, {connections} connections: {figure(run)}")
    found["batches"] = {4: figure(asyncio.run(load(target, lambda n: batches("batch", n), 4)), BATCH)}
    note(f"batches of {BATCH:,}, 4 connections: {found['batches'][4]}")
    found["rewards_per_second"] = reward_batches(target)
    note(f"rewards in batches of {BATCH:,}, 4 connections: {found['rewards_per_second']:,} a second")
    path, count = "/v1/experiments/batch", 0
    while (seq := call(target, "GET", path)["seq"]) < entries:
        units = [f"more-{count}-{place}" for place in range(BATCH)]
        call(target, "POST", f"{path}/allocations", {"units": units})
        count += 1
        if count % 100 == 0:
            found["memory_mb"].append([seq, resident(server)])
    found["entries"] = seq
    found["memory_mb"].append([seq, resident(server)])
    note(f"memory by entries: {found['memory_mb']}")
    found["stop_s"] = round(stop(server), 2)
    found["restart_s"] = {}
    for how in ("stop", "kill"):
        begun = time.perf_counter()
        server, _ = start(database, port)
        call(target, "PUT", f"{path}/allocations/after-a-{how}")
        found["restart_s"][how] = round(time.perf_counter() - begun, 2)
        os.kill(server.pid, signal.SIGKILL)
        server.wait()
    note(f"a restart answers after {found['restart_s']} s")
    return found


def main():
    parser = argparse.ArgumentParser(description="Measure `steadyarm live` on SQLite.")
    parser.add_argument("entries", nargs="?", type=float, default=1e6, help="of the long journal")
    parser.add_argument("--out", type=Path, help="folder for live.json")
    options = parser.parse_args()
    machine = Machine.this()
    with tempfile.TemporaryDirectory() as folder:
        found = measure(folder, int(options.entries), lambda text: print(text, flush=True))
    if options.out is not None:
        record = {"machine": asdict(machine), **found}
        (options.out / "live.json").write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
