"""Vowpal Wabbit, as its tutorial on contextual bandits says: predict, sample, learn, in its text format. ε-greedy."""

import random

from instance import ARMS, drawn_rewards, report
from vowpalwabbit import Workspace

rewards = drawn_rewards()


def play(rounds):
    generator = random.Random(1)
    workspace = Workspace(f"--cb_explore {len(ARMS)} --epsilon 0.1 --quiet")
    for number in range(rounds):
        chances = workspace.predict("| always")
        [arm] = generator.choices(ARMS, chances)
        workspace.learn(f"{arm + 1}:{-rewards[arm][number]}:{chances[arm]} | always")
    workspace.finish()


report(play)
