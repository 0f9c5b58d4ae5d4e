"""--study and --dask on the command line."""

import json

import pytest

WORDS = ("simulate", "--horizon", "1e3", "--runs", "30", "--constants", "sharp", "--json")


@pytest.mark.parametrize(
    "words", [WORDS, ("compare", "--policies", "MOSS,UCB1", "--horizon", "500", "--runs", "30", "--json")]
)
def test_a_kept_study_prints_the_same_as_one_in_memory(steadyarm, tmp_path, words):
    plain = steadyarm(*words).out
    for _ in range(2):
        assert steadyarm(*words, "--study", str(tmp_path / "study")).out == plain
    assert (tmp_path / "study" / "study.json").exists()


def test_a_folder_of_another_study_is_refused_with_what_differs(steadyarm, tmp_path):
    steadyarm(*WORDS, "--study", str(tmp_path))
    refused = steadyarm(*WORDS, "--alpha", "2", "--study", str(tmp_path), code=2)
    assert "policy.alpha (stored 1.0, asked 2.0)" in refused.err
    assert refused.out == ""


def test_runs_are_added_on_the_command_line(steadyarm, tmp_path):
    steadyarm(*WORDS, "--study", str(tmp_path))
    more = steadyarm(*WORDS, "--runs", "50", "--study", str(tmp_path)).out
    assert json.loads(more) == json.loads(steadyarm(*WORDS, "--runs", "50").out)


def test_a_damaged_part_is_told_in_a_note(steadyarm, tmp_path):
    plain = steadyarm(*WORDS, "--study", str(tmp_path)).out
    [part] = tmp_path.glob("parts/*/*.parquet")
    part.write_bytes(b"")
    again = steadyarm(*WORDS, "--study", str(tmp_path))
    assert again.out == plain
    assert again.err.startswith(f"note: {part} was damaged and is computed again")


def test_a_scheduler_that_does_not_answer_is_told_in_one_line(steadyarm, monkeypatch):
    monkeypatch.setattr("steadyarm.study.spreading._ANSWER_WITHIN", 0.3)
    refused = steadyarm(*WORDS, "--dask", "tcp://127.0.0.1:9", code=2)
    assert "no Dask scheduler answers at 'tcp://127.0.0.1:9'" in refused.err
    assert "dask scheduler" in refused.err
