"""The picture of a simulation says what the simulation measured."""

import xml.etree.ElementTree as ET

import pytest

import steadyarm as sa
from steadyarm.study.plotting.allocations import save_simulation


@pytest.mark.parametrize(("n_arms", "shown"), [(2, 2), (12, 12), (30, 12)])
def test_the_title_carries_the_instability_and_every_shown_arm_its_spread(n_arms, shown):
    policy = sa.SLEUCB(n_arms=n_arms, horizon=400, constants="sharp")
    result = sa.simulate(policy, sa.equal_gap(n_arms, 0.5), runs=40)
    axes = sa.plot_counts(result).axes[0]
    assert f"stray by {result.instability.value:,.0f} " in axes.get_title(loc="left")
    labels = [label.get_text() for label in axes.get_yticklabels()]
    assert len(labels) == shown
    assert labels[0].startswith("arm 0, mean reward 0\n")
    assert f"± {result.sd[0]:,.0f} pulls" in labels[0]


def test_counts_that_never_vary_can_be_drawn():
    policy = sa.SLEUCB(n_arms=2, horizon=10)
    result = sa.simulate(policy, sa.Instance.bernoulli([1.0, 1.0]), runs=20)
    assert result.sd.max() == 0.0
    assert "stray by 0 " in sa.plot_counts(result).axes[0].get_title(loc="left")


def test_the_same_result_gives_the_same_files(tmp_path):
    policy = sa.SLEUCB(n_arms=2, horizon=100)
    result = sa.simulate(policy, sa.equal_arms(2), runs=20)
    one, other = result.save(str(tmp_path / "a")), result.save(tmp_path / "b")
    assert [path.name for path in one] == [path.name for path in save_simulation(result, tmp_path / "c")]
    for left, right in zip(one, other, strict=True):
        assert left.read_bytes() == right.read_bytes()
        assert left.stat().st_size > 0
    ET.parse(tmp_path / "a" / "counts.svg")
