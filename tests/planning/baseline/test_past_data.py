"""Past outcomes are read once: a rate if they are 0 or 1, else a mean with its standard deviation."""

import numpy as np
import pandas as pd
import pytest

from steadyarm.errors import InvalidInput
from steadyarm.planning.baseline.past_data import past_data
from steadyarm.planning.baseline.situation import describe


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "visits.csv"
    table = {
        "converted": [0, 1, 0, 0],
        "revenue": [0.0, 30.0, 0.0, 2.0],
        "page": list("abcd"),
        "gap": [1, None, 0, 0],
    }
    pd.DataFrame(table).to_csv(path, index=False)
    return path


def test_zeros_and_ones_are_a_rate_and_other_numbers_have_a_spread(file):
    rate, revenue = past_data(file, "converted"), past_data(str(file), "revenue")
    assert (rate.mean, rate.sd, rate.size) == (0.25, None, 4)
    assert (revenue.mean, revenue.sd) == (8.0, pytest.approx(np.std([0, 30, 0, 2], ddof=1)))
    assert "visits.csv, column revenue): a mean of 8 with a standard deviation of 14.6969" in revenue.words


def test_a_column_in_hand_is_as_good_as_a_file(file):
    table = pd.read_csv(file)
    assert past_data(table["converted"])[:3] == past_data(file, "converted")[:3]
    assert past_data(table[["converted"]])[:3] == past_data(file, "converted")[:3]


def test_a_situation_says_what_was_read(file):
    found = describe(n_arms=2, horizon=100, baseline=file, column="converted", smallest_difference=0.1)
    assert (found.baseline, found.sd) == (0.25, None)
    assert "read from 4 past outcomes (visits.csv, column converted)" in found.remarks[0]


@pytest.mark.parametrize(
    ("column", "message"),
    [
        (
            None,
            "needs the name of one; visits.csv has converted, revenue, page, gap. Give one, like column='converted'",
        ),
        ("price", "has no column 'price'. It has converted, revenue"),
        ("page", "must be numbers; those of visits.csv, column page are not, 'a' for one"),
        ("gap", "1 of 4 in visits.csv, column gap are missing"),
    ],
)
def test_a_column_that_is_none_is_refused(file, column, message):
    with pytest.raises(InvalidInput, match=message):
        past_data(file, column)


@pytest.mark.parametrize(
    ("text", "column"),
    [
        ("day;revenue\n1;0\n2;12,5\n3;3\n", "revenue"),
        ("day;revenue\n1;0.0\n2;12.5\n3;3\n", "revenue"),
        ("day\trevenue\n1\t0\n2\t12.5\n3\t3\n", "revenue"),
        ('revenue\n"0"\n"12,5"\n"3"\n', None),
        ("\ufeffrevenue\n0\n12.5\n3\n", "revenue"),
        ("revenue\n0\n12.5\n3\n\n\n", None),
        ("day, revenue \n1,0\n2,12.5\n3,3\n", "revenue"),
        ('day,revenue\n"1\n2",0\n2,12.5\n3,3\n', "revenue"),
    ],
    ids=[
        "semicolons and commas",
        "semicolons",
        "tabs",
        "quoted commas",
        "a mark of the byte order",
        "blank lines at the end",
        "spaces around a name",
        "a line break in quotes",
    ],
)
def test_files_of_other_countries_and_programs_are_read(tmp_path, text, column):
    path = tmp_path / "visits.csv"
    path.write_text(text, encoding="utf-8")
    found = past_data(path, column)
    assert (found.mean, found.size) == (pytest.approx(15.5 / 3), 3)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("revenue\n0,0\n12,5\n", "as many cells in each line .* separate cells by semicolons"),
        ("revenue\n0\n12,5\n", "as many cells in each line .* separate cells by semicolons"),
        (
            "day;revenue\n1;1,234\n2;5,678\n",
            r"1,234 in .* could be 1.234 or 1234. Write them with a decimal point",
        ),
        (
            "day;revenue\n1;1.234,5\n2;3,5\n",
            "'1.234,5' for one. Give another column, or write numbers like 1234.5",
        ),
        ("revenue\n€ 3\n€ 4\n", "'€ 3' for one"),
        ("revenue\n\n\n12.5\n\n\n30\n", "4 of 6 in .* are missing"),
        ("day;revenue\n1;2\n\n2;30\n", "1 of 3 in .* are missing"),
        ("revenue\n1\ninf\n3\n", "those of .* are not, inf for one"),
        (
            "12.5\n0\n30\n",
            r"first line names the columns; that of visits.csv has 12.5, a number. Write a name",
        ),
    ],
)
def test_numbers_that_could_be_others_are_not_guessed(tmp_path, text, message):
    path = tmp_path / "visits.csv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InvalidInput, match=message):
        past_data(path, None if ";" not in text else "revenue")


def test_a_spreadsheet_itself_is_refused_with_the_remedy(tmp_path):
    path = tmp_path / "visits.csv"
    path.write_bytes("Umsatz in €\n3,5\n".encode("cp1252"))
    with pytest.raises(
        InvalidInput, match=r"visits.csv is not. Save it as one, in a spreadsheet as CSV UTF-8"
    ):
        past_data(path)


def test_files_without_outcomes_are_refused(tmp_path):
    empty, heading, same = (tmp_path / name for name in ("empty.csv", "heading.csv", "same.csv"))
    empty.write_text("")
    heading.write_text("x\n")
    same.write_text("x\n3\n3\n")
    with pytest.raises(InvalidInput, match=r"first line names the columns; empty.csv"):
        past_data(empty)
    with pytest.raises(InvalidInput, match=r"two outcomes or more; heading.csv, column x has 0"):
        past_data(heading)
    with pytest.raises(InvalidInput, match=r"must vary; those of same.csv, column x"):
        past_data(same)
    with pytest.raises(
        InvalidInput, match=r"must vary; those of the data given have a standard deviation of 0"
    ):
        past_data([0, 0, 0])
    with pytest.raises(InvalidInput, match=r"the data given have 2 dimensions. Give one column"):
        past_data(np.ones((2, 3)))
    with pytest.raises(
        InvalidInput, match=r"there is no file .*3%. Check the path; a rate is a number, 0.03 for 3%"
    ):
        past_data("3%")


def test_what_names_no_file_is_refused_with_the_remedy(tmp_path):
    with pytest.raises(InvalidInput, match=r"past data; got ''. Give 0.03 for 3%, or the path of a CSV file"):
        past_data("")
    with pytest.raises(InvalidInput, match=r"must be a file that can be read; .* is not: Is a directory"):
        past_data(tmp_path)
