"""Policies by name or as records, and what they are called."""

from tests.study.compare.conftest import INSTANCE

import steadyarm as sa


def test_records_of_one_kind_are_told_apart_by_their_parameters():
    policies = [sa.SLEUCB(n_arms=3, horizon=100, constants="sharp", alpha=alpha) for alpha in (1.0, 4.0)]
    found = sa.compare(policies, INSTANCE, runs=5)
    assert found.table["policy"].tolist() == ["SLE-UCB (alpha 1)", "SLE-UCB (alpha 4)"]
    assert found.to_dict()["policies"][1]["parameters"]["alpha"] == 4.0


def test_names_are_built_for_each_instance_with_its_noise():
    found = sa.compare(["MOSS"], [sa.Instance.bernoulli([0.5, 0.4]), sa.equal_arms(5)], horizon=50, runs=5)
    assert [simulation.policy for simulation in found.simulations] == [
        sa.MOSS(n_arms=2, horizon=50, noise_scale=0.5),
        sa.MOSS(n_arms=5, horizon=50, noise_scale=1.0),
    ]
    assert found.differences.empty
    assert found.plot().axes
