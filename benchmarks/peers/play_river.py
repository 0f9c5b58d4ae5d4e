"""river, as the docstrings of bandit.UCB and bandit.ThompsonSampling say: pull, then update.

The argument is the policy; delta = 1 is mean + √(2 ln t / n).
"""

import sys

from instance import ARMS, drawn_coins, drawn_rewards, report
from river import bandit, proba

THOMPSON = sys.argv[1] == "Thompson"
rewards = drawn_coins() if THOMPSON else drawn_rewards()


def play(rounds):
    policy = (
        bandit.ThompsonSampling(reward_obj=proba.Beta(), seed=1) if THOMPSON else bandit.UCB(delta=1, seed=1)
    )
    for number in range(rounds):
        arm = policy.pull(ARMS)
        policy.update(arm, rewards[arm][number])


report(play)
