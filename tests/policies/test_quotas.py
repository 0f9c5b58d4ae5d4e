"""Quotas of arms: kept in every prefix whatever is proposed, and the policy's choice wherever they allow it."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import steadyarm as sa
from steadyarm.errors import InvalidInput, NotSupported, PlayError
from steadyarm.policies.quotas import WHOLE, due_arm, is_open

INNER = {name: kind for name, kind in sa.all_policies().items() if not kind.own_pulls_only}


@st.composite
def quotas(draw):
    """Floors and caps in millionths, often ones that leave no room: floors or caps that add up to 1."""
    n_arms = draw(st.integers(2, 12))
    parts = [draw(st.integers(1, 1000)) for _ in range(n_arms)]
    exact = [part * WHOLE // sum(parts) for part in parts]
    exact[0] += WHOLE - sum(exact)
    kinds = [draw(st.sampled_from(["exactly", "at_least", "at_most", "free"])) for _ in range(n_arms)]
    floors = [
        share if kind in ("exactly", "at_least") else 0 for share, kind in zip(exact, kinds, strict=True)
    ]
    caps = [
        max(1, share) if kind in ("exactly", "at_most") else WHOLE
        for share, kind in zip(exact, kinds, strict=True)
    ]
    return floors, caps


def given_arms(floors, caps, proposals, follow=due_arm):
    """Yield the counts after every round; the fallback is the worst that a policy could name: the fullest arm."""
    counts, rank = [0] * len(floors), list(range(len(floors)))
    for turn, proposal in enumerate(proposals, start=1):
        arm = follow(turn, counts, floors, rank, proposal)
        if arm is None:
            arm = proposal
            if not is_open(turn, counts[arm], caps[arm]):
                fine = [each for each in rank if is_open(turn, counts[each], caps[each])]
                arm = max(fine, key=lambda each: counts[each])
        counts[arm] += 1
        yield turn, counts


def breaks(floors, caps, proposals, follow=due_arm):
    """Whether some prefix is not within the quotas."""
    return any(
        not floor * turn // WHOLE <= count <= -(-cap * turn // WHOLE)
        for turn, counts in given_arms(floors, caps, proposals, follow)
        for floor, cap, count in zip(floors, caps, counts, strict=True)
    )


@given(quotas(), st.data())
def test_every_prefix_keeps_every_quota_whatever_is_proposed(shares, data):
    floors, caps = shares
    pattern = data.draw(st.lists(st.integers(0, len(floors) - 1), min_size=1, max_size=30))
    proposals = (pattern * (300 // len(pattern) + 1))[:300]
    assert not breaks(floors, caps, proposals)


def test_the_most_behind_or_the_first_in_order_would_not_keep_them():
    floors, caps = [100_000] * 10, [WHOLE] * 10
    wild = np.random.default_rng(1).integers(0, 10, 1000).tolist()
    late = [700_000, 150_000, 149_000]

    def only_when_it_must(turn, counts, floors, rank, _):
        due = [arm for arm in rank if counts[arm] * WHOLE <= floors[arm] * turn - WHOLE]
        return max(due, key=lambda arm: floors[arm] * turn - counts[arm] * WHOLE, default=None)

    def first_in_order(turn, counts, floors, rank, _):
        return next((arm for arm in rank if counts[arm] * WHOLE < floors[arm] * turn), None)

    assert breaks(floors, caps, wild, only_when_it_must)
    assert breaks(late, [WHOLE] * 3, [0] * 1000, first_in_order)
    assert not breaks(floors, caps, wild)
    assert not breaks(late, [WHOLE] * 3, [0] * 1000)


@pytest.mark.parametrize("n_arms", [2, 50, 400])
def test_fixed_shares_of_many_arms_are_kept_to_one_pull(n_arms):
    shares = np.random.default_rng(n_arms).multinomial(WHOLE, np.ones(n_arms) / n_arms).tolist()
    assert not breaks(shares, [max(1, share) for share in shares], [0] * 1500)


@pytest.mark.parametrize("name", INNER)
def test_every_policy_keeps_quotas_of_all_three_kinds_and_goes_on_after_it_was_saved(name):
    inner = INNER[name](n_arms=4, horizon=120)
    policy = sa.Quotas(inner, at_least=[0.25, 0.1, 0, 0], at_most=[1, 0.1, 0.3, 1])
    assert sa.policy_from_dict(json.loads(json.dumps(policy.to_dict()))) == policy
    play, again = policy.start(seed=3), policy.start(seed=3)
    for turn in range(1, 121):
        arm = play.ask()
        again = sa.play_from_dict(json.loads(json.dumps(again.to_dict())))
        assert again.ask() == arm
        for each in (play, again):
            each.tell(arm, float(arm == 2))
        counts = play.counts
        assert counts[0] >= turn // 4
        assert turn // 10 <= counts[1] <= -(-turn // 10)
        assert counts[2] <= -(-3 * turn // 10)


def test_where_quotas_allow_it_the_policy_chooses():
    inner = sa.MOSS(n_arms=3, horizon=60)
    free, bound = inner.start(seed=1), sa.Quotas(inner).start(seed=1)
    for _ in range(60):
        arm = free.ask()
        assert bound.ask() == arm
        for play in (free, bound):
            play.tell(arm, float(arm))


def test_a_capped_arm_gives_way_to_the_next_best():
    inner = sa.MOSS(n_arms=3, horizon=900)
    counts = sa.simulate(
        sa.Quotas(inner, at_most=[1, 1, 0.4]), sa.Instance.gaussian([-1.0, 0.5, 0.9]), runs=3, seed=2
    ).counts
    assert (counts[:, 2] <= 360).all()
    assert (counts[:, 2] > 350).all()
    assert (counts[:, 1] > 480).all()


def test_what_goes_elsewhere_is_what_floors_and_a_cap_demand():
    policy = sa.Quotas(sa.MOSS(n_arms=3, horizon=1000), at_least=[0.2, 0.1, 0], at_most=[1, 1, 0.65])
    assert [policy.least_elsewhere(best) for best in range(3)] == [100, 200, 350]
    counts = sa.simulate(policy, sa.Instance.gaussian([-1.0, -1.0, 1.0]), runs=5, seed=1).counts
    assert (1000 - counts[:, 2]).min() == 350


@pytest.mark.parametrize(
    ("shares", "said"),
    [
        ({"at_least": [0.6, 0.5, 0]}, "floors must add up to 1 at most; these come to 1.1"),
        ({"at_least": [0.5, 0.5, 1e-6]}, "floors must add up to 1 at most; these come to 1.000001"),
        ({"at_most": [0.3, 0.3, 0.3]}, "caps must add up to 1 at least"),
        ({"at_least": [0.5, 0, 0], "at_most": [0.4, 1, 1]}, "arm 0 has 0.5 and 0.4"),
        ({"at_most": [0, 1, 1]}, "at_most must be positive; arm 0 has 0"),
        ({"at_least": [0.1]}, "a share for each of 3 arms; got 1"),
        ({"at_least": [1.5, 0, 0]}, "at most 1.0; got 1.5"),
        ({"at_least": [0.1234567, 0, 0]}, "six decimals at most; got 0.1234567"),
    ],
)
def test_quotas_that_contradict_each_other_are_refused_with_the_rule(shares, said):
    with pytest.raises(InvalidInput, match=said):
        sa.Quotas(sa.MOSS(n_arms=3, horizon=60), **shares)


def test_a_policy_that_learns_from_its_own_choices_only_takes_no_quotas():
    with pytest.raises(NotSupported, match="quotas choose some"):
        sa.Quotas(sa.all_policies()["Exp3"](n_arms=3, horizon=60), at_least=[0.1, 0, 0])


@pytest.mark.parametrize("name", INNER)
def test_a_retired_arm_is_never_given_again_and_its_late_rewards_still_count(name):
    play = INNER[name](n_arms=3, horizon=200).start(seed=5)
    for _ in range(30):
        play.tell(arm := play.ask(), float(arm == 1))
    gone = play.ask()  # with a pull outstanding
    play.retire(gone)
    play.retire(gone)
    before, told = play.counts[gone], play.observed[gone]
    again = sa.play_from_dict(json.loads(json.dumps(play.to_dict())))
    for _ in range(200 - play.round):
        arm = play.ask()
        assert arm == again.ask() != gone
        for each in (play, again):
            each.tell(arm, 0.0)
    play.tell(gone, 1.0)
    assert (play.counts[gone], play.observed[gone], play.retired) == (before, told + 1, (gone,))


def test_a_mix_draws_from_the_arms_that_stay_with_their_probability():
    play = sa.Mixed(sa.MOSS(n_arms=3, horizon=300), 0.4).start(seed=1)
    play.retire(0)
    seen = set()
    for _ in range(300):
        play.tell(arm := play.ask(), 0.0)
        seen.add((arm, play.probability))
    assert {arm for arm, _ in seen} == {1, 2}
    assert {probability for _, probability in seen} == {0.2, 0.2 + 0.6}


def test_quotas_go_on_for_the_arms_that_stay():
    policy = sa.Quotas(sa.MOSS(n_arms=3, horizon=400), at_least=[0.2, 0.3, 0], at_most=[0.5, 1, 1])
    play = policy.start(seed=1)
    for turn in range(1, 401):
        if turn == 100:
            play.retire(1)
        play.tell(arm := play.ask(), float(arm == 1))
        assert turn // 5 <= play.counts[0] <= -(-turn // 2)
        assert turn < 100 or arm != 1


def test_an_arm_that_cannot_be_spared_stays():
    capped = sa.Quotas(sa.MOSS(n_arms=3, horizon=60), at_most=[0.5, 0.4, 0.4]).start()
    with pytest.raises(InvalidInput, match=r"without this arm they come to 0\.8"):
        capped.retire(0)
    assert capped.retired == ()
    with pytest.raises(NotSupported, match="cannot go on without one"):
        sa.all_policies()["Exp3"](n_arms=3, horizon=60).start().retire(0)
    play = sa.MOSS(n_arms=2, horizon=60).start()
    play.retire(0)
    with pytest.raises(PlayError, match="one arm must stay"):
        play.retire(1)
