"""Defaults: numbers that the library goes by and that the command line prints."""

import re

import pytest
import typer

from steadyarm.cli.app import app
from steadyarm.defaults import CLAIM_ARMS, CLAIM_HORIZON

PRINTED = [
    ("verify", "--arms", CLAIM_ARMS),
    ("verify", "--horizon", CLAIM_HORIZON),
]


@pytest.mark.parametrize(("command", "option", "number"), PRINTED)
def test_help_prints_the_number_that_is_taken(command, option, number):
    known = {each.opts[0]: each for each in typer.main.get_command(app).commands[command].params}
    assert known[option].default is None
    assert re.search(rf"Default: {re.escape(str(number))}\.$", known[option].help)
