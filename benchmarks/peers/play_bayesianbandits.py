"""bayesianbandits, as its README and the docstring of Agent say: pull, then update. Bayesian UCB, alpha = 0.84."""

import numpy as np
from bayesianbandits import Agent, Arm, NormalInverseGammaRegressor, UpperConfidenceBound
from instance import ARMS, drawn_rewards, report

rewards = drawn_rewards()


def play(rounds):
    arms = [Arm(arm, learner=NormalInverseGammaRegressor()) for arm in ARMS]
    agent = Agent(arms, UpperConfidenceBound(alpha=0.84), random_seed=1)
    for number in range(rounds):
        [arm] = agent.pull()
        agent.update(np.array([rewards[arm][number]]))


report(play)
