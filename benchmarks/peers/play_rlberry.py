"""rlberry, as the docstring of IndexAgent says: an index function and fit. The index is mean + √(2 ln t / n)."""

import numpy as np
from instance import MEANS, report
from rlberry.agents.bandits import IndexAgent
from rlberry.envs.bandits import NormalBandit


def index(tracker):
    return [
        tracker.mu_hat(arm) + np.sqrt(2.0 * np.log(tracker.t) / tracker.n_pulls(arm)) for arm in tracker.arms
    ]


def play(rounds):
    IndexAgent(NormalBandit(means=np.array(MEANS)), index).fit(rounds)


report(play)
