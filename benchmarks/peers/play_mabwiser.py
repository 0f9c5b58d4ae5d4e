"""MABWiser, as its README says: fit, predict, then partial_fit.

The argument is the policy; UCB1 with alpha = 1 is mean + √(2 ln t / n).
"""

import sys

from instance import ARMS, drawn_coins, drawn_rewards, report
from mabwiser.mab import MAB, LearningPolicy

THOMPSON = sys.argv[1] == "Thompson"
rewards = drawn_coins() if THOMPSON else drawn_rewards()


def play(rounds):
    policy = LearningPolicy.ThompsonSampling() if THOMPSON else LearningPolicy.UCB1(alpha=1.0)
    mab = MAB(list(ARMS), policy, seed=1)
    mab.fit(list(ARMS), [rewards[arm][0] for arm in ARMS])
    for number in range(len(ARMS), rounds):
        arm = mab.predict()
        mab.partial_fit([arm], [rewards[arm][number]])


report(play)
