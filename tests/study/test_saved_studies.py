"""Studies saved by an earlier steadyarm still open: no run is played anew, and the tables are the same.

They kept sums of rewards where moments are kept now; those are added up once more, from the reward table.
"""

import io
import shutil
from pathlib import Path

import pandas as pd
import pytest

import steadyarm as sa
from steadyarm.study.runs import blocks

DATA = Path(__file__).parent / "data"
INSTANCE = sa.equal_gap(2, 0.1)


def compare(laboratory):
    return sa.compare(["SLEUCB", "UCB1"], INSTANCE, horizon=500, runs=12, laboratory=laboratory)


def worst_case(laboratory):
    policy = sa.SLEUCB(n_arms=2, horizon=1000)
    how = {"families": ["equal_gap"], "gaps": 2, "steps": 2, "search_runs": 4}
    return sa.worst_case(policy, "instability", runs=12, **how, laboratory=laboratory)


def coverage(laboratory):
    return sa.coverage("MOSS", INSTANCE, horizon=500, runs=12, laboratory=laboratory)


# Each folder was written by the call, and the CSV beside it is the table that the call gave.
STUDIES = {
    "compare": (compare, "table"),
    "worst_case": (worst_case, "tried"),
    "coverage": (coverage, "table"),
}


@pytest.mark.parametrize("name", STUDIES)
def test_a_saved_study_opens_and_gives_its_table_without_playing(name, tmp_path, monkeypatch):
    folder = shutil.copytree(DATA / name, tmp_path / name)
    monkeypatch.setattr(blocks.PlayRuns, "__call__", lambda *_: pytest.fail("played anew"))
    ask, table = STUDIES[name]
    found = getattr(ask(sa.Laboratory(folder=folder, note=pytest.fail)), table)
    again = pd.read_csv(io.StringIO(found.to_csv(index=False)))
    before = pd.read_csv(DATA / f"{name}.csv")
    pd.testing.assert_frame_equal(again[before.columns], before, rtol=1e-12)  # columns may have come since


@pytest.mark.parametrize("name", STUDIES)
def test_a_part_that_is_missing_is_computed(name, tmp_path):
    """The negative control: the parts are what the tables are made of."""
    folder = shutil.copytree(DATA / name, tmp_path / name)
    lost = min(folder.rglob("*.parquet"))
    lost.unlink()
    STUDIES[name][0](sa.Laboratory(folder=folder, note=pytest.fail))
    runs = lost.name.rpartition("-")[0]  # before the checksum, which depends on the versions of the libraries
    assert [path.name.rpartition("-")[0] for path in lost.parent.iterdir()] == [runs]
