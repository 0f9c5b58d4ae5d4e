"""The search: more of it never finds less, and predictions lead where they are trusted."""

from tests.study.worst_case.test_study import quick

import steadyarm as sa


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
