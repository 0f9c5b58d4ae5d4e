"""The search for worst cases."""

import math
import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import steadyarm as sa
from steadyarm.engines.choice import cheapest_engine
from steadyarm.errors import InvalidInput, InvalidType, NotSupported
from steadyarm.study.runs.laboratory import Laboratory
from steadyarm.study.worst_case.space import FAMILIES, Point, family_points, neighbours, space_of
from steadyarm.study.worst_case.study import WorstCaseStudy, search_seed
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


def test_what_is_found_is_measured_on_rewards_that_the_search_did_not_see():
    book = Notebook()
    found = quick(sa.MOSS(n_arms=3, horizon=300), laboratory=book, seed=7)
    *search, last = book.asked
    assert {seed for _, _, _, seed, _ in search} == {search_seed(7)}
    assert last[1:4] == (found.instance, 40, 7)
    again = sa.simulate(found.study.policy, found.instance, runs=40, seed=7, engine=found.simulation.engine)
    assert again.regret == found.estimate


def test_the_same_question_asks_for_the_same_simulations():
    policy = sa.UCB1(n_arms=3, horizon=200)
    books = [Notebook(), Notebook()]
    found = [quick(policy, "instability", laboratory=book) for book in books]
    assert books[0].asked == books[1].asked
    assert found[0].estimate == found[1].estimate
    assert found[0].configuration() == found[1].configuration()
    assert found[0].configuration()["kind"] == "worst-case"
    assert "runs" not in found[0].configuration()


def test_what_was_tried_is_kept_and_contains_what_was_found():
    found = quick(sa.MOSS(n_arms=3, horizon=300))
    tried = found.tried
    assert list(tried.columns) == ["stage", "family", "gap", "how", "runs", "regret", "means"]
    assert tried["stage"].iloc[-1] == "fresh"
    before = tried[tried["stage"] != "fresh"]
    best = before.loc[before["regret"].idxmax()]
    assert tuple(best["means"]) == found.instance.means


def test_more_families_never_find_less_on_the_rewards_of_the_search():
    for policy in (sa.MOSS(n_arms=4, horizon=400), sa.UCB1(n_arms=4, horizon=200)):
        for of in ("regret", "instability"):
            one = quick(policy, of, families=["one_worse"], steps=0)
            more = quick(policy, of, steps=0)
            walked = quick(policy, of)

            def best(found, of=of):
                return found.tried.query("stage != 'fresh'")[of].max()

            assert best(one) <= best(more) <= best(walked)
            assert best(one) < best(walked)


def test_predictions_lead_where_they_are_trusted_and_measurements_elsewhere():
    steady = quick(sa.SLEUCB(n_arms=3, horizon=10**8, constants="sharp"))
    assert set(steady.tried.query("stage == 'family'")["how"]) == {"predicted"}
    flat = quick(sa.MOSS(n_arms=3, horizon=300))
    assert set(flat.tried["how"]) == {"measured"}


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


def test_means_bound_the_search():
    policy = sa.RoundRobin(n_arms=2, horizon=100)
    assert quick(policy, mean_bound=0.25).estimate.value == pytest.approx(25.0)
    assert quick(policy).estimate.value == pytest.approx(100.0)
    assert quick(policy, rewards="bernoulli").estimate.value == pytest.approx(50.0)


@given(
    n_arms=st.integers(2, 6),
    gap=st.floats(0.0, 2.0),
    family=st.sampled_from(sorted(FAMILIES)),
    factor=st.floats(1.05, 3.0),
    rewards=st.sampled_from(["gaussian", "bernoulli"]),
)
def test_all_points_and_their_neighbours_lie_in_the_class(n_arms, gap, family, factor, rewards):
    policy = sa.SLEUCB(n_arms=n_arms, horizon=100)
    space = space_of(policy, rewards=rewards)
    gaps = FAMILIES[family](n_arms, min(gap, space.widest), space.widest)
    points = [Point(tuple(gaps)), *neighbours(space, Point(tuple(gaps)), factor, 0.01)]
    for point in points:
        instance = space.instance(point)
        policy.check_instance(instance)
        assert min(point.gaps) == 0.0
        assert np.allclose(sorted(instance.gaps), sorted(point.gaps), atol=1e-12)


def test_no_instance_of_the_grid_stands_twice():
    space = space_of(sa.MOSS(n_arms=2, horizon=100))
    points = [point for _, _, point in family_points(space, tuple(FAMILIES), 5, 100)]
    assert len(set(points)) == len(points) == 6  # with two arms all families are one


def test_the_cheapest_engine_is_one_that_can_play():
    for name, kind in sa.all_policies().items():
        policy = kind(n_arms=2, horizon=10**5)
        instance = space_of(policy).instance(Point((0.0, 0.0)))
        engine, seconds = cheapest_engine(policy, instance)
        assert sa.simulate(policy.replace(horizon=50), instance, runs=1, engine=engine).runs == 1, name
        assert seconds > 0.0
    assert cheapest_engine(sa.Padded(sa.MOSS(n_arms=3, horizon=50)), sa.equal_arms(2))[0] == "reference"


def test_files_and_picture(tmp_path):
    found = quick(sa.MOSS(n_arms=3, horizon=300), "instability")
    names = {path.name for path in found.save(tmp_path)}
    assert names == {"tried.csv", "tried.parquet", "worst_case.json", "tried.png", "tried.svg", "tried.pdf"}
    assert "MOSS: the worst instability found" in found.plot().axes[0].get_title(loc="left")
    nothing = quick(sa.RoundRobin(n_arms=3, horizon=30), "instability")
    assert nothing.plot().axes


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
        ({"policy": "MOSS"}, InvalidType, "policy must be a steadyarm Policy"),
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


def test_a_family_has_one_name_in_table_picture_and_docs():
    found = sa.worst_case(sa.MOSS(n_arms=5, horizon=200), "instability", runs=10, gaps=4, search_runs=4)
    families = {row["family"] for row in found.rows if row["stage"] == "family"}
    assert families == {*FAMILIES, "equal_arms"}
    drawn = {
        text.get_text() for text in found.plot().axes[0].texts if not text.get_text().startswith("found")
    }
    assert drawn == set(FAMILIES)  # equal arms have no gap to stand at
    page = (Path(__file__).parents[3] / "docs" / "frontier.md").read_text(encoding="utf-8")
    assert families <= set(re.findall(r"`(\w+)`", page[page.index("## Worst cases") :]))


def test_the_distance_from_the_least_possible_is_that_of_the_instance_found():
    found = sa.worst_case(sa.MOSS(n_arms=2, horizon=400), "regret", runs=50, steps=2, search_runs=10, seed=1)
    least = sa.theory.least_regret(found.simulation.instability.value, n_arms=2, horizon=400)
    assert found.times_least_regret.value == pytest.approx(found.estimate.value / least)
    assert found.to_dict()["times_least_regret"]["value"] == found.times_least_regret.value
