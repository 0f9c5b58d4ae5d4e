"""Groups of options: Typer sees them one by one, and messages speak of options."""

from dataclasses import dataclass
from inspect import Parameter, signature
from typing import Annotated

import pytest
import typer
from typer.testing import CliRunner

from steadyarm.cli.options.groups import grouped, in_options, real_number


@dataclass
class Output:
    out: Annotated[str, typer.Option("--out")]
    level: Annotated[float, typer.Option("--level")] = 0.95


def told(*words):
    app, seen = typer.Typer(), []

    @app.command()
    @grouped
    def show(*, gap: Annotated[float, typer.Option("--gap")] = 0.5, output: Output) -> None:
        seen.append((gap, output))

    return CliRunner().invoke(app, words), seen


def test_a_group_is_flat_on_the_command_line_and_whole_in_the_command():
    result, seen = told("--out", "here", "--gap", "1e-3")
    assert result.exit_code == 0
    assert seen == [(0.001, Output("here", 0.95))]


def test_an_option_of_a_group_that_has_no_default_must_be_given():
    result, seen = told("--gap", "1")
    assert result.exit_code == 2
    assert "--out" in result.output
    assert seen == []


@pytest.mark.parametrize("option", ["--gap", "--level"])
def test_a_decimal_comma_is_refused_in_words_that_help(option):
    result, _ = told("--out", "here", option, "0,5")
    assert result.exit_code == 2
    assert "a decimal point" in " ".join(result.output.replace("│", " ").split())


def test_every_option_of_a_group_is_a_keyword():
    @grouped
    def show(*, output: Output) -> None: ...

    parameters = signature(show).parameters.values()
    assert [(each.name, each.kind) for each in parameters] == [
        ("out", Parameter.KEYWORD_ONLY),
        ("level", Parameter.KEYWORD_ONLY),
    ]


def test_a_number_is_a_number():
    assert real_number("-2.5e3") == -2500.0
    with pytest.raises(typer.BadParameter, match="'half' should be a valid number"):
        real_number("half")


@pytest.mark.parametrize(
    ("message", "words"),
    [
        ("max_sd must be positive", "--max-sd must be positive"),
        ("Give n_arms=3.", "Give --arms 3."),
        ("with guaranteed=True", "with --guaranteed"),
        ("all arms are alike", "all arms are alike"),
        ("arms=2 is too few", "--arms 2 is too few"),
        ("other_name=1 stays", "other_name=1 stays"),
        ("`max_sd` and a/max_sd stay", "`max_sd` and a/max_sd stay"),
    ],
)
def test_parameters_of_the_library_become_options(message, words):
    @grouped
    def show(
        *,
        max_sd: Annotated[float, typer.Option("--max-sd")],
        arms: Annotated[int, typer.Option("--arms")],
        guaranteed: Annotated[bool, typer.Option("--guaranteed")],
    ) -> None: ...

    assert in_options(message, show) == words
