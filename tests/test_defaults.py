"""Defaults: numbers that the library goes by and that the command line prints."""

import re
from inspect import signature

import pytest
import typer

import steadyarm as sa
from steadyarm import defaults
from steadyarm.cli.app import app

ARGUMENTS = {
    "frontier": {"arms": "n_arms"},
    "worst-case": {"arms": None, "horizon": None},
    "verify": {"arms": None, "horizon": None},
    "scaling": {"arms": "n_arms", "horizon": "horizons"},
    "coverage": {},
    "trial": {},
    "compare": {},
    "plan": {"arms": "n_arms"},
}
"""Arguments of the library that have another name than the option; None where a policy has them."""

ELSEWHERE = {
    ("verify", "arms"): defaults.CLAIM_ARMS,
    ("verify", "horizon"): defaults.CLAIM_HORIZON,
    ("worst-case", "arms"): defaults.ARMS,
    ("worst-case", "horizon"): defaults.WORST_CASE_HORIZON,
}
NOT_OF_STUDIES = {"alpha", "noise_scale", "mean_bound", "gap", "low", "high"}
"""What policies and instances have."""


def printed():
    """The options whose help names a number that is taken, with the number."""
    for command in ARGUMENTS:
        for option in typer.main.get_command(app).commands[command].params:
            said = re.search(r"Default: ([\w.,]+?)\.$", option.help or "")
            if said and option.name not in NOT_OF_STUDIES and re.match(r"[\d.,]+$|all$", said[1]):
                yield command, option, said[1]


def in_words(value):
    if isinstance(value, tuple):
        return ",".join(f"{each:g}" for each in value)
    return f"{value:g}" if isinstance(value, float) else str(value)


@pytest.mark.parametrize(
    ("command", "option", "said"), list(printed()), ids=lambda each: getattr(each, "name", each)
)
def test_help_prints_what_the_library_takes(command, option, said):
    assert option.default is None, "the command line decides nothing"
    argument = ARGUMENTS[command].get(option.name, option.name)
    if argument is None:
        taken = ELSEWHERE[command, option.name]
    else:
        taken = signature(getattr(sa, command.replace("-", "_"))).parameters[argument].default
    assert said == in_words(taken)


def test_all_numbers_are_printed_somewhere():
    assert len(list(printed())) >= 20


def test_help_of_a_parameter_says_what_the_policy_takes():
    known = {each.name: each.help for each in typer.main.get_command(app).commands["worst-case"].params}
    ours, steady = sa.SLEUCB(n_arms=2, horizon=1000), sa.Steady(n_arms=2, horizon=1000)
    assert known["alpha"].endswith(f"Default: {ours.alpha:g}.")
    assert known["constants"].endswith(f"Default: {ours.constants}.")
    assert known["mean_bound"].endswith(f"Default: {ours.mean_bound:g}.")
    assert known["noise_scale"].endswith(f"Default: {ours.noise_scale:g}.")
    assert known["spread"].endswith("Default: T/(10K).")
    assert steady.spread == 1000 / (10 * 2)
