"""Measures `steadyarm live` on SQLite: single allocations, batches, and a restart on a long journal.

The server is a process of its own, started as a user would; clients are connections of this one, with as little
work of their own as HTTP allows. `python benchmarks/live.py [entries of the long journal]`.
"""

import asyncio
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request

CONNECTIONS = 32
SECONDS = 5.0
BATCH = 1000
PORT = 8491
CONFIGURATION = {
    "arms": ["a", "b", "c"],
    "horizon": 10**9,
    "rewards": "bernoulli",
    "constants": "sharp",
}


def command(*words):
    return [sys.executable, "-m", "steadyarm", "live", *words]


def start(database):
    """Start a server; returns the process and the seconds until it was ready."""
    begun = time.perf_counter()
    server = subprocess.Popen(
        command("serve", "--database", database, "--port", str(PORT)), stderr=subprocess.DEVNULL
    )
    while True:
        try:
            urllib.request.urlopen(f"http://127.0.0.1:{PORT}/readyz").read()
            return server, time.perf_counter() - begun
        except OSError:
            time.sleep(0.01)


def call(token, method, path, content=None):
    request = urllib.request.Request(
        f"http://127.0.0.1:{PORT}{path}",
        data=None if content is None else json.dumps(content).encode(),
        headers={"authorization": f"Bearer {token}"},
        method=method,
    )
    return json.load(urllib.request.urlopen(request))


async def connection(token, requests, until):
    """Send requests one after the other on one connection; returns how many and their times."""
    reader, writer = await asyncio.open_connection("127.0.0.1", PORT)
    times = []
    for method, path, content in requests:
        begun = time.perf_counter()
        if begun > until:
            break
        head = f"{method} {path} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer {token}\r\n"
        writer.write(f"{head}content-length: {len(content)}\r\n\r\n{content}".encode())
        answer = await reader.readuntil(b"\r\n\r\n")
        if answer[9:12] not in (b"200", b"201"):
            raise SystemExit(answer)
        lower = answer.lower()
        at = lower.index(b"content-length:") + 15
        await reader.readexactly(int(lower[at : lower.index(b"\r\n", at)]))
        times.append(time.perf_counter() - begun)
    writer.close()
    return times


async def load(token, make, connections):
    until = time.perf_counter() + SECONDS
    found = await asyncio.gather(*(connection(token, make(number), until) for number in range(connections)))
    return sorted(each for times in found for each in times)


def allocations(experiment, number):
    path = f"/v1/experiments/{experiment}/allocations"
    return (("PUT", f"{path}/unit-{number}-{count}", "") for count in range(10**9))


def batches(experiment, number):
    path = f"/v1/experiments/{experiment}/allocations"
    for count in range(10**9):
        units = [f"batch-{number}-{count}-{place}" for place in range(BATCH)]
        yield "POST", path, json.dumps({"units": units})


def report(what, times, each=1):
    rate = len(times) * each / SECONDS
    middle, late = times[len(times) // 2], times[int(len(times) * 0.99)]
    print(
        f"{what:44} {rate:9,.0f} a second   median {middle * 1e3:.1f} ms, 99 % {late * 1e3:.1f} ms",
        flush=True,
    )


def stop(server):
    begun = time.perf_counter()
    server.send_signal(signal.SIGTERM)
    server.wait()
    return time.perf_counter() - begun


def resident(server):
    with open(f"/proc/{server.pid}/status") as status:
        return next(int(line.split()[1]) // 1024 for line in status if line.startswith("VmRSS"))


def main():
    entries = int(float(sys.argv[1])) if len(sys.argv) > 1 else 10**6
    with tempfile.TemporaryDirectory() as folder:
        database = f"sqlite:///{folder}/live.db"
        made = subprocess.run(
            command("token", "--database", database, "--scope", "admin", "--json"),
            capture_output=True,
            check=True,
        )
        token = json.loads(made.stdout)["token"]
        server, _ = start(database)
        print(f"server's memory at first {resident(server)} MB")
        for name in ("single", "batch"):
            call(token, "PUT", f"/v1/experiments/{name}", CONFIGURATION)
            call(token, "POST", f"/v1/experiments/{name}/start")
        asyncio.run(load(token, lambda number: allocations("single", f"w{number}"), 4))  # warm
        for connections in (1, 16, CONNECTIONS):
            run = asyncio.run(
                load(token, lambda n, c=connections: allocations("single", f"{c}-{n}"), connections)
            )
            report(f"single allocations, {connections} connections", run)
        run = asyncio.run(load(token, lambda number: batches("batch", number), 4))
        report(f"batches of {BATCH:,}, 4 connections", run, BATCH)
        path = "/v1/experiments/batch"
        count = 0
        while call(token, "GET", path)["seq"] < entries:
            units = [f"more-{count}-{place}" for place in range(BATCH)]
            call(token, "POST", f"{path}/allocations", {"units": units})
            count += 1
        print(
            f"journal of {call(token, 'GET', path)['seq']:,} entries; server's memory {resident(server)} MB"
        )
        print(f"stopped in {stop(server):.2f} s")
        server, ready = start(database)
        begun = time.perf_counter()
        call(token, "PUT", f"{path}/allocations/after-restart")
        print(
            f"restart: ready after {ready:.2f} s, first allocation {time.perf_counter() - begun:.2f} s later"
        )
        os.kill(server.pid, signal.SIGKILL)
        server.wait()
        server, ready = start(database)
        begun = time.perf_counter()
        call(token, "PUT", f"{path}/allocations/after-kill")
        print(
            f"after a kill: ready after {ready:.2f} s, first allocation {time.perf_counter() - begun:.2f} s later"
        )
        stop(server)


if __name__ == "__main__":
    main()
