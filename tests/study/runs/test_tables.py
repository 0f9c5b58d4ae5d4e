"""Tables in files: what was written is read back to the last bit, and rows are fit for JSON."""

import json
import math

import pandas as pd

from steadyarm.study.runs.tables import plain_rows, save_json, save_table

TABLE = pd.DataFrame({"policy": ["β, α", "b"], "regret": [0.1 + 0.2, math.nan], "runs": [3, 2**53]})


def test_a_table_is_written_twice_and_read_back_to_the_last_bit(tmp_path):
    csv, parquet = save_table(TABLE, tmp_path / "deep" / "folder", "found")
    assert (csv.name, parquet.name) == ("found.csv", "found.parquet")
    pd.testing.assert_frame_equal(pd.read_parquet(parquet), TABLE, check_exact=True)
    pd.testing.assert_frame_equal(pd.read_csv(csv), TABLE, check_exact=True)
    assert b"\r" not in csv.read_bytes()


def test_the_same_table_gives_the_same_bytes(tmp_path):
    for one, other in zip(
        save_table(TABLE, tmp_path / "a", "t"), save_table(TABLE, tmp_path / "b", "t"), strict=True
    ):
        assert one.read_bytes() == other.read_bytes()


def test_json_keeps_letters_as_they_are_and_ends_with_a_line(tmp_path):
    path = save_json({"title": "β", "values": [0.1]}, tmp_path / "new", "state")
    text = path.read_text(encoding="utf-8")
    assert '"β"' in text
    assert text.endswith("}\n")
    assert json.loads(text) == {"title": "β", "values": [0.1]}


def test_what_is_not_finite_is_none_in_rows():
    rows = plain_rows(pd.DataFrame({"low": [-math.inf, 1.0], "value": [math.nan, 0.5], "name": ["a", "b"]}))
    assert rows == [{"low": None, "value": None, "name": "a"}, {"low": 1.0, "value": 0.5, "name": "b"}]
    assert json.dumps(rows, allow_nan=False)
