"""Who takes part in a search, with how many runs, and who is left out."""

import pytest

import steadyarm as sa
from steadyarm.errors import NotSupported
from steadyarm.policies import OwnHistoryPolicy
from steadyarm.study.frontier.study import FrontierStudy
from steadyarm.study.worst_case.budget import FEWEST_RUNS

POLICIES = sa.all_policies()


def plays_gaussian_rewards(kind):
    try:
        kind(n_arms=2, horizon=100).check_instance(sa.equal_arms(2))
    except NotSupported:
        return False
    return True


GAUSSIAN = {name for name, kind in POLICIES.items() if plays_gaussian_rewards(kind)}


def test_every_rival_of_the_main_picture_has_the_runs_of_the_curves():
    participants, _ = FrontierStudy().participants(400)
    assert {each.policy.name: each.runs for each in participants if each.runs != 400} == {}
    assert all(participant.regret_runs >= 100 for participant in participants)


def test_expensive_rivals_get_fewer_runs_and_are_searched_for_at_a_shorter_horizon():
    participants, _ = FrontierStudy(horizon=1_000_000, rivals=["GaussianThompson", "MOSS"]).participants(400)
    thompson, moss = participants[-2:]
    assert FEWEST_RUNS <= thompson.runs < moss.runs == 400
    assert thompson.search.horizon < moss.search.horizon < 1_000_000
    assert {participant.runs for participant in participants[:-2]} == {400}


def test_a_policy_that_has_no_shorter_form_is_searched_for_at_the_full_horizon():
    padded = sa.Padded(sa.SLEUCB(n_arms=4, horizon=10_000, constants="sharp"))
    participants, left_out = FrontierStudy(
        n_arms=2, horizon=10_000, rivals=[padded], patience=60.0
    ).participants(10)
    assert left_out == {}
    assert participants[-1].search.horizon is None


@pytest.mark.parametrize("nobody", [[], (), None, "none"])
def test_no_rivals_can_be_asked_for_in_several_ways(nobody):
    assert FrontierStudy(n_arms=2, horizon=500, rivals=nobody) == FrontierStudy(
        n_arms=2, horizon=500, rivals=[]
    )


def test_everybody_who_can_play_gaussian_rewards_is_on_the_default_frontier():
    participants, left_out = FrontierStudy().participants(400)
    assert set(left_out) == POLICIES.keys() - GAUSSIAN
    assert {participant.policy.name for participant in participants} == GAUSSIAN


@pytest.mark.parametrize("horizon", [10**8, 10**12])
def test_at_long_horizons_those_without_an_engine_are_left_out_by_name(horizon):
    participants, left_out = FrontierStudy(horizon=horizon).participants(400)
    rivals = {participant.policy.name for participant in participants} - {"SLEUCB"}
    assert rivals == {name for name in GAUSSIAN if issubclass(POLICIES[name], OwnHistoryPolicy)} - {"SLEUCB"}
    assert f"{horizon:,} rounds have to be played one by one" in left_out["UCB1"]
    insistent, _ = FrontierStudy(horizon=horizon, patience=1e12).participants(400)
    assert "UCB1" in {participant.policy.name for participant in insistent}
