"""What policies share that follow another one: its class, its refusals, and a play inside the play."""

import pytest

import steadyarm as sa
from steadyarm.errors import InvalidInput, InvalidType, NotSupported, OutsideClass

FOLLOWERS = {
    "mixed": lambda policy: sa.Mixed(policy, 0.2),
    "quotas": lambda policy: sa.Quotas(policy, at_least=[0.1, 0.0, 0.0]),
}

every_follower = pytest.mark.parametrize("follow", FOLLOWERS.values(), ids=FOLLOWERS)


@every_follower
def test_it_is_built_for_the_arms_and_the_class_of_the_policy_inside(follow):
    inner = sa.SLEUCB(n_arms=3, horizon=50, mean_bound=2.0, noise_scale=0.5)
    policy = follow(inner)
    assert (policy.n_arms, policy.horizon, policy.noise_scale, policy.class_bound) == (3, 50, 0.5, 2.0)
    with pytest.raises(OutsideClass):
        policy.check_instance(sa.Instance.gaussian([3.0, 0.0, 0.0], 0.5))
    policy.check_instance(sa.Instance.gaussian([3.0, 0.0, 0.0], 0.5), outside_class=True)


@every_follower
def test_the_policy_inside_hears_every_pull_and_every_reward(follow):
    play = follow(sa.MOSS(n_arms=3, horizon=60)).start(seed=2)
    for _ in range(60):
        arm = play.ask()
        play.tell(arm, 0.1 * arm)
    assert play.inner.counts.tolist() == play.counts.tolist()
    assert play.inner.observed.tolist() == play.observed.tolist()
    assert play.indices.tolist() == play.inner.indices.tolist()


@every_follower
def test_a_saved_play_holds_the_one_inside_or_is_refused(follow):
    play = follow(sa.MOSS(n_arms=3, horizon=60)).start(seed=2)
    for _ in range(20):
        play.tell(play.ask(), 0.5)
    saved = play.to_dict()
    again = sa.play_from_dict(saved)
    assert [again.ask() for _ in range(40)] == [play.ask() for _ in range(40)]
    del saved["inner"]
    with pytest.raises(InvalidInput, match="must have 'inner' as a dict; got None"):
        sa.play_from_dict(saved)


@every_follower
def test_a_policy_that_must_choose_every_pull_and_what_is_no_policy_are_refused(follow):
    with pytest.raises(NotSupported, match="learns only from pulls that it chose itself, and"):
        follow(sa.Exp3(n_arms=3, horizon=50))
    with pytest.raises(NotSupported, match="learns only from pulls that it chose itself, and"):
        follow(sa.Mixed(sa.MOSS(n_arms=3, horizon=50), 0.1))
    with pytest.raises(InvalidType, match="policy must be a steadyarm Policy; got 'MOSS'"):
        follow("MOSS")
