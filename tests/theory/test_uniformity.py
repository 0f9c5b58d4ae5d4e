"""An allocation that hardly adapts is called nearly uniform, with the number, wherever SLE-UCB is shown."""

import pytest

import steadyarm as sa
from steadyarm.theory.uniformity import NEARLY_UNIFORM, is_nearly_uniform, share_of_uniform, uniformity_note

PAPER = sa.SLEUCB(n_arms=2, horizon=10_000)
ADAPTS = sa.SLEUCB(n_arms=2, horizon=10**6, constants="sharp")


@pytest.mark.parametrize(
    "policy",
    [
        PAPER,
        PAPER.replace(constants="sharp"),
        sa.SLEUCB(n_arms=10, horizon=5000, constants="sharp", alpha=2.0),
        sa.SLEUCB(n_arms=3, horizon=2000, mean_bound=10.0, noise_scale=0.1),  # clipped below 2M
        sa.SLEUCB(n_arms=3, horizon=2000, beta=30.0),
    ],
)
def test_the_predicted_share_of_what_equal_shares_lose_is_that_of_runs(policy):
    bound = policy.mean_bound
    apart = sa.Instance.gaussian([bound] + [-bound] * (policy.n_arms - 1), policy.noise_scale)
    played = sa.simulate(policy, apart, runs=100, seed=3).regret.value
    uniform = 2.0 * bound * policy.horizon * (policy.n_arms - 1) / policy.n_arms
    assert share_of_uniform(policy) == pytest.approx(played / uniform, rel=0.02)
    assert share_of_uniform(policy) == pytest.approx(sa.predict(policy, apart).regret / uniform, rel=1e-6)


def test_whoever_adapts_at_once_has_no_share():
    quick = sa.SLEUCB(n_arms=100, horizon=10**15, constants="sharp", noise_scale=1e-6, alpha=0.01)
    assert 0.0 <= share_of_uniform(quick) < 1e-5


def test_the_note_has_the_number_and_says_what_would_adapt():
    (note,) = uniformity_note(PAPER)
    assert "nearly uniform" in note
    assert f" {share_of_uniform(PAPER):.0%} of what equal shares lose" in note
    assert 'constants="sharp"' in note
    steep = ADAPTS.replace(alpha=200.0)
    assert "A smaller alpha" in uniformity_note(steep)[0]
    assert "A smaller beta" in uniformity_note(PAPER.replace(beta=1000.0))[0]
    assert uniformity_note(ADAPTS) == ()
    assert share_of_uniform(ADAPTS) < 0.1 < NEARLY_UNIFORM
    assert is_nearly_uniform(steep)


def notes_of_all_results(policy):
    """The notes of every result in which a policy is shown; its horizon and constants are all that matters."""
    instance, runs = sa.equal_gap(policy.n_arms, gap=0.1), {"runs": 10, "seed": 1}
    yield sa.theory.guarantee(policy).notes
    yield sa.simulate(policy, instance, **runs).notes
    yield sa.compare([policy, "MOSS"], instance, **runs).notes
    yield sa.coverage([policy], instance, **runs).notes
    yield sa.worst_case(policy, steps=0, gaps=2, search_runs=2, **runs).notes
    horizons, chosen = [policy.horizon, policy.horizon + 100], {"constants": policy.constants}
    yield sa.scaling(horizons=horizons, **chosen, **runs).notes


def test_every_result_says_so_with_the_number_and_none_where_it_adapts():
    # 2 runs and 10⁴ rounds: a check of words
    near, far = PAPER, PAPER.replace(constants="sharp")
    number = f"{share_of_uniform(near):.0%} of what equal shares lose"
    for notes in notes_of_all_results(near):
        assert sum("nearly uniform" in note and number in note for note in notes) == 1, notes
    for notes in notes_of_all_results(far):
        assert not any("nearly uniform" in note for note in notes), notes


def test_a_plan_says_so_too():
    steep, mild = (sa.plan(n_arms=2, horizon=10_000, alpha=alpha) for alpha in (200.0, 1.0))
    assert any("nearly uniform" in note for note in steep.guarantee.notes)
    assert not any("nearly uniform" in note for note in mild.guarantee.notes)
