"""Runs peers and steadyarm in turn on one instance, and writes benchmarks/results/peers.json and peers.md.

    .venv/bin/python benchmarks/peers/run.py               # all; installs each into results/peers/NAME first
    .venv/bin/python benchmarks/peers/run.py --only river  # one, printed and not written
    .venv/bin/python benchmarks/peers/run.py --program libbandit=/path/to/a/program

Ours is `simulate` with the same policy, engine `step`, one thread, drawing included; a peer is a process of its own
that times itself and nothing of its start. A ratio is ours over the peer's in the same turn, by CPU time; a row gives
the median over the turns.

Some peers are no packages. Who has built one gives a program that is called with the name of a policy (UCB1, MOSS or
Thompson), plays the instance of `instance.py` and prints what `report` prints; PEER_ARMS and PEER_HORIZON are set.
"""

import argparse
import json
import math
import os
import subprocess
import sys
import time
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from statistics import median

from instance import ARMS, HORIZON, MEANS, chances_of, means_of

import steadyarm as sa
from steadyarm.study.bench.report import Machine, number

HERE = Path(__file__).parent
ENVIRONMENTS = HERE.parent.parent / "results" / "peers"
RESULTS = HERE.parent / "results"
PATIENCE = 300  # seconds for an installation, or a play
NOT_THERE = "not on the package index"
N_ARMS = len(ARMS)
OUR_PULLS = 5_000_000  # of one play of ours
ENOUGH_PULLS = 10_000  # a second, for which it is seen how time grows: others would take minutes
GROWN = 4  # times as many arms, or rounds, to see how time grows
INDEX = "mean + √(2 ln t / n)"
COINS = "Thompson sampling on 0 and 1"

OURS = {
    "UCB1": lambda size: sa.UCB1(**size, constant=2.0),
    "MOSS": lambda size: sa.MOSS(**size),
    "Thompson": lambda size: sa.GaussianThompson(**size),
    "Beta Thompson": lambda size: sa.BetaThompson(**size),
}
"""The policies of ours that peers are held against; the last one plays coins, the others unit Gaussian noise."""


@dataclass(frozen=True)
class Peer:
    """A rival library: what to install, what to run, what that plays, and which policy of ours is the same or next."""

    name: str
    requirements: str = ""
    script: str = ""
    plays: str = ""
    why_not: str = ""
    beside: str = "UCB1"
    program: str = ""

    @property
    def environment(self):
        """The folder of its virtual environment; the same for the same script."""
        return ENVIRONMENTS / self.script.split()[0].removesuffix(".py").removeprefix("play_")


def built(name, thompson):
    """Return the rows of a library that has no package, for `--program`; its Thompson sampling is like one of ours."""
    why_not = f"has no package; built from its source it takes part by `--program {name}=PATH`"
    plays = {"UCB1": f"UCB: {INDEX}", "MOSS": "MOSS", "Thompson": "Thompson sampling", "Beta Thompson": COINS}
    return tuple(
        Peer(
            f"{name}, C++",
            script=f"{name} {beside.split()[-1]}",
            plays=f"simulation, {plays[beside]}",
            beside=beside,
            program=name,
            why_not=why_not,
        )
        for beside in ("UCB1", "MOSS", thompson)
    )


SMPYBANDITS = (
    "SMPyBandits==0.9.7 numpy==1.26.4 scipy==1.13.1 matplotlib==3.9.4"  # the newest that it works with
)

PEERS = (
    Peer("PyMAB, Rust", "pymab==2.0.1", "play_pymab.py rust", f"experiment, UCB: {INDEX}"),
    Peer("PyMAB, Python", "pymab==2.0.1", "play_pymab.py python", f"experiment, UCB: {INDEX}"),
    Peer("river", "river==0.26.1", "play_river.py UCB1", f"loop without drawing, UCB: {INDEX}"),
    Peer(
        "river",
        "river==0.26.1",
        "play_river.py Thompson",
        f"loop without drawing, {COINS}",
        beside="Beta Thompson",
    ),
    Peer("SMPyBandits", SMPYBANDITS, "play_smpybandits.py UCB1", f"evaluator, UCB: {INDEX}"),
    Peer("SMPyBandits", SMPYBANDITS, "play_smpybandits.py MOSS", "evaluator, MOSS", beside="MOSS"),
    Peer(
        "SMPyBandits",
        SMPYBANDITS,
        "play_smpybandits.py Thompson",
        f"evaluator, {COINS}",
        beside="Beta Thompson",
    ),
    Peer("Vowpal Wabbit", "vowpalwabbit==9.11.9", "play_vowpalwabbit.py", "loop without drawing, ε-greedy"),
    Peer("mabby", "mabby==0.1.2", "play_mabby.py UCB1", f"simulation, UCB1: {INDEX}"),
    Peer("mabby", "mabby==0.1.2", "play_mabby.py Thompson", f"simulation, {COINS}", beside="Beta Thompson"),
    Peer(
        "rlberry",  # the last version on the index that has bandits
        "rlberry==0.6.0 gymnasium==0.29.1",
        "play_rlberry.py",
        f"agent's fit, UCB: {INDEX}",
    ),
    Peer("MABWiser", "mabwiser==2.7.4", "play_mabwiser.py UCB1", f"loop without drawing, UCB1: {INDEX}"),
    Peer(
        "MABWiser",
        "mabwiser==2.7.4",
        "play_mabwiser.py Thompson",
        f"loop without drawing, {COINS}",
        beside="Beta Thompson",
    ),
    Peer(
        "pybandits",
        "pybandits==8.4.1",
        "play_pybandits.py",
        f"loop without drawing, {COINS}",
        beside="Beta Thompson",
    ),
    Peer(
        "bayesianbandits",
        "bayesianbandits==1.5.0",
        "play_bayesianbandits.py",
        "loop without drawing, Bayesian UCB",
    ),
    *built("libbandit", "Thompson"),
    *built("banditlib", "Beta Thompson"),
    Peer(
        "obp", why_not="its version 0.5.7 asks for torch 1.12, which has no package for Python 3.11 or newer"
    ),
    Peer("jax-bandits", why_not=NOT_THERE),
    Peer("BanditPyLib", why_not=NOT_THERE),
)


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--only", help="names of peers, separated by commas; prints and writes nothing")
    options.add_argument("--turns", type=int, default=5, help="alternations; default 5")
    options.add_argument(
        "--program", action="append", default=[], metavar="NAME=PATH", help="a peer that is built"
    )
    asked = options.parse_args()
    wanted = [word.strip().lower() for word in asked.only.split(",")] if asked.only else None
    peers = with_programs(dict(word.partition("=")[::2] for word in asked.program))
    chosen = [peer for peer in peers if wanted is None or peer.name.lower().split(",")[0] in wanted]
    if not chosen:
        sys.exit(
            f"--only must name some of {', '.join({peer.name: 0 for peer in PEERS})}; got {asked.only!r}."
        )
    machine = Machine.this()
    rows = []
    for peer in chosen:
        rows.append(row_of(peer, asked.turns))
        print(f"{peer.name}: {said(rows[-1])}", file=sys.stderr)
    rows.sort(
        key=lambda row: -(row["pulls_per_second"] or 0.0)
    )  # stable: those without a figure stay in order
    record = {
        "machine": asdict(machine),
        "instance": {"means": MEANS, "noise_scale": 1.0, "horizon": HORIZON, "n_arms": N_ARMS},
        "turns": asked.turns,
        "steadyarm": [our_row(beside, rows) for beside in OURS],
        "peers": rows,
    }
    table = to_markdown(record)
    print(table)
    if wanted is None:
        RESULTS.mkdir(exist_ok=True)
        text = json.dumps(record, indent=2, ensure_ascii=False) + "\n"
        (RESULTS / "peers.json").write_text(text, encoding="utf-8")
        (RESULTS / "peers.md").write_text(table, encoding="utf-8")


def with_programs(paths):
    """Return the peers, with the programs that were given for those that are built."""
    names = {peer.program for peer in PEERS if peer.program}
    for name, path in paths.items():
        if name not in names or not os.access(path, os.X_OK):
            sys.exit(
                f"--program must be NAME=PATH, a name of {', '.join(sorted(names))} and a program; got {name}={path}."
            )
    return [
        replace(peer, script=f"{paths[peer.program]} {peer.script.split()[-1]}", why_not="")
        if peer.program in paths
        else peer
        for peer in PEERS
    ]


def row_of(peer, turns):
    """Return what was measured of a peer, or why nothing was."""
    row = {
        "peer": peer.name,
        "requirements": peer.requirements,
        "plays": peer.plays,
        "beside": peer.beside,
        "pulls_per_second": None,
        "ours": None,
        "ratio": None,
        "arms_slope": None,
        "rounds_slope": None,
        "why_not": peer.why_not,
    }
    try:
        if peer.why_not:
            return row
        install(peer)
        play_ours(peer.beside)  # compiled, loaded
        pairs = [(play_ours(peer.beside), play_peer(peer)) for _ in range(turns)]
        quickest = max(theirs for _, theirs in pairs)
        if quickest >= ENOUGH_PULLS:
            wider = max(play_peer(peer, n_arms=GROWN * N_ARMS) for _ in range(2))
            longer = max(play_peer(peer, horizon=GROWN * HORIZON) for _ in range(2))
            row |= {"arms_slope": slope(quickest, wider), "rounds_slope": slope(quickest, longer)}
    except (subprocess.SubprocessError, OSError) as error:
        output = getattr(error, "stderr", None) or str(error)
        lines = [line for line in output.strip().splitlines() if "WARNING" not in line]
        return row | {"why_not": f"could not be run: {lines[-1] if lines else 'no message'}"}
    return row | {
        "pulls_per_second": round(median(theirs for _, theirs in pairs), 1),
        "ours": round(median(ours for ours, _ in pairs)),
        "ratio": float(f"{median(ours / theirs for ours, theirs in pairs):.4g}"),
    }


def our_row(beside, rows):
    """Return our own speed with a policy, the median of all turns, and how it grows."""
    seen = [row["ours"] for row in rows if row["beside"] == beside and row["ours"] is not None]
    if not seen:
        return {"policy": beside, "pulls_per_second": None, "arms_slope": None, "rounds_slope": None}
    wider = max(play_ours(beside, n_arms=GROWN * N_ARMS) for _ in range(3))
    longer = max(play_ours(beside, horizon=GROWN * HORIZON) for _ in range(3))
    return {
        "policy": beside,
        "pulls_per_second": round(median(seen)),
        "arms_slope": slope(max(seen), wider),
        "rounds_slope": slope(max(seen), longer),
    }


def slope(speed, grown):
    """Return the power of arms, or of rounds, with which the time of a pull grows."""
    return round(math.log(speed / grown) / math.log(GROWN), 2)


def install(peer):
    """Make the peer's environment, once for these requirements; a program has none."""
    if peer.program:
        return
    done = peer.environment / "installed.txt"
    if done.exists() and done.read_text(encoding="utf-8") == peer.requirements:
        return
    print(f"{peer.name}: installing {peer.requirements}", file=sys.stderr)
    call([sys.executable, "-m", "venv", "--clear", str(peer.environment)])
    call([python_of(peer), "-m", "pip", "install", "--quiet", *peer.requirements.split()])
    done.write_text(peer.requirements, encoding="utf-8")


def play_peer(peer, n_arms=N_ARMS, horizon=HORIZON):
    """Return the peer's pulls a second, by CPU time."""
    script, *words = peer.script.split()
    command = [script] if peer.program else [python_of(peer), str(HERE / script)]
    output = call([*command, *words], PEER_ARMS=str(n_arms), PEER_HORIZON=str(horizon))
    return json.loads(output.splitlines()[-1])["cpu"]


def play_ours(beside, n_arms=N_ARMS, horizon=HORIZON):
    """Return our pulls a second, by CPU time, the drawing of rewards included."""
    policy, runs = OURS[beside]({"n_arms": n_arms, "horizon": horizon}), OUR_PULLS // horizon
    means = means_of(n_arms)
    instance = sa.Instance.gaussian(means)
    if beside == "Beta Thompson":
        instance = sa.Instance.bernoulli(chances_of(means))
    begun = time.process_time()
    sa.simulate(policy, instance, runs=runs, engine="step", threads=1, seed=1, progress=False)
    return runs * horizon / (time.process_time() - begun)


def python_of(peer):
    folder = "Scripts" if os.name == "nt" else "bin"
    return str(peer.environment / folder / "python")


def call(words, **settings):
    """Run a command in one thread and return what it printed; settings go into its environment."""
    single = (
        {f"{name}_NUM_THREADS": "1" for name in ("OMP", "OPENBLAS", "MKL", "NUMBA")}
        | {"MPLBACKEND": "agg"}
        | settings
    )
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
    """Return the tables, with where and how they were measured."""
    machine = Machine(**record["machine"])
    lines = [f"Measured on {machine} Medians over {record['turns']} turns."]
    ours = [row for row in record["steadyarm"] if row["pulls_per_second"] is not None]
    if ours:
        lines += ["", "| steadyarm | pulls/s | a pull grows as |", "|---|---|---|"]
        lines += [f"| {row['policy']} | {number(row['pulls_per_second'])} | {growth(row)} |" for row in ours]
    heading = "| peer | installed | plays | pulls/s | a pull grows as | steadyarm is faster by |"
    lines += ["", heading, "|---|---|---|---|---|---|"]
    missing = {}
    for row in record["peers"]:
        if row["ratio"] is None:
            missing.setdefault(row["peer"], row["why_not"])
            continue
        installed = ", ".join(f"`{word}`" for word in row["requirements"].split()) or "built from its source"
        speed, ratio = number(row["pulls_per_second"]), number(row["ratio"])
        lines.append(
            f"| {row['peer']} | {installed} | {row['plays']} | {speed} | {growth(row)} | {ratio} × ({row['beside']}) |"
        )
    lines += [f"| {peer} | – | | | | {why_not} |" for peer, why_not in missing.items()]
    return "\n".join(lines) + "\n"


def growth(row):
    """Return how the time of a pull grows with the arms and the rounds, where that was measured.

    >>> growth({"arms_slope": 0.93, "rounds_slope": -0.02})
    'K^0.93, T^−0.02'
    """
    if row["arms_slope"] is None:
        return "–"
    return f"K^{row['arms_slope']:.2f}, T^{row['rounds_slope']:.2f}".replace("-", "−")


if __name__ == "__main__":
    main()
