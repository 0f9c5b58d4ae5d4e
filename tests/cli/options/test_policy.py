"""--policy: one of the user's own, in a file beside where the command runs; and parameters by name."""

import json
import subprocess
import sys

import pytest

OWN = """
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

import steadyarm as sa
from steadyarm.policies import RulePolicy, rule


@dataclass(frozen=True, kw_only=True)
class FollowTheLeader(sa.Policy):
    title = "follow the leader"
    source = "an example"

    bonus: float = 0.0

    def start(self, *, seed=0, run=0, priority=None):
        return LeaderPlay(self, seed, run, priority)


class LeaderPlay(sa.Play):
    def __init__(self, policy, seed, run, priority):
        super().__init__(policy, seed, run, priority)
        self._sums = np.zeros(policy.n_arms)

    def _choose(self):
        return max(range(self.policy.n_arms), key=lambda arm: (self.indices[arm], -self.priority[arm]))

    def _assign(self, arm):
        pass

    def _absorb(self, arm, reward):
        self._sums[arm] += reward

    @property
    def indices(self):
        pulls = np.array(self._observed)
        return np.where(pulls > 0, self._sums / np.maximum(pulls, 1) + self.policy.bonus, np.inf)


class FastLeaderParameters(NamedTuple):
    bonus: float


def mean(parameters, noise, arm, counts, totals, state):
    return totals[arm] / counts[arm] + parameters.bonus


rule(FastLeaderParameters, index=mean)


@dataclass(frozen=True, kw_only=True)
class FastLeader(RulePolicy):
    title = "fast leader"
    source = "an example"

    bonus: float = 0.0

    @property
    def parameters(self):
        return FastLeaderParameters(self.bonus)


@dataclass(frozen=True, kw_only=True)
class Unfinished(sa.Policy):
    title = "unfinished"


def not_a_policy():
    pass
"""


STRICT = """
from dataclasses import dataclass
import steadyarm as sa


@dataclass(frozen=True, kw_only=True)
class Strict(sa.MOSS):
    def __post_init__(self):
        raise KeyError("no")
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Be in a folder that holds own.py and broken.py; what is imported from it is forgotten afterwards."""
    (tmp_path / "own.py").write_text(OWN)
    (tmp_path / "broken.py").write_text("import steadyarm\nraise ZeroDivisionError('no')\n")
    (tmp_path / "garbled.py").write_text("def (:\n")
    (tmp_path / "needy.py").write_text("import a_module_that_nobody_has\n")
    (tmp_path / "picky.py").write_text("def check(word):\n    return int(word)\n\n\ncheck('ten')\n")
    (tmp_path / "leaving.py").write_text("import sys\nsys.exit(0)\n")
    (tmp_path / "wrong.py").write_text("import own\nlen(3)\n")
    (tmp_path / "package").mkdir()
    (tmp_path / "package" / "__init__.py").write_text("import package.gone\n")
    (tmp_path / "strict.py").write_text(STRICT)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", sys.path.copy())
    before = set(sys.modules)
    yield tmp_path
    for name in set(sys.modules) - before:
        if str(tmp_path) in str(getattr(sys.modules[name], "__file__", "")):
            del sys.modules[name]


@pytest.fixture
def as_users_do(folder):
    """Run the command in the folder, as a program."""

    def run(*words):
        done = subprocess.run(
            [sys.executable, "-m", "steadyarm", *words], cwd=folder, capture_output=True, text=True
        )
        assert done.returncode == 0, done.stderr
        return done

    return run


def test_a_plain_class_and_a_rule_of_the_same_policy_give_the_same_counts(as_users_do):
    words = "--means 0,-0.5,-0.5 --horizon 60 --runs 30 --json --policy"
    slow = json.loads(as_users_do("simulate", *words.split(), "own:FollowTheLeader").stdout)
    fast = json.loads(as_users_do("simulate", *words.split(), "own:FastLeader").stdout)
    assert (slow["engine"], fast["engine"]) == ("reference", "step")
    assert slow["mean_counts"] == fast["mean_counts"]
    assert slow["sd"] == fast["sd"]


def test_own_policies_are_compared_with_the_known_ones(as_users_do, tmp_path):
    words = ["compare", "--policies", "own:FastLeader,MOSS,own:FollowTheLeader", "--horizon", "60"]
    done = as_users_do(*words, "--runs", "30", "--parameter", "bonus=0.5", "--out", "made", "--json")
    report = json.loads(done.stdout)
    assert [row["policy"] for row in report["policies"]] == ["fast leader", "MOSS", "follow the leader"]
    assert report["policies"][0]["parameters"]["bonus"] == 0.5
    alike = [row for row in report["differences"] if row["other"] == "follow the leader"][:2]
    assert [row["difference"] for row in alike if row["policy"] == "fast leader"] == [0.0, 0.0]
    assert (tmp_path / "made" / "comparison.png").stat().st_size > 0


@pytest.mark.parametrize(
    ("policy", "message"),
    [
        ("nowhere:MyPolicy", "there is no module 'nowhere' in this folder or on Python's path"),
        ("own.deeper:MyPolicy", "there is no module 'own.deeper'"),
        (":MyPolicy", "there is no module ''"),
        ("..own:MyPolicy", "there is no module '..own'"),
        ("own:Nobody", "the module 'own' has no 'Nobody'"),
        ("own:", "the module 'own' has no ''"),
        ("own:not_a_policy", "'not_a_policy' is not a subclass of steadyarm.Policy"),
        ("json:dumps", "'dumps' is not a subclass of steadyarm.Policy"),
    ],
)
@pytest.mark.usefixtures("folder")
def test_a_wrong_name_gets_one_clear_line(steadyarm, policy, message):
    done = steadyarm("simulate", "--policy", policy, "--horizon", "50", "--runs", "3", code=2)
    assert done.err.startswith("steadyarm: ")
    assert message in done.err
    assert len(done.err.splitlines()) == 1
    assert done.out == ""


@pytest.mark.parametrize(
    ("policy", "trace", "message"),
    [
        (
            "own:Unfinished",
            "",
            "own:Unfinished could not be made: TypeError: Can't instantiate abstract class",
        ),
        ("strict:Strict", "strict.py", "strict:Strict could not be made: KeyError: 'no'"),
        ("broken:MyPolicy", "broken.py", "importing 'broken' failed with ZeroDivisionError: no"),
        ("garbled:MyPolicy", "garbled.py", "importing 'garbled' failed with SyntaxError"),
        (
            "needy:MyPolicy",
            "needy.py",
            "importing 'needy' failed with ModuleNotFoundError: No module named 'a_module",
        ),
        ("picky:MyPolicy", "picky.py", "importing 'picky' failed with ValueError: invalid literal for int()"),
        (
            "wrong:MyPolicy",
            "wrong.py",
            "importing 'wrong' failed with TypeError: object of type 'int' has no len()",
        ),
        ("leaving:MyPolicy", "leaving.py", "importing 'leaving' failed with SystemExit: 0"),
        (
            "package:MyPolicy",
            "__init__.py",
            "importing 'package' failed with ModuleNotFoundError: No module named 'pack",
        ),
        ("package.gone:MyPolicy", "__init__.py", "importing 'package' failed with ModuleNotFoundError"),
    ],
)
@pytest.mark.usefixtures("folder")
def test_a_module_that_fails_shows_its_own_trace_and_then_one_line(steadyarm, policy, trace, message):
    done = steadyarm("simulate", "--policy", policy, "--horizon", "50", "--runs", "3", code=2)
    *above, last = done.err.splitlines()
    assert last.startswith("steadyarm: ")
    assert message in last
    files = [line for line in above if line.startswith('  File "')]
    assert trace in "".join(files)
    assert not any("cli/options" in line or "importlib" in line for line in files)
    assert done.out == ""


def test_a_parameter_goes_to_those_that_have_it_or_to_the_one_it_names(steadyarm):
    words = "--policies MOSS,UCB1,UCB --horizon 100 --runs 3 --json"
    both = "--parameter constant=3 --parameter UCB.delta=1e-3"
    rows = json.loads(steadyarm("compare", *words.split(), *both.split()).out)["policies"]
    assert [row["parameters"].get("constant") for row in rows] == [3, 3, None]
    assert rows[2]["parameters"]["delta"] == 1e-3
    words = "--policies MOSS,UCB1 --horizon 100 --runs 3 --parameter MOSS.constant=3 --json"
    rows = json.loads(steadyarm("compare", *words.split()).out)["policies"]
    assert [row["parameters"]["constant"] for row in rows] == [3, 2.0]


def test_simulate_takes_parameters_too(steadyarm):
    words = "--policy KLUCB --rewards bernoulli --means 0.5,0.4 --horizon 100 --runs 3 --json"
    report = json.loads(steadyarm("simulate", *words.split(), "--parameter", "rewards=bernoulli").out)
    assert report["policy"]["rewards"] == "bernoulli"
