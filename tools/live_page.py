"""Writes the measured figures of docs/live.md from benchmarks/results/live.json, which `benchmarks/live.py` wrote."""

import json
from pathlib import Path
from textwrap import fill

from steadyarm.study.bench.report import Machine

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs" / "live.md"
RECORD = ROOT / "benchmarks" / "results" / "live.json"
BEGIN, END = "<!-- measured: written by tools/live_page.py -->", "<!-- end of measured -->"


def block(record):
    """Return the sentence and the table of a record."""
    single, batched = record["single"], record["batches"]["4"]
    entries, memory = record["entries"], record["memory_mb"]

    def each(name, form):
        return " / ".join(format(single[count][name], form) for count in single)

    rows = [
        (
            f"single allocations, {' / '.join(single)} connections",
            f"{each('per_second', ',')} a second; median {each('median_ms', '.1f')} ms; "
            f"99 % within {each('p99_ms', '.1f')} ms",
        ),
        (
            f"batches of {record['batch']:,} units, 4 connections",
            f"{batched['per_second']:,} allocations a second; median {batched['median_ms']:.0f} ms",
        ),
        (
            f"first answer of a server started on a journal of {entries:,} entries",
            f"after {record['restart_s']['stop']:.1f} s; {record['restart_s']['kill']:.1f} s if it was killed",
        ),
        (
            "memory",
            f"{memory[0][1]} MB at first, {memory[1][1]} MB with {memory[1][0]:,} entries, {memory[-1][1]} MB with "
            f"{memory[-1][0]:,}; SQLite's page cache of 64 MB included",
        ),
        ("stopped by SIGTERM", f"in {record['stop_s']:.1f} s"),
    ]
    if "rewards_per_second" in record:
        told = f"{record['rewards_per_second']:,} rewards a second"
        rows.insert(2, (f"rewards in batches of {record['batch']:,}, 4 connections", told))
    sentence = (
        f"{Machine(**record['machine'])} SQLite on a disk whose `fdatasync` takes {record['sync_ms']:.2f} ms; the "
        "clients are on the same cores. By `python benchmarks/live.py`:"
    )
    lines = [
        fill(sentence, 140),
        "",
        "| | |",
        "|---|---|",
        *(f"| {what} | {figure} |" for what, figure in rows),
    ]
    return "\n".join(lines) + "\n"


def with_block(page, record):
    """Return the page with its figures made anew."""
    before, _, rest = page.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}\n{block(record)}{END}{after}"


def main():
    record = json.loads(RECORD.read_text(encoding="utf-8"))
    PAGE.write_text(with_block(PAGE.read_text(encoding="utf-8"), record), encoding="utf-8")


if __name__ == "__main__":
    main()
