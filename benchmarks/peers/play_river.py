"""river, as the docstring of bandit.UCB says: pull, then update. delta = 1 is mean + √(2 ln t / n)."""

from instance import ARMS, drawn_rewards, report
from river import bandit

rewards = drawn_rewards()


def play(rounds):
    policy = bandit.UCB(delta=1, seed=1)
    for number in range(rounds):
        arm = policy.pull(ARMS)
        policy.update(arm, rewards[arm][number])


report(play)
