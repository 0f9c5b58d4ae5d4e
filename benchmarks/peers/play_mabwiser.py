"""MABWiser, as its README says: fit, predict, then partial_fit. UCB1 with alpha = 1 is mean + √(2 ln t / n)."""

from instance import ARMS, drawn_rewards, report
from mabwiser.mab import MAB, LearningPolicy

rewards = drawn_rewards()


def play(rounds):
    mab = MAB(list(ARMS), LearningPolicy.UCB1(alpha=1.0), seed=1)
    mab.fit(list(ARMS), [rewards[arm][0] for arm in ARMS])
    for number in range(len(ARMS), rounds):
        arm = mab.predict()
        mab.partial_fit([arm], [rewards[arm][number]])


report(play)
