"""Which engine plays: what each can, what it costs, and what "auto" takes."""

import pytest

import steadyarm as sa
from steadyarm.engines.choice import (
    DEVICES,
    ENGINES,
    TABLE_ENGINES,
    auto_leaps,
    cheapest_engine,
    choose_engine,
    leap_pays,
)
from steadyarm.errors import NotSupported

GAUSSIAN = sa.equal_gap(2, 0.2)
PADDED = sa.Padded(sa.MOSS(n_arms=3, horizon=50))


def test_every_engine_goes_by_its_name_on_every_device():
    for engines in DEVICES.values():
        assert [engine.name for engine in engines.values()] == list(engines)
    assert list(ENGINES) == ["leap", "prefix", "step", "reference"]
    assert TABLE_ENGINES == ("prefix", "step", "reference")


@pytest.mark.parametrize(
    ("policy", "able"),
    [
        (sa.MOSS(n_arms=2, horizon=100), ["leap", "prefix", "step", "reference"]),
        (sa.UCB1(n_arms=2, horizon=100), ["step", "reference"]),
        (PADDED, ["reference"]),
    ],
    ids=lambda value: value.name if isinstance(value, sa.Policy) else "",
)
def test_an_engine_plays_a_policy_or_says_why_not(policy, able):
    refusals = {name: engine.refusal(policy, sa.equal_arms(2)) for name, engine in ENGINES.items()}
    assert [name for name, refusal in refusals.items() if refusal is None] == able
    for name in ENGINES.keys() - set(able):
        with pytest.raises(
            NotSupported, match=f"the {name} engine cannot play {policy.name} .*: {refusals[name]}"
        ):
            choose_engine(name, policy, sa.equal_arms(2))


def test_auto_leaps_where_it_pays_and_plays_where_it_does_not():
    def engine(policy, instance):
        return sa.simulate(policy, instance, runs=1).engine

    assert engine(sa.SLEUCB(n_arms=2, horizon=10**8), GAUSSIAN) == "leap"
    assert engine(sa.SLEUCB(n_arms=2, horizon=10**4), GAUSSIAN) == "prefix"
    assert engine(sa.UCB1(n_arms=2, horizon=10**4), GAUSSIAN) == "step"
    short = sa.simulate(sa.SLEUCB(n_arms=2, horizon=3), GAUSSIAN, runs=2, engine="leap")
    assert short.engine == "prefix"  # too short to leap
    with pytest.raises(NotSupported, match="UCB1 on gaussian arms has to be played round by round"):
        sa.simulate(sa.UCB1(n_arms=2, horizon=10**12), GAUSSIAN)
    with pytest.raises(NotSupported, match="cannot play SLEUCB on bounded arms"):
        sa.simulate(sa.SLEUCB(n_arms=2, horizon=10**8), sa.Instance.bounded([0.5, 0.5]), engine="leap")


def test_what_auto_does_is_known_without_choosing():
    long, short = (sa.MOSS(n_arms=2, horizon=horizon) for horizon in (10**8, 10**4))
    assert (auto_leaps(long, GAUSSIAN), auto_leaps(short, GAUSSIAN)) == (True, False)
    assert not auto_leaps(long, sa.Instance.bounded([0.5, 0.5]))


def test_leaping_pays_for_millions_of_arms_too_once_no_other_engine_would_play():
    policy = sa.RoundRobin(n_arms=2 * 10**6, horizon=10**11)
    assert not leap_pays(policy)
    assert leap_pays(policy.replace(horizon=10**11 + 1))


def test_a_run_of_a_rule_costs_more_with_more_arms_and_in_plain_python_most():
    few, many = (sa.UCB1(n_arms=n_arms, horizon=1000) for n_arms in (10, 100))
    step, reference = ENGINES["step"], ENGINES["reference"]
    assert step.run_cost(few) < step.run_cost(many) < reference.run_cost(few)


def test_a_rule_states_its_own_cost():
    step, cost = ENGINES["step"], {}
    for kind in (sa.UCB1, sa.EpsilonGreedy, sa.GaussianThompson, sa.Exp3, sa.BetaThompson):
        cost[kind] = step.run_cost(kind(n_arms=10, horizon=1000))
    assert list(cost) == sorted(cost, key=cost.get)


def test_the_cheapest_engine_may_leap_where_auto_still_plays():
    policy = sa.SLEUCB(n_arms=2, horizon=10**5)
    assert cheapest_engine(policy, GAUSSIAN) == ("leap", ENGINES["leap"].run_cost(policy))
    assert choose_engine("auto", policy, GAUSSIAN).name == "prefix"
    assert cheapest_engine(policy.replace(horizon=9_999), GAUSSIAN)[0] == "prefix"
    assert cheapest_engine(PADDED, sa.equal_arms(2))[0] == "reference"
