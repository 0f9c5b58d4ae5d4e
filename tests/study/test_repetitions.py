"""A few repetitions of several policies, side by side on the same rewards."""

import pytest
from matplotlib.figure import Figure

import steadyarm as sa
from steadyarm.errors import InvalidInput

STEADY = sa.Steady(n_arms=2, horizon=2000, spread=40.0)


def shares_at_the_end(axes):
    return [float(line.get_ydata()[-1]) for line in axes.lines]


def test_every_line_ends_at_the_share_that_simulate_gives():
    figure = sa.plot_paths(["MOSS", STEADY], sa.equal_arms(2), seed=3, repetitions=6)
    moss = sa.MOSS(n_arms=2, horizon=2000)
    for axes, policy in zip(figure.axes, (moss, STEADY), strict=True):
        counts = sa.simulate(policy, sa.equal_arms(2), seed=3, runs=6, engine="step").counts
        assert shares_at_the_end(axes) == (counts[:, 0] / 2000).tolist()


def test_the_lines_of_a_steady_policy_end_closer_together_than_those_of_moss():
    moss, steady = sa.plot_paths(["MOSS", STEADY], sa.equal_arms(2), seed=3, repetitions=6).axes
    spread = {axes: max(shares_at_the_end(axes)) - min(shares_at_the_end(axes)) for axes in (moss, steady)}
    assert spread[moss] > 4.0 * spread[steady]
    low, high = min(shares_at_the_end(moss)), max(shares_at_the_end(moss))
    title = moss.get_title(loc="left").replace("\n", " ")
    assert title == f"MOSS: 6 repetitions give arm 0 {low:.0%} to {high:.0%} of the rounds"


def test_the_arm_is_a_best_one_unless_it_is_named():
    instance = sa.Instance.gaussian([-1.0, 0.0], noise_scale=1.0)
    for named, shown in ((None, 1), (0, 0)):
        [axes] = sa.plot_paths("MOSS", instance, horizon=50, repetitions=1, arm=named).axes
        assert axes.get_ylabel() == f"share of the rounds so far for arm {shown}"


def test_one_policy_can_be_drawn_into_axes_and_several_cannot():
    axes = Figure().add_subplot()
    figure = sa.plot_paths("MOSS", sa.equal_arms(2), horizon=50, repetitions=2, ax=axes)
    assert figure is axes.figure
    assert len(axes.lines) == 2
    with pytest.raises(InvalidInput, match="ax= takes a picture of one panel, and this one has 2"):
        sa.plot_paths(["MOSS", "UCB1"], sa.equal_arms(2), horizon=50, ax=axes)


def test_a_horizon_that_cannot_be_played_is_refused():
    with pytest.raises(InvalidInput, match="a path keeps every round"):
        sa.plot_paths("MOSS", sa.equal_arms(2), horizon=10**12)
