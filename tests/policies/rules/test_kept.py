"""What most indices need is kept when a reward comes, and follows from counts and totals."""

import numpy as np

import steadyarm as sa
from steadyarm.policies.rules.kept import KeepsMeans, keep_means


def test_mean_and_root_are_written_behind_the_first_places():
    state = np.full(8, 9.0)
    keep_means(None, 1, np.array([5, 4, 1]), np.array([1.0, 3.0, 0.0]), state)
    assert state.tolist() == [9.0, 9.0, 9.0, 0.75, 9.0, 9.0, 0.5, 9.0]


def test_what_is_kept_is_not_saved_and_derived_again():
    kinds = [kind for kind in sa.all_policies().values() if issubclass(kind, KeepsMeans)]
    assert kinds
    for kind in kinds:
        play = kind(n_arms=3, horizon=40).start(seed=1)
        for _ in range(12):
            play.tell(play.ask(), 0.3)
        saved = play.to_dict()
        assert len(saved["state"]) == play.policy.state_size
        again = sa.play_from_dict(saved)
        assert again._state.tolist() == play._state.tolist()
        assert play._state.size == play.policy.state_size + 6
