"""Writes docs/speed.md and the speed block of the README from the files in benchmarks/results.

Those are written by `steadyarm bench --out benchmarks/results` (also with `--threads N` and `--device cuda`), by
`benchmarks/main_job.py` and by `benchmarks/peers/run.py`. `make bench` does all of it.
"""

import json
from pathlib import Path

from steadyarm.study.bench.report import Machine

ROOT = Path(__file__).parent.parent
RESULTS = ROOT / "benchmarks" / "results"
BEGIN, END = "<!-- speed: written by tools/speed_page.py -->", "<!-- end of speed -->"

HEAD = """# Speed

This page is written by `tools/speed_page.py` from the files in `benchmarks/results`, which `steadyarm bench`,
`benchmarks/main_job.py` and `benchmarks/peers/run.py` wrote. Make it again, on your machine, with

<!-- not run: ten minutes on a quiet machine -->
```sh
make bench
```

or look at a part of it, from any installation:

<!-- not run: tests/cli/test_bench.py runs a quicker one -->
```sh
steadyarm bench --quick                     # a look, in twenty seconds
steadyarm bench --only step,prefix --json   # some of step, prefix, leap, fluid, extra, growth, memory, start
steadyarm bench --threads 8 --out results   # many threads against as many that draw
steadyarm bench --device cuda --out results # step and prefix on a GPU, checked against the CPU
```

## How it is measured

Machines differ, and a busy one misleads. So a figure is a **ratio to NumPy merely drawing the rewards**:
`Generator.standard_normal` into an array that is there already, in one thread. A simulator that asks NumPy for
its rewards cannot pass 1.

- Ours is a whole call of `simulate(…, threads=1)`: random numbers, indices, choices, bookkeeping. It plays as many runs
  as the engine has side by side, up to 32 of a general policy; a single run of one takes several times as long a round.
- Both are done in turn, again and again, in one process. Each turn gives a ratio of two neighbours in time; the figure
  is the median over the turns, and the range is from the smallest to the largest.
- One thread is measured by CPU time, which stands still while another process has the core. The same ratio by the wall
  clock stands beside it; where the two are far apart, the machine was busy and the figure is to be taken again.
  Several threads are measured by the wall clock, against as many threads of NumPy.
- The first call, which compiles or loads compiled code, is not counted; `start` tells what it costs.
- Rounds are played on equal-gap instances, of coins where a policy takes nothing else, by SLE-UCB with sharp constants.
  `leap` has the paper's constants and the gap β√(K/T), where the worst cases are.
- Goals of KL-UCB, UCB-V, Exp3 and Tsallis-INF are three times what each reached before runs were played side by side.
- The peak of memory is that of a process of its own.

Goals are for one thread, and for the card that they name. They stand in one place, `steadyarm.study.bench.goals.GOALS`.

```python
>>> from steadyarm.study.bench.goals import GOALS
>>> GOALS["prefix/SLEUCB/10"]
Goal(relation='at least', value=3.5, card='')

```
"""

CPU = """## One thread

`prefix` draws a reward for each pull, adds it up and compares. So its limit is our rewards alone, the last line of its
table.{near}

{table}"""

NEAR = " With ten arms it comes to {share:.0f} % of that."

THREADS = """## Many threads

{tables}"""

GPU = """## On a GPU

Whole calls of `simulate(…, device="cuda")` in double precision, copying the counts back included; the remark says
whether the counts were those of the CPU.

`prefix` takes every arm alone, so neighbouring threads do the same thing at the same time. `step` plays one run a
thread, and in each round the threads of a warp pull different arms. Two things keep them together: every four rounds
each run draws the next four rewards of the arm that needs them most, whether it has run out or not; and the tables of
the index's curves, which threads read at different places, are read in pairs. A run's arms must fit into the card's
shared memory, which they do up to 19 arms. The counts are the same, so `prefix` is what `engine="auto"` takes for
every policy that it can play.

General policies are drawn for and kept in shared memory likewise (UCB1 up to 38 arms). Thompson sampling has a fresh
random number for every arm in every round, and computing those is what bounds it: a rough normal first, in single
precision, and the exact one only where two arms are too close to tell apart.

{tables}"""

MAIN_JOB = """## The main job

`make frontier` finds the worst cases of SLE-UCB and Steady along their curves and of all their rivals, with ten arms
and 100,000 rounds. In a fresh clone it installs first, and compiles what it plays with; what is compiled is kept. By
`python benchmarks/main_job.py`:

| installing | the first run, installed | of that, compiling | every other run |
|---|---|---|---|
| {install_s:.0f} s | {first_s:.0f} s | {compiling:.0f} s | {next_s:.0f} s |

Measured on {machine}
"""

PEERS = """## Beside other libraries

One instance: ten arms, unit Gaussian noise, means 0, −0.1 (three times), −0.5 (three times), −1 (three times), 10,000
rounds; Thompson sampling on 0 and 1 has the chances (1 + mean) / 2, and UCB is mean + √(2 ln t / n) where it can be.
Each is run the way its documentation says, in one thread, in turn with steadyarm's `step` engine and the same policy,
which the last column names, or UCB1 where ours has no such policy. Packages are installed from the package index into
environments of their own (`benchmarks/peers/play_*.py`); libbandit and banditlib, which are C++, were built from their
sources as these say. Simulators include the drawing of rewards, as ours does; libraries that only choose arms get
rewards that were drawn before, which is to their advantage. How the time of a pull grows is measured with four times as
many arms, and with four times as many rounds, of those who take less than a second for a run.

These libraries keep more of a play than its pull counts, and some of them serve other purposes first: contexts,
evaluation from logs, models per arm. The table says how long a simulation takes, not which one to use.

jax-bandits, which is compiled, is not on the package index and missing here.

{table}"""

NOT_YET = "No results are stored yet: run `{command}`."


def main():
    (ROOT / "docs" / "speed.md").write_text(page(RESULTS), encoding="utf-8")
    readme = ROOT / "README.md"
    readme.write_text(with_block(readme.read_text(encoding="utf-8"), RESULTS), encoding="utf-8")


def page(results):
    """Return docs/speed.md."""
    parts = [HEAD]
    tables = {path.stem: path.read_text(encoding="utf-8") for path in sorted(results.glob("*.md"))}
    peers, cpu = tables.pop("peers", None), tables.pop("cpu", None)
    threads = [table for name, table in tables.items() if name.startswith("cpu-")]
    cards = [table for name, table in tables.items() if not name.startswith("cpu-")]
    command = "steadyarm bench --out benchmarks/results"
    parts.append(CPU.format(near=near(results), table=cpu or NOT_YET.format(command=command) + "\n"))
    if threads:
        parts.append(THREADS.format(tables="\n".join(threads)))
    parts.append(
        GPU.format(tables="\n".join(cards) or NOT_YET.format(command=f"{command} --device cuda") + "\n")
    )
    if (results / "main_job.json").exists():
        record = json.loads((results / "main_job.json").read_text(encoding="utf-8"))
        record["machine"] = Machine(**record["machine"])
        parts.append(MAIN_JOB.format(compiling=record["first_s"] - record["next_s"], **record))
    parts.append(PEERS.format(table=peers or NOT_YET.format(command="python benchmarks/peers/run.py") + "\n"))
    return "\n".join(parts)


def with_block(readme, results):
    """Return the README with its speed block made anew."""
    before, _, rest = readme.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}\n{block(results)}{END}{after}"


def block(results):
    """Return the figures that the README shows."""
    text = ""
    if (results / "cpu.json").exists():
        record = json.loads((results / "cpu.json").read_text(encoding="utf-8"))
        text += headline({figure["key"]: figure["value"] for figure in record["figures"]}, record)
    rows = [*card_rows(results), *peer_rows(results)]
    if rows:
        text += "\n".join(["| measured | | on | command |", "|---|---|---|---|", *rows]) + "\n"
    return text


def near(results):
    """Say how near `prefix` comes to its limit."""
    if not (results / "cpu.json").exists():
        return ""
    record = json.loads((results / "cpu.json").read_text(encoding="utf-8"))
    values = {figure["key"]: figure["value"] for figure in record["figures"]}
    played, limit = values.get("prefix/SLEUCB/10"), values.get("prefix/cells")
    return NEAR.format(share=100.0 * played / limit) if played and limit else ""


def card_rows(results):
    """Return a row for each engine on each GPU."""
    rows = []
    for path in sorted(results.glob("*.json")):
        record = json.loads(path.read_text(encoding="utf-8"))
        card = record.get("machine", {}).get("card")
        values = {each["key"]: each["value"] for each in record.get("figures", [])}
        if card:
            for engine in ("step", "prefix"):
                found = [round_number(values[f"cuda/{engine}/{n_arms}"]) for n_arms in (2, 10)]
                rows.append(
                    f"| `{engine}` on a GPU, 2 / 10 arms | {' / '.join(found)} billion pulls a second | "
                    f"{card} | `steadyarm bench --device cuda` |"
                )
    return rows


def peer_rows(results):
    """Return a row for the quickest of the other libraries with each policy."""
    if not (results / "peers.json").exists():
        return []
    record = json.loads((results / "peers.json").read_text(encoding="utf-8"))
    measured = [row for row in record["peers"] if row["ratio"] is not None]
    if not measured:
        return []
    nearest = {}
    for row in measured:
        if row["ratio"] < nearest.get(row["beside"], row)["ratio"] or row["beside"] not in nearest:
            nearest[row["beside"]] = row
    found = [nearest[policy["policy"]] for policy in record["steadyarm"] if policy["policy"] in nearest]
    policies, peers, ratios = (
        " / ".join(words)
        for words in zip(*((row["beside"], row["peer"], times(row["ratio"])) for row in found), strict=True)
    )
    return [
        f"| `step`, {policies}, ten arms, one thread, beside the quickest other library ({peers}) | "
        f"{ratios} times as fast | {record['machine']['cpu']} | `python benchmarks/peers/run.py` |"
    ]


def headline(values, record):
    """Return the table of one thread."""
    draws = record["draws_per_second"]
    lines = [
        f"One thread, beside NumPy merely drawing the rewards ({draws / 1e6:.0f} million a second there), by "
        "`steadyarm bench`:",
        "",
        "| engine | arms | horizon | |",
        "|---|---|---|---|",
    ]
    for engine in ("step", "prefix"):
        ratios = [f"{values[f'{engine}/SLEUCB/{n_arms}']:.2f}" for n_arms in (2, 10, 100, 1000)]
        lines.append(f"| `{engine}` | 2 / 10 / 100 / 1,000 | 10⁶ | {' / '.join(ratios)} of NumPy's draws |")
    for n_arms in (2, 10):
        runs = [
            f"{values[f'leap/{n_arms}/{horizon}'] / draws * 1e3:.2f}" for horizon in ("1e6", "1e8", "1e12")
        ]
        lines.append(f"| `leap` | {n_arms} | 10⁶ / 10⁸ / 10¹² | {' / '.join(runs)} ms a run |")
    lines.append(f"| `predict` | 10 | 10¹² | {values['fluid/10']:.2f} ms |")
    return "\n".join(lines) + "\n\n"


def times(value):
    """Write a ratio with two digits, small ones too.

    >>> times(6.21), times(118.2)
    ('6.2', '120')
    """
    return f"{value:.1f}" if value < 10.0 else round_number(value)


def round_number(value):
    """Write a ratio with two digits.

    >>> round_number(118.2), round_number(32000.0)
    ('120', '32,000')
    """
    return f"{float(f'{value:.2g}'):,.0f}"


if __name__ == "__main__":
    main()
