"""The map of the paper names things that are there, and shows every claim as `steadyarm verify` has it."""

import importlib
import re
import typing
from dataclasses import fields, is_dataclass
from pathlib import Path

import pytest

import steadyarm as sa
from steadyarm import policies, theory
from steadyarm.study.verify.claims import CLAIMS

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "the-paper.md").read_text()
NUMBERS = {claim.id for claim in CLAIMS}
HEADING = "| in the paper | here | claim | more tests |"


def rows(page):
    """The cells of every row of the map."""
    tables = page.split(HEADING)[1:]
    lines = [line for table in tables for line in table.split("\n\n")[0].splitlines()[2:]]
    return [[cell.strip() for cell in line[1:-1].split("|")] for line in lines]


def home(name):
    """What the first word of a name on the page stands for."""
    for place in (sa, policies, theory):
        if hasattr(place, name):
            return getattr(place, name)
    return importlib.import_module(f"steadyarm.{name}")


def member(thing, name):
    if callable(thing) and not isinstance(thing, type):
        thing = typing.get_type_hints(thing)["return"]  # `simulate(…).regret`
    if is_dataclass(thing) and name in {field.name for field in fields(thing)}:
        return thing
    if not hasattr(thing, name):
        return importlib.import_module(f"{thing.__name__}.{name}")
    return getattr(thing, name)


def look_up(here):
    """Find all that a cell names; `.clip` after `SLEUCB.iota` is `SLEUCB.clip`."""
    found, parent = [], None
    for name in re.findall(r"`([^`]+)`", here):
        words = name.replace("(…)", "").removeprefix("sa.").split(".")
        thing = parent if not words[0] else home(words[0])
        for word in words[1:]:
            parent, thing = thing, member(thing, word)
        found.append(thing)
    return found


@pytest.mark.parametrize("row", rows(PAGE), ids=lambda row: row[0].replace("`", "")[:50])
def test_a_row_of_the_map_names_code_and_tests_that_are_there(row):
    _, here, claims, tests = row
    assert look_up(here)
    assert all(int(number) in NUMBERS for number in re.findall(r"\d+", claims))
    for path in re.findall(r"`([^`]+)`", tests):
        assert (ROOT / path).is_file(), path


def test_every_claim_is_on_the_map_and_so_are_the_tests_of_the_page():
    assert {int(number) for row in rows(PAGE) for number in re.findall(r"\d+", row[2])} == NUMBERS
    for path in re.findall(r"`(tests/[\w/]+\.py)", PAGE):
        assert (ROOT / path).is_file(), path


@pytest.mark.parametrize(
    "wrong", ["`lemmas.no_such_bound`", "`SLEUCB.iota`, `.no_such`", "`simulate(…).none`"]
)
def test_a_name_that_is_not_there_is_noticed(wrong):
    with pytest.raises((AttributeError, ImportError)):
        look_up(wrong)
