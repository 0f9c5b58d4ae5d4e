"""What a user gives: a play, or counts and sums, checked."""

import math

import pytest
from tests.inference.test_intervals import played

import steadyarm as sa
from steadyarm.errors import InvalidInput, InvalidType, NotSupported


def test_the_noise_scale_is_the_policys_unless_it_is_given():
    play, _ = played(sa.UCB1(n_arms=2, horizon=50, noise_scale=2.0), 20)
    own, half = (sa.intervals(play, method="wald", noise_scale=scale)[0] for scale in (None, 1.0))
    assert own.high - own.value == pytest.approx(2.0 * (half.high - half.value))


def test_plays_of_every_kind_keep_their_rewards():
    for policy in (sa.RoundRobin(n_arms=2, horizon=50), sa.Padded(sa.SLEUCB(n_arms=4, horizon=50))):
        play, table = played(policy, 20)
        means = [estimate.value for estimate in sa.intervals(play)]
        assert means == pytest.approx([table[arm, : play.counts[arm]].mean() for arm in range(2)])


def test_a_play_saved_without_moments_opens_but_gives_no_intervals():
    play, _ = played(sa.MOSS(n_arms=2, horizon=50), 20)
    state = play.to_dict()
    del state["moments"]
    again = sa.play_from_dict(state)
    again.tell(again.ask(), 0.5)
    assert "moments" not in again.to_dict()
    with pytest.raises(NotSupported, match="did not keep their rewards"):
        sa.intervals(again)


@pytest.mark.parametrize(
    ("arguments", "error", "words"),
    [
        ({}, InvalidInput, "give a play, or counts= together with sums="),
        ({"counts": [3]}, InvalidInput, "counts= together with sums="),
        ({"counts": [3, 4], "sums": [1.0]}, InvalidInput, "one number for each arm; got 2 and 1"),
        ({"counts": [3, -4], "sums": [1.0, 1.0]}, InvalidInput, r"counts\[1\] must be at least 0; got -4"),
        ({"counts": [2.5], "sums": [1.0]}, InvalidInput, r"counts\[0\] must be a whole number; got 2.5"),
        ({"counts": "34", "sums": [1.0, 1.0]}, InvalidType, "counts must be a flat list"),
        ({"counts": [], "sums": []}, InvalidInput, "one for each arm"),
        ({"counts": [3], "sums": [math.nan]}, InvalidInput, r"sums\[0\] must be finite"),
        (
            {"counts": [3], "sums": [1.0], "method": "best"},
            InvalidInput,
            "method must be one of 'auto', 'wald'",
        ),
        ({"counts": [3], "sums": [1.0], "level": 1.0}, InvalidInput, "level must be below 1"),
        ({"counts": [10**19], "sums": [1.0]}, InvalidInput, r"counts\[0\] must be at most"),
        (
            {"counts": [10], "sums": [30.0], "squares": [1.0]},
            InvalidInput,
            "add up to 90 or more; got 1.0 for arm 0",
        ),
        ({"counts": [3], "sums": [1.0], "noise_scale": 0}, InvalidInput, "noise_scale must be positive"),
        (
            {"counts": [3], "sums": [1.0], "noise_scale": [1, 2]},
            InvalidInput,
            "one for each of the 1 arms; got 2",
        ),
        ({"counts": [3], "sums": [1.0], "optimal_at": 0}, InvalidInput, "optimal_at must be positive"),
    ],
)
def test_bad_arguments_are_refused(arguments, error, words):
    with pytest.raises(error, match=words):
        sa.intervals(**arguments)


def test_a_play_and_counts_are_one_too_many():
    play = sa.SLEUCB(n_arms=2, horizon=50).start()
    with pytest.raises(InvalidInput, match="got both"):
        sa.intervals(play, counts=[1, 2], sums=[1.0, 2.0])
    with pytest.raises(InvalidInput, match="got counts twice"):
        sa.intervals([1, 2], counts=[1, 2], sums=[1.0, 2.0])
