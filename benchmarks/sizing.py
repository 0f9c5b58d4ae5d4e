"""Measures what a server of `steadyarm live` needs: memory and disk with many units, and with many open pages.

`python benchmarks/sizing.py [units] [streams]` prints a line for each step; 500,000 units and 200 streams by default.
"""

import argparse
import asyncio
import json
import socket
import subprocess
import tempfile
from pathlib import Path

from live import BATCH, CONFIGURATION, Target, call, command, free_port, resident, start, stop


def stream(target, experiment):
    """Open a page's stream and leave it idle."""
    opened = socket.create_connection(("127.0.0.1", target.port))
    head = f"GET /v1/experiments/{experiment}/stream HTTP/1.1\r\nhost: x\r\nauthorization: Bearer {target.token}\r\n"
    opened.sendall(f"{head}last-event-id: {2**52}\r\n\r\n".encode())
    assert opened.recv(12) == b"HTTP/1.1 200"
    return opened


def measure(folder, units, streams):
    database, port = f"sqlite:///{folder}/live.db", free_port()
    words = command("token", "--database", database, "--scope", "admin", "--json")
    target = Target(port, json.loads(subprocess.run(words, capture_output=True, check=True).stdout)["token"])
    server, seconds = start(database, port)
    print(f"empty: {resident(server)} MB, ready after {seconds:.1f} s", flush=True)
    path = "/v1/experiments/e"
    call(target, "PUT", path, CONFIGURATION)
    call(target, "POST", f"{path}/start")
    for number in range(units // BATCH):
        names = [f"visitor-{number}-{place}" for place in range(BATCH)]
        call(target, "POST", f"{path}/allocations", {"units": names})
        told = [{"unit": name, "reward": place % 2} for place, name in enumerate(names)]
        call(target, "POST", f"{path}/rewards", {"rewards": told})
    disk = sum(each.stat().st_size for each in Path(folder).glob("live.db*"))
    print(f"{units:,} units, all rewarded: {resident(server)} MB, {disk / 1e6:,.0f} MB on disk", flush=True)
    opened = [stream(target, "e") for _ in range(streams)]
    asyncio.run(asyncio.sleep(2.0))
    call(target, "PUT", f"{path}/allocations/one-more")
    print(f"and {streams} idle streams: {resident(server)} MB", flush=True)
    call(target, "GET", f"{path}/results")
    print(f"and the results once: {resident(server)} MB", flush=True)
    for each in opened:
        each.close()
    stop(server)


def main():
    parser = argparse.ArgumentParser(description="Measure what a server of `steadyarm live` needs.")
    parser.add_argument("units", nargs="?", type=int, default=500_000)
    parser.add_argument("streams", nargs="?", type=int, default=200)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        measure(folder, options.units, options.streams)


if __name__ == "__main__":
    main()
