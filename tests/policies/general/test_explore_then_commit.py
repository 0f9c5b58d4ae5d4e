"""Explore-then-commit: turns, and then one arm."""

import steadyarm as sa


def test_explore_then_commit_keeps_its_choice_whatever_follows():
    play = sa.ExploreThenCommit(n_arms=3, horizon=60, exploration=4).start(priority=[2, 0, 1])
    arms = []
    for t in range(60):
        arms.append(play.ask())
        play.tell(arms[-1], float(arms[-1] == 1) if t < 12 else -100.0)
    assert arms == [1, 2, 0] * 4 + [1] * 48


def test_explore_then_commit_waits_for_late_rewards_and_still_takes_turns():
    play = sa.ExploreThenCommit(n_arms=2, horizon=60, exploration=3).start(priority=[0, 1])
    asked = [play.ask() for _ in range(8)]
    assert asked == [0, 1] * 4
    for arm in asked[:6]:
        play.tell(arm, float(arm))
    assert [play.ask() for _ in range(3)] == [1, 1, 1]
