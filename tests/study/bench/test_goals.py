"""The goals: those that were set, and how they judge."""

from steadyarm.study.bench.goals import GOALS, at_least, at_most


def values(prefix):
    return {key.removeprefix(prefix): goal.value for key, goal in GOALS.items() if key.startswith(prefix)}


def test_the_goals_are_those_that_were_set():
    assert values("step/SLEUCB/") == {"2": 1.0, "10": 0.8, "100": 0.6}
    assert values("step/UCB1/") == {"10": 0.6, "100": 0.12}
    assert values("step/GaussianThompson/") == {"10": 0.3}
    assert values("step/KLUCB/") == values("step/UCBV/") == {"10": 0.38}
    assert (values("step/Exp3/"), values("step/TsallisINF/")) == ({"10": 0.14}, {"10": 0.095})
    assert values("prefix/SLEUCB/") == {"2": 3.5, "10": 3.5, "100": 2.5, "1000": 2.0}
    assert values("leap/") == {"2/1e12": 1e5, "10/1e12": 6e5, "2/growth": 3.0, "10/growth": 3.0}
    assert values("extra/") == {"prefix/at": 1.3, "step/delay": 2.0}
    assert values("fluid/") == {"10": 1.0}
    assert values("start/") == {"import": 0.4, "help": 0.3, "simulate": 2.0}
    assert values("cuda/step/") == {"2": 100.0, "10": 40.0, "UCB1/10": 30.0, "GaussianThompson/10": 15.0}
    assert values("cuda/prefix/") == dict.fromkeys(("2", "10", "100", "1000"), 80.0)


def test_a_goal_judges_by_its_relation_and_only_its_card():
    assert at_least(2.0).reached(2.0) is True
    assert at_least(2.0).reached(1.99) is False
    assert at_most(3.0).reached(3.0) is True
    assert at_most(3.0).reached(3.01) is False
    assert at_least(80.0, card="H200").reached(81.0, "NVIDIA H200") is True
    assert at_least(80.0, card="H200").reached(81.0, "NVIDIA A10") is None
