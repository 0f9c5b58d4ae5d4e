"""A user's own rule leaves nothing in the kernel cache that others share."""

import subprocess
import sys

OWN = """
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from steadyarm.policies import RulePolicy, rule


class StubbornParameters(NamedTuple):
    arm: int


def choose(parameters, noise, rank, counts, totals, state):
    return parameters.arm


def update(parameters, noise, arm, reward, counts, totals, state):
    state[0] += {step}


rule(StubbornParameters, choose=choose, update=update)


@dataclass(frozen=True, kw_only=True)
class Stubborn(RulePolicy):
    title: ClassVar[str] = "stubborn"
    source: ClassVar[str] = "an example"
    state_size: ClassVar[int] = 1

    @property
    def parameters(self):
        return StubbornParameters(1)
"""

PLAY_OWN = """
import steadyarm as sa
from stubborn import Stubborn
policy = Stubborn(n_arms=2, horizon=20)
assert sa.simulate(policy, sa.equal_arms(2), runs=2, engine="step").counts[0, 1] == 19
play = policy.start()
for _ in range(5):
    play.tell(play.ask(), 0.0)
print(play.to_dict()["state"][0])
"""

PLAY_KNOWN = """
import steadyarm as sa
policy = sa.UCB1(n_arms=2, horizon=20)
sa.simulate(policy, sa.equal_arms(2), runs=2, engine="step")
play = policy.start()
play.tell(play.ask(), 0.0)
"""


def run(code, folder):
    done = subprocess.run([sys.executable, "-c", code], cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip(), done.stderr


def test_a_changed_rule_is_noticed_and_a_vanished_one_missed_by_nobody(tmp_path):
    (tmp_path / "stubborn.py").write_text(OWN.replace("{step}", "1.0"), encoding="utf-8")
    assert run(PLAY_OWN, tmp_path)[0] == "5.0"
    (tmp_path / "stubborn.py").write_text(OWN.replace("{step}", "2.0"), encoding="utf-8")
    found, said = run(PLAY_OWN, tmp_path)
    assert found == "10.0"
    assert said.count("steadyarm: compiling") == 1
    assert "steadyarm: compiling for first use ...\n" in said
    run(PLAY_KNOWN, tmp_path.parent)
    assert run(PLAY_KNOWN, tmp_path.parent)[1] == ""
