"""Policies by name or as records, and what they are called."""

import pytest
from tests.study.compare.conftest import INSTANCE

import steadyarm as sa
from steadyarm.errors import InvalidInput, NotSupported


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


@pytest.mark.parametrize("study", [sa.compare, sa.coverage])
def test_all_stands_for_those_that_can_play_and_the_others_are_named(study):
    found = study("all", sa.equal_gap(2, gap=1.0), horizon=60, runs=4)
    played = {policy.name for policy in _policies(found)}
    assert set(found.left_out) == set(sa.all_policies()) - played
    assert "takes rewards between 0 and 1" in found.left_out["Exp3"]
    assert "SLEUCB" in played


def test_all_are_designs_of_a_trial_too():
    found = sa.trial(INSTANCE, "all", horizon=30, runs=4, methods=["wald"])
    assert set(found.study.designs) == set(sa.all_policies()) - set(found.left_out)


def test_nobody_is_left_out_of_those_that_were_named():
    assert sa.compare(["MOSS"], INSTANCE, horizon=50, runs=4).left_out == {}
    with pytest.raises(NotSupported, match="Exp3 cannot play this instance"):
        sa.compare(["MOSS", "Exp3"], INSTANCE, horizon=50, runs=4)
    with pytest.raises(InvalidInput, match="policies given by name need a horizon"):
        sa.compare("all", INSTANCE)


def test_m_goes_to_the_policies_given_by_name_that_have_it():
    wide = sa.equal_gap(2, gap=1.5)
    for study in (sa.compare, sa.coverage):
        with pytest.raises(NotSupported, match="outside"):
            study(["SLEUCB"], wide, horizon=50, runs=4)
        found = study(["SLEUCB", "MOSS"], wide, horizon=50, runs=4, mean_bound=2.0)
        assert _policies(found)[0] == sa.SLEUCB(n_arms=2, horizon=50, mean_bound=2.0)


def _policies(found):
    study = found.study
    return study.policies_on(study.instances[0]) if hasattr(study, "instances") else study.policies
