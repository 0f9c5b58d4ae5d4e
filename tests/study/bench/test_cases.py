"""The cases: every goal is that of one of them, in a quick look too."""

from steadyarm.study.bench.goals import GOALS
from steadyarm.study.bench.study import planned

ON_CPU = [case.key for case in planned()]
ON_GPU = [case.key for case in planned(device="cuda")]


def test_every_goal_is_the_goal_of_a_figure():
    assert set(GOALS) <= {*ON_CPU, *ON_GPU}
    assert len({*ON_CPU, *ON_GPU}) == len(ON_CPU) + len(ON_GPU)


def test_every_figure_with_a_goal_is_in_the_quick_look_too():
    assert set(GOALS) <= {
        case.key for device in ("cpu", "cuda") for case in planned(None, device, quick=True)
    }
