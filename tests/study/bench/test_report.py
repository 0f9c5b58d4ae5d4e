"""The report: exact tables, files that say the same, and what a GPU adds."""

import csv
import io
import json

import pytest

import steadyarm as sa
from steadyarm.study.bench.report import Bench, Figure, Machine

MACHINE = Machine(
    cpu="Some CPU",
    cores=4,
    system="Linux x86_64",
    python="3.11.7",
    numpy="2.4.6",
    numba="0.68.1",
    steadyarm="0.1.0",
    date="2026-11-15",
    load=0.5,
)
STEP = Figure(
    "step/SLEUCB/2", "SLE-UCB, 2 arms", "× NumPy's draws", 1.01234, 1.0, 1.03, 1.005, "101 M pulls/s"
)
RIVAL = Figure("step/UCB1/2", "UCB1, 2 arms", "× NumPy's draws", 0.3, 0.3, 0.3, 0.2)
LEAP = Figure("leap/2/1e12", "a run, 10¹² rounds", "draws", 123456.0, 1.2e5, 1.3e5, 124000.0)


PEAK = Figure("memory/process", "peak of a process", "MB", 173.4, 173.4, 173.4, None)


def report(*figures, machine=MACHINE, threads=1, quick=False, draws=1e8):
    return Bench(figures, machine, threads, quick, draws, 12.34)


def test_the_markdown_is_exact():
    assert report(STEP, RIVAL, LEAP, PEAK).to_markdown() == (
        "Measured on Some CPU, 4 cores, Linux x86_64, load 0.5 at the start; Python 3.11.7, NumPy 2.4.6, Numba 0.68.1, "
        "steadyarm 0.1.0; 2026-11-15. NumPy draws 100 M rewards a second in one thread.\n"
        "\n"
        "| step | measured | range | wall clock | goal | reached | remark |\n"
        "|---|---|---|---|---|---|---|\n"
        "| SLE-UCB, 2 arms | 1.01 × NumPy's draws | 1 – 1.03 | 1 | ≥ 1 | yes | 101 M pulls/s |\n"
        "| UCB1, 2 arms | 0.3 × NumPy's draws |  | 0.2 |  |  |  |\n"
        "\n"
        "| leap | measured | range | wall clock | goal | reached | remark |\n"
        "|---|---|---|---|---|---|---|\n"
        "| a run, 10¹² rounds | 123,000 draws | 120,000 – 130,000 | 124,000 | ≤ 100,000 | no |  |\n"
        "\n"
        "| memory | measured | range | wall clock | goal | reached | remark |\n"
        "|---|---|---|---|---|---|---|\n"
        "| peak of a process | 173 MB |  |  |  |  |  |\n"
    )


def test_a_quick_measurement_says_so():
    assert "A quick measurement" in report(STEP, quick=True).to_markdown()


def test_the_files_say_the_same(tmp_path):
    found = report(STEP, LEAP)
    paths = found.save(str(tmp_path / "new"))
    assert [path.name for path in paths] == ["cpu.json", "cpu.csv", "cpu.md"]
    saved = json.loads(paths[0].read_text())
    assert saved == found.to_dict()
    assert saved["missed"] == ["leap/2/1e12"]
    rows = list(csv.DictReader(io.StringIO(paths[1].read_text())))
    assert [row["key"] for row in rows] == [figure["key"] for figure in saved["figures"]]
    assert [float(row["value"]) for row in rows] == [figure["value"] for figure in saved["figures"]]
    assert rows[0]["reached"] == "True"
    assert paths[2].read_text() == found.to_markdown()


def test_goals_are_for_one_thread():
    found = report(STEP, threads=4)
    assert (found.goal(STEP), found.reached(STEP), found.missed) == (None, None, ())
    assert found.name == "cpu-4-threads"
    assert "in 4 threads" in found.to_markdown()


def test_files_of_a_gpu_have_its_name_and_goals_are_for_their_card():
    figure = Figure("cuda/step/2", "`step`", "G pulls/s", 90.0, 89.0, 91.0, 90.0, equal_counts=True)
    for card, reached in (("NVIDIA H200", False), ("NVIDIA A10", None)):
        found = report(figure, machine=Machine(**(vars(MACHINE) | {"card": card})), draws=None)
        assert found.name == card.lower().replace(" ", "-")
        assert found.reached(figure) is reached
        assert found.to_markdown().startswith(f"Measured on {card}, Some CPU")
        assert "≥ 100 (H200)" in found.to_markdown()


def test_counts_that_differ_make_a_report_unsound():
    same = Figure("cuda/step/2", "`step`", "G pulls/s", 90.0, 89.0, 91.0, 90.0, equal_counts=True)
    other = Figure("cuda/step/10", "`step`", "G pulls/s", 90.0, 89.0, 91.0, 90.0, equal_counts=False)
    assert report(same).sound
    assert not report(same, other).sound


def test_this_machine_is_described():
    machine = Machine.this()
    assert machine.cpu
    assert machine.cores >= 1
    assert machine.steadyarm == sa.__version__
    assert report(STEP, machine=machine).to_markdown().startswith(f"Measured on {machine.cpu}")


def test_figures_are_found_by_key():
    assert report(STEP, LEAP)["leap/2/1e12"] is LEAP
    with pytest.raises(KeyError):
        report(STEP)["nothing"]
