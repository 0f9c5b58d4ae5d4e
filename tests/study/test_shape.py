"""What every study has in common, checked on each of them."""

import json
from dataclasses import FrozenInstanceError, replace

import pytest

import steadyarm as sa
from steadyarm.errors import InvalidInput
from steadyarm.study.frontier import study as frontier_module
from steadyarm.study.shape import Study, StudyResult

INSTANCE = sa.equal_gap(2, 0.3)
RESULTS = {
    "frontier": lambda: sa.frontier(n_arms=2, horizon=300, alphas=[1], spreads=[], rivals=["UCB1"], runs=8),
    "worst-case": lambda: sa.worst_case(sa.MOSS(n_arms=2, horizon=200), runs=8, steps=2, search_runs=4),
    "compare": lambda: sa.compare(["MOSS", "UCB1"], INSTANCE, horizon=200, runs=8),
    "coverage": lambda: sa.coverage("MOSS", INSTANCE, horizon=200, runs=8),
    "trial": lambda: sa.trial(INSTANCE, ["MOSS"], horizon=200, runs=8),
    "scaling": lambda: sa.scaling("MOSS", horizons=[100, 200], runs=8),
}
FILES = {
    "frontier": {
        "frontier.csv",
        "frontier.parquet",
        "frontier.json",
        "frontier.png",
        "frontier.svg",
        "frontier.pdf",
        "frontier.html",
    },
    "worst-case": {"tried.csv", "tried.parquet", "worst_case.json", "tried.png", "tried.svg", "tried.pdf"},
    "compare": {
        *("comparison.csv", "comparison.parquet", "differences.csv", "differences.parquet"),
        *("comparison.json", "comparison.png", "comparison.svg", "comparison.pdf"),
    },
    "coverage": {
        "coverage.csv",
        "coverage.parquet",
        "coverage.json",
        "coverage.png",
        "coverage.svg",
        "coverage.pdf",
    },
    "trial": {
        *("trial.csv", "trial.parquet", "arms.csv", "arms.parquet"),
        *("trial.json", "trial.png", "trial.svg", "trial.pdf", "trial.html"),
    },
    "scaling": {
        *("scaling.csv", "scaling.parquet", "exponents.csv", "exponents.parquet"),
        *("scaling.json", "scaling.png", "scaling.svg", "scaling.pdf"),
    },
}


@pytest.fixture(scope="module", params=RESULTS)
def found(request):
    return RESULTS[request.param]()


def test_a_study_and_its_result_have_the_shape(found):
    assert isinstance(found, StudyResult)
    assert isinstance(found.study, Study)
    assert RESULTS.keys() >= {found.study.kind}


def test_a_configuration_is_plain_frozen_and_says_everything_but_the_runs(found):
    configuration = found.configuration()
    assert json.loads(json.dumps(configuration)) == configuration
    assert {"kind", "seed", "level"} <= configuration.keys()
    assert "runs" not in configuration
    with pytest.raises(FrozenInstanceError):
        found.study.seed = 1


def test_a_configuration_checks_itself_and_its_runs(found):
    with pytest.raises(InvalidInput, match="seed must be at least 0; got -1"):
        replace(found.study, seed=-1)
    with pytest.raises(InvalidInput, match="level must be below 1"):
        replace(found.study, level=1.0)
    with pytest.raises(InvalidInput, match="runs must be at least"):
        found.study.run(runs=1)


def test_the_same_study_run_again_gives_the_same_result(found):
    assert found.study.run(runs=found.runs).to_dict() == found.to_dict()


def test_a_result_writes_its_files_and_names_them(found, tmp_path):
    written = found.save(tmp_path)
    assert sorted(written) == sorted(tmp_path.iterdir())
    assert {path.name for path in written} == FILES[found.study.kind]
    saved = json.loads((tmp_path / f"{found.file}.json").read_text(encoding="utf-8"))
    assert saved == json.loads(json.dumps(found.to_dict()))
    assert saved["notes"] == list(found.notes)


def test_saving_a_frontier_builds_its_table_once(tmp_path, monkeypatch):
    rows, build = [], frontier_module.row_of

    def count(*how):
        rows.append(how)
        return build(*how)

    monkeypatch.setattr(frontier_module, "row_of", count)
    found = RESULTS["frontier"]()
    found.save(tmp_path)
    assert len(rows) == len(found.table) == 3
