"""The command line as a newcomer uses it, wrong things included."""

import inspect
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import typer
from tests.processes import started

import steadyarm as sa
from steadyarm.cli.app import app


def test_help_and_version(steadyarm):
    assert "simulate" in steadyarm("--help").out
    assert "--horizon" in steadyarm("simulate", "--help").out
    assert steadyarm("--version").out.strip() == sa.__version__


@pytest.mark.parametrize("group", [(), ("live",), ("policy",)])
def test_a_list_of_commands_has_whole_sentences(steadyarm, group):
    assert "..." not in steadyarm(*group, "--help", columns=80).out.partition("Commands:")[2]


def options_of(command, name=""):
    """Every option of a command and of those below it, with the command's name."""
    for below, part in getattr(command, "commands", {}).items():
        yield from options_of(part, f"{name} {below}".strip())
    yield from ((name, option) for option in command.params if isinstance(option, typer.core.TyperOption))


OPTIONS = list(options_of(typer.main.get_command(app)))


def test_every_option_says_what_it_is_for():
    assert len(OPTIONS) > 150
    assert [f"{name} {option.name}" for name, option in OPTIONS if not option.help] == []


def test_a_command_decides_no_default_that_the_function_of_its_name_has():
    compared = 0
    for name, option in OPTIONS:
        function = getattr(sa, name.replace("-", "_"), None)
        known = inspect.signature(function).parameters if callable(function) else {}
        parameter = known.get("n_arms" if option.name == "arms" else option.name)
        usual = None if parameter is None or parameter.default is parameter.empty else parameter.default
        if usual is not None and option.default is not None:
            assert str(option.default) == str(usual), f"{name} --{option.name}"
            compared += 1
    assert compared > 20


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("simulate --alpha -1", "alpha must be positive; got -1.0"),
        ("simulate --horizon 2", "horizon must be at least 3; got 2"),
        ("simulate --horizon ten", "'ten' is not a number"),
        ("simulate --horizon 2.5", "'2.5' is not a whole number"),
        ("simulate --horizon inf", "'inf' is not a whole number"),
        ("simulate --horizon nan", "'nan' is not a whole number"),
        ("simulate --runs 0", "runs must be at least 1"),
        ("simulate --at 10,5", "at must rise; got 5 after 10"),
        ("simulate --at 10,x", "'x' is not a number"),
        *(
            (
                f"simulate --delay {wrong}",
                f"'{wrong}' is not a delay. Write 30 for 30 rounds, or geometric:30",
            )
            for wrong in (
                "soon",
                "1.5",
                ":30",
                "poisson:30",
                "geometric:x",
                "geometric:1,2",
            )
        ),
        ("simulate --delay -1", "'-1' cannot be: delay must be at least 0; got -1."),
        ("simulate --delay geometric:0", "mean of the delay must be at least 1e-09; got 0.0."),
        ("simulate --delay geometric:-3", "mean of the delay must be at least 1e-09; got -3.0."),
        ("simulate --batch 0", "batch must be at least 1; got 0"),
        ("simulate --delay 30 --engine prefix", "rewards are told 30 rounds late"),
        ("simulate --means 0,x", "is not a list of numbers"),
        ("simulate --means 0,nan", "means[1] must be finite"),
        ("simulate --means 0,1 --arms 3", "--arms says 3 but --means names 2"),
        ("simulate --policy Nobody", "--policy must be one of 'SLEUCB'"),
        ("simulate --family nice", "--family must be one of"),
        ("simulate --rewards poisson", "--rewards must be one of"),
        ("simulate --rewards bernoulli", "give --means, like 0.6,0.5"),
        ("simulate --gap 2", "arm 1 has mean -2.0"),
        ("simulate --engine warp", "engine must be one of"),
        ("simulate --seed -5", "seed must be at least 0"),
        ("simulate --runs 5 --precision 0.1", "runs or precision, not both"),
        ("simulat", "No such command"),
        ("simulate --means a,b", "Invalid value for '--means': 'a,b' is not a list of numbers"),
        (
            "frontier --alphas x",
            "Invalid value for '--alphas': 'x' is not a list of numbers; write it like 0.5,1,2",
        ),
        ("scaling --arms 2,x", "Invalid value for '--arms': 'x' is not a number"),
        ("scaling --horizons 1e4,y", "Invalid value for '--horizons': 'y' is not a number"),
        ("verify --only x", "Invalid value for '--only': 'x' is not a list of claims"),
        ("simulate --means 0,0.5 --gap 0.9", "leave --family and --gap out"),
        ("simulate --family equal_arms --gap 0.9", "has no gap"),
        ("simulate --low 3", "--low and --high are for bounded rewards"),
        ("simulate --runs 10 --horizon 50 --out /proc/nowhere", "/proc/nowhere"),
    ],
)
def test_wrong_things_get_one_clear_line_and_exit_code_2(steadyarm, words, message):
    done = steadyarm(*words.split(), code=2)
    assert message in done.err
    assert "Traceback" not in done.err
    assert done.out == ""


def processor_seconds(process):
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@pytest.mark.usefixtures("ctrl_c")
def test_ctrl_c_says_what_was_finished_and_exits_130():
    words = [
        sys.executable,
        "-m",
        "steadyarm",
        "simulate",
        "--horizon",
        "1e12",
        "--runs",
        "2",
        "--engine",
        "step",
    ]
    with started(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        # Imports take one second of the processor, so it plays by then, however busy the machine.
        while processor_seconds(process.pid) < 3.0:
            assert process.poll() is None
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "stopped after 0 of 2 runs" in errors
    assert "Traceback" not in errors


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (MemoryError(), "not enough memory. Ask for"),
        (MemoryError("Unable to allocate 7 TiB"), "memory: Unable to allocate 7 TiB. Ask for"),
    ],
)
def test_a_lack_of_memory_is_told_with_what_is_known_of_it(steadyarm, monkeypatch, error, words):
    def fail(*_, **__):
        raise error

    monkeypatch.setattr(sa, "compare", fail)
    assert words in steadyarm("compare", "--runs", "2", code=2).err
