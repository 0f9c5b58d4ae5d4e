"""The search for worst cases."""

import math

import numpy as np
import pytest

import steadyarm as sa
from steadyarm.defaults import ARMS, WORST_CASE_HORIZON
from steadyarm.errors import InvalidInput, InvalidType, NotSupported
from steadyarm.study.runs.laboratory import Laboratory
from steadyarm.study.worst_case.study import WorstCaseStudy
from steadyarm.theory.estimates import Estimate


class Notebook(Laboratory):
    """A laboratory that writes down what it was asked for."""

    def __init__(self):
        super().__init__()
        object.__setattr__(self, "asked", [])

    def simulate(self, policy, instance, **how):
        self.asked.append((policy, instance, how["runs"], how["seed"], how["engine"]))
        return super().simulate(policy, instance, **how)


def quick(policy, of="regret", **how):
    return sa.worst_case(policy, of, **{"runs": 40, "gaps": 4, "steps": 4, "search_runs": 8, **how})


@pytest.mark.parametrize("name", sa.all_policies())
def test_every_policy_has_a_worst_case_in_its_class(name):
    policy = sa.all_policies()[name](n_arms=3, horizon=200)
    for of in ("regret", "instability"):
        found = quick(policy, of)
        policy.check_instance(found.instance)
        assert isinstance(found.estimate, Estimate)
        assert found.estimate.low <= found.estimate.value <= found.estimate.high
        assert found.instance.rewards == (
            "bernoulli" if policy.unit_rewards or name == "UCBV" else "gaussian"
        )


def test_a_padded_policy_has_one_too():
    found = quick(sa.Padded(sa.SLEUCB(n_arms=4, horizon=60, constants="sharp")), runs=10)
    assert found.instance.n_arms == 2
    assert found.estimate.value > 0.0


def test_the_same_question_asks_for_the_same_simulations():
    policy = sa.UCB1(n_arms=3, horizon=200)
    books = [Notebook(), Notebook()]
    found = [quick(policy, "instability", laboratory=book) for book in books]
    assert books[0].asked == books[1].asked
    assert found[0].estimate == found[1].estimate
    assert found[0].configuration() == found[1].configuration()
    assert found[0].configuration()["kind"] == "worst-case"
    assert "runs" not in found[0].configuration()


def test_the_worst_regret_of_sle_ucb_is_near_the_papers_gap():
    policy = sa.SLEUCB(n_arms=4, horizon=10**10, constants="sharp")
    found = quick(policy)
    unit = policy.beta * math.sqrt(4 / policy.horizon)
    assert 0.5 * unit < max(found.instance.gaps) < 5.0 * unit
    assert found.estimate.high < sa.theory.regret_bound(policy)


def test_two_arms_alone_are_the_least_steady():
    """With all others out of the way: 1.5 times the instability of equal arms here (claim: order T/√K)."""
    policy = sa.SLEUCB(n_arms=10, horizon=10**8, constants="sharp")
    found = quick(policy, "instability", runs=200, search_runs=32)
    equal = sa.simulate(policy, sa.equal_arms(10), runs=200, seed=0)
    assert found.estimate.low > 1.3 * equal.instability.high
    assert sorted(found.instance.gaps)[2] > 100 * max(sorted(found.instance.gaps)[1], 1e-4)


def test_a_worst_case_stands_beside_what_no_policy_of_the_like_can_beat():
    policy = sa.UCB(n_arms=3, horizon=300)
    wide = quick(policy, "instability")
    assert wide.least == {"least_regret": sa.theory.least_regret(wide.estimate.value, n_arms=3, horizon=300)}
    assert wide.findings()["least_regret"] == wide.least["least_regret"]
    lost = quick(policy, rewards="bernoulli")
    rates = {"n_arms": 3, "horizon": 300, "rates": (0.0, 1.0)}
    assert lost.least == {"least_instability": sa.theory.least_instability(lost.estimate.value, **rates)}
    assert "has a count that spreads by" in lost.notes[1]
    assert "Theorem 1′" in wide.notes[1]


@pytest.mark.parametrize(
    ("change", "kind", "message"),
    [
        ({"of": "fun"}, InvalidInput, "of must be one of 'regret', 'instability'"),
        ({"families": []}, InvalidInput, "families must name at least one"),
        ({"families": "duel"}, InvalidType, "families must be a list of names"),
        ({"families": ["zoo"]}, InvalidInput, "a family's name must be one of"),
        ({"gaps": 1}, InvalidInput, "gaps must be at least 2"),
        ({"steps": -1}, InvalidInput, "steps must be at least 0"),
        ({"runs": 1}, InvalidInput, "runs must be at least 2"),
        ({"search_runs": 1}, InvalidInput, "search_runs must be at least 2"),
        ({"mean_bound": 0.0}, InvalidInput, "mean_bound must be positive"),
        ({"rewards": "cash"}, InvalidInput, "rewards must be one of"),
        ({"policy": sa.MOSS}, InvalidType, "policy must be a steadyarm Policy"),
    ],
)
def test_wrong_input_is_refused_with_rule_and_value(change, kind, message):
    how = {"policy": sa.MOSS(n_arms=2, horizon=50), "runs": 5, "search_runs": 2, **change}
    with pytest.raises(kind, match=message):
        sa.worst_case(how.pop("policy"), **how)


def test_rewards_that_a_policy_cannot_take_are_refused():
    with pytest.raises(NotSupported, match="Exp3 takes rewards between 0 and 1"):
        WorstCaseStudy(policy=sa.Exp3(n_arms=2, horizon=50), rewards="gaussian").run(runs=3)


@pytest.mark.slow
def test_the_fresh_measurement_does_not_flatter():
    """Over many searches with few runs the search's own best is too high on average; the fresh one is not."""
    policy = sa.UCB1(n_arms=3, horizon=300)
    flattered, fresh = [], []
    for seed in range(120):
        found = quick(policy, "regret", seed=seed, runs=8, search_runs=2, steps=0, gaps=8)
        truth = sa.simulate(policy, found.instance, runs=400, seed=10**6).regret
        flattered.append(found.tried.query("stage != 'fresh'")["regret"].max() - truth.value)
        fresh.append(found.estimate.value - truth.value)
    error = np.std(fresh, ddof=1) / math.sqrt(len(fresh))
    assert abs(np.mean(fresh)) < 3.0 * error
    assert np.mean(flattered) > 3.0 * np.std(flattered, ddof=1) / math.sqrt(len(flattered))


def test_the_distance_from_the_least_possible_is_that_of_the_instance_found():
    found = sa.worst_case(sa.MOSS(n_arms=2, horizon=400), "regret", runs=50, steps=2, search_runs=10, seed=1)
    least = sa.theory.least_regret(found.simulation.instability.value, n_arms=2, horizon=400)
    assert found.times_least_regret.value == pytest.approx(found.estimate.value / least)
    assert found.to_dict()["times_least_regret"]["value"] == found.times_least_regret.value


def test_a_name_stands_for_a_policy_of_the_usual_size():
    found = sa.worst_case("MOSS", runs=10, gaps=2, steps=0, search_runs=2)
    assert found.study.policy == sa.MOSS(n_arms=ARMS, horizon=WORST_CASE_HORIZON)
    with pytest.raises(InvalidInput, match="a policy's name must be one of"):
        sa.worst_case("Nobody")
