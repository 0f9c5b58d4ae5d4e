"""One policy on many instances: each measured once, by the cheapest engine."""

from tests.study.worst_case.test_study import Notebook, quick

import steadyarm as sa
from steadyarm.engines.choice import cheapest_engine
from steadyarm.study.runs.laboratory import Laboratory
from steadyarm.study.worst_case.evaluator import Meter, PolicyEvaluator
from steadyarm.study.worst_case.space import Point, space_of
from steadyarm.study.worst_case.study import search_seed


def test_what_is_found_is_measured_on_rewards_that_the_search_did_not_see():
    book = Notebook()
    found = quick(sa.MOSS(n_arms=3, horizon=300), laboratory=book, seed=7)
    *search, last = book.asked
    assert {seed for _, _, _, seed, _ in search} == {search_seed(7)}
    assert last[1:4] == (found.instance, 40, 7)
    again = sa.simulate(found.study.policy, found.instance, runs=40, seed=7, engine=found.simulation.engine)
    assert again.regret == found.estimate


def test_the_cheapest_engine_is_one_that_can_play():
    for name, kind in sa.all_policies().items():
        policy = kind(n_arms=2, horizon=10**5)
        instance = space_of(policy).instance(Point((0.0, 0.0)))
        engine, seconds = cheapest_engine(policy, instance)
        assert sa.simulate(policy.replace(horizon=50), instance, runs=1, engine=engine).runs == 1, name
        assert seconds > 0.0
    assert cheapest_engine(sa.Padded(sa.MOSS(n_arms=3, horizon=50)), sa.equal_arms(2))[0] == "reference"


def test_a_point_is_measured_once_for_each_seed_and_horizon():
    policy, book = sa.MOSS(n_arms=3, horizon=300), Notebook()
    shares = []
    evaluator = PolicyEvaluator(policy, space_of(policy), book, 0.95, Meter(shares.append, 1e-3))
    point = Point((0.0, 0.2, 0.2))
    first = evaluator.measure(point, runs=10, seed=1)
    assert evaluator.measure(point, runs=10, seed=1) is first
    assert len(book.asked) == 1
    evaluator.measure(point, runs=10, seed=2)
    evaluator.measure(point, runs=10, seed=1, horizon=100)
    assert [(asked[0].horizon, asked[3]) for asked in book.asked] == [(300, 1), (300, 2), (100, 1)]
    assert shares == sorted(shares)
    assert shares[-1] <= 1.0


def test_a_policy_without_a_prediction_trusts_none():
    for policy, trusted in (
        (sa.UCB1(n_arms=2, horizon=100), False),
        (sa.SLEUCB(n_arms=2, horizon=10**8), True),
    ):
        evaluator = PolicyEvaluator(
            policy, space_of(policy), Laboratory(), 0.95, Meter(lambda _share: None, 1.0)
        )
        assert evaluator.trusts_predictions([Point((0.0, 0.0))]) is trusted


def test_a_meter_adds_up_and_never_says_more_than_all():
    shares = []
    meter = Meter(shares.append, 10.0)
    part = meter.part(4.0)
    part(0.5)
    meter.add(4.0)
    meter.part(4.0)(1.0)
    meter.add(40.0)
    assert shares == [0.2, 0.4, 0.8, 1.0]
