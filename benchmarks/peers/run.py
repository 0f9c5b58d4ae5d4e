"""Runs peers and steadyarm in turn on one instance, and writes benchmarks/results/peers.json and peers.md.

    .venv/bin/python benchmarks/peers/run.py               # all; installs each into results/peers/NAME first
    .venv/bin/python benchmarks/peers/run.py --only river  # one, printed and not written

Ours is `simulate` with UCB1, engine `step`, one thread, drawing included; a peer is a process of its own that times
itself and nothing of its start. A ratio is ours over the peer's in the same turn, by CPU time; a row gives the
median over the turns.
"""

import argparse
import json
import os
import subprocess
import sys
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median

from instance import ARMS, HORIZON, MEANS

import steadyarm as sa
from steadyarm.study.bench.report import Machine, number

HERE = Path(__file__).parent
ENVIRONMENTS = HERE.parent.parent / "results" / "peers"
RESULTS = HERE.parent / "results"
PATIENCE = 300  # seconds for an installation, or a play
NOT_THERE = "not on the package index"
OUR_RUNS = 500
INDEX = "mean + √(2 ln t / n)"


@dataclass(frozen=True)
class Peer:
    """A rival library: what to install, what to run, and what that plays."""

    name: str
    requirements: str = ""
    script: str = ""
    plays: str = ""
    why_not: str = ""

    @property
    def environment(self):
        """The folder of its virtual environment; the same for the same script."""
        return ENVIRONMENTS / self.script.split()[0].removesuffix(".py").removeprefix("play_")


PEERS = (
    Peer("PyMAB, Rust", "pymab==2.0.1", "play_pymab.py rust", f"experiment, UCB: {INDEX}"),
    Peer("PyMAB, Python", "pymab==2.0.1", "play_pymab.py python", f"experiment, UCB: {INDEX}"),
    Peer("river", "river==0.26.1", "play_river.py", f"loop without drawing, UCB: {INDEX}"),
    Peer(
        "SMPyBandits",  # with the newest NumPy and SciPy that it still works with
        "SMPyBandits==0.9.7 numpy==1.26.4 scipy==1.13.1 matplotlib==3.9.4",
        "play_smpybandits.py",
        f"evaluator, UCB: {INDEX}",
    ),
    Peer("Vowpal Wabbit", "vowpalwabbit==9.11.9", "play_vowpalwabbit.py", "loop without drawing, ε-greedy"),
    Peer("mabby", "mabby==0.1.2", "play_mabby.py", f"simulation, UCB1: {INDEX}"),
    Peer(
        "rlberry",  # the last version on the index that has bandits
        "rlberry==0.6.0 gymnasium==0.29.1",
        "play_rlberry.py",
        f"agent's fit, UCB: {INDEX}",
    ),
    Peer("MABWiser", "mabwiser==2.7.4", "play_mabwiser.py", f"loop without drawing, UCB1: {INDEX}"),
    Peer(
        "pybandits",
        "pybandits==8.4.1",
        "play_pybandits.py",
        "loop without drawing, Thompson sampling on 0 and 1",
    ),
    Peer(
        "bayesianbandits",
        "bayesianbandits==1.5.0",
        "play_bayesianbandits.py",
        "loop without drawing, Bayesian UCB",
    ),
    Peer(
        "obp", why_not="its version 0.5.7 asks for torch 1.12, which has no package for Python 3.11 or newer"
    ),
    Peer("jax-bandits", why_not=NOT_THERE),
    Peer("BanditPyLib", why_not=NOT_THERE),
    Peer("banditlib (C++)", why_not=NOT_THERE),
    Peer("libbandit (C++)", why_not=NOT_THERE),
)


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--only", help="names of peers, separated by commas; prints and writes nothing")
    options.add_argument("--turns", type=int, default=5, help="alternations; default 5")
    asked = options.parse_args()
    wanted = [word.strip().lower() for word in asked.only.split(",")] if asked.only else None
    chosen = [peer for peer in PEERS if wanted is None or peer.name.lower().split(",")[0] in wanted]
    if not chosen:
        sys.exit(f"--only must name some of {', '.join(peer.name for peer in PEERS)}; got {asked.only!r}.")
    machine = Machine.this()
    play_ours()  # compiled, loaded
    rows = []
    for peer in chosen:
        rows.append(row_of(peer, asked.turns))
        print(f"{peer.name}: {said(rows[-1])}", file=sys.stderr)
    rows.sort(
        key=lambda row: -(row["pulls_per_second"] or 0.0)
    )  # stable: those without a figure stay in order
    ours = [row["ours"] for row in rows if row["ours"] is not None]
    record = {
        "machine": asdict(machine),
        "instance": {"means": MEANS, "noise_scale": 1.0, "horizon": HORIZON, "n_arms": len(ARMS)},
        "turns": asked.turns,
        "steadyarm": round(median(ours)) if ours else None,
        "peers": rows,
    }
    table = to_markdown(record)
    print(table)
    if wanted is None:
        RESULTS.mkdir(exist_ok=True)
        text = json.dumps(record, indent=2, ensure_ascii=False) + "\n"
        (RESULTS / "peers.json").write_text(text, encoding="utf-8")
        (RESULTS / "peers.md").write_text(table, encoding="utf-8")


def row_of(peer, turns):
    """Return what was measured of a peer, or why nothing was."""
    row = {
        "peer": peer.name,
        "requirements": peer.requirements,
        "plays": peer.plays,
        "pulls_per_second": None,
        "ours": None,
        "ratio": None,
        "why_not": peer.why_not,
    }
    try:
        if peer.why_not:
            return row
        install(peer)
        pairs = [(play_ours(), play_peer(peer)) for _ in range(turns)]
    except (subprocess.SubprocessError, OSError) as error:
        output = getattr(error, "stderr", None) or str(error)
        lines = [line for line in output.strip().splitlines() if "WARNING" not in line]
        return row | {"why_not": f"could not be run: {lines[-1] if lines else 'no message'}"}
    return row | {
        "pulls_per_second": round(median(theirs for _, theirs in pairs), 1),
        "ours": round(median(ours for ours, _ in pairs)),
        "ratio": float(f"{median(ours / theirs for ours, theirs in pairs):.4g}"),
    }


def install(peer):
    """Make the peer's environment, once for these requirements."""
    done = peer.environment / "installed.txt"
    if done.exists() and done.read_text(encoding="utf-8") == peer.requirements:
        return
    print(f"{peer.name}: installing {peer.requirements}", file=sys.stderr)
    call([sys.executable, "-m", "venv", "--clear", str(peer.environment)])
    call([python_of(peer), "-m", "pip", "install", "--quiet", *peer.requirements.split()])
    done.write_text(peer.requirements, encoding="utf-8")


def play_peer(peer):
    """Return the peer's pulls a second, by CPU time."""
    script, *words = peer.script.split()
    output = call([python_of(peer), str(HERE / script), *words])
    return json.loads(output.splitlines()[-1])["cpu"]


def play_ours():
    """Return our pulls a second, by CPU time, the drawing of rewards included."""
    policy = sa.UCB1(n_arms=len(ARMS), horizon=HORIZON, constant=2.0)
    begun = time.process_time()
    sa.simulate(
        policy, sa.Instance.gaussian(MEANS), runs=OUR_RUNS, engine="step", threads=1, seed=1, progress=False
    )
    return OUR_RUNS * HORIZON / (time.process_time() - begun)


def python_of(peer):
    folder = "Scripts" if os.name == "nt" else "bin"
    return str(peer.environment / folder / "python")


def call(words):
    """Run a command in one thread and return what it printed."""
    single = {f"{name}_NUM_THREADS": "1" for name in ("OMP", "OPENBLAS", "MKL", "NUMBA")} | {
        "MPLBACKEND": "agg"
    }
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"} | single
    done = subprocess.run(
        words, capture_output=True, text=True, check=True, timeout=PATIENCE, env=environment
    )
    return done.stdout


def said(row):
    """One line about a row."""
    if row["ratio"] is None:
        return row["why_not"]
    return f"{number(row['pulls_per_second'])} pulls/s; steadyarm {number(row['ratio'])} times that"


def to_markdown(record):
    """Return the table, with where and how it was measured."""
    machine = Machine(**record["machine"])
    lines = [f"Measured on {machine} Medians over {record['turns']} turns."]
    if record["steadyarm"]:
        lines[0] += f" steadyarm itself: {number(record['steadyarm'])} pulls a second."
    lines += ["", "| peer | installed | plays | pulls/s | steadyarm is faster by |", "|---|---|---|---|---|"]
    for row in record["peers"]:
        if row["ratio"] is None:
            lines.append(f"| {row['peer']} | – | | | {row['why_not']} |")
        else:
            installed = ", ".join(f"`{word}`" for word in row["requirements"].split())
            speed = number(row["pulls_per_second"])
            lines.append(
                f"| {row['peer']} | {installed} | {row['plays']} | {speed} | {number(row['ratio'])} × |"
            )
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    main()
