"""PyMAB 2, as its README says: an experiment; the backend is the first argument. c = 2 is mean + √(2 ln t / n)."""

import sys

import numpy as np
from instance import MEANS, report
from pymab import BanditEnvironment, Experiment, ExperimentConfig
from pymab.policies import UCBPolicy


def play(rounds):
    Experiment(
        environment=BanditEnvironment(means=np.array(MEANS)),
        policies={"ucb": UCBPolicy(n_arms=len(MEANS), c=2.0)},
        config=ExperimentConfig(horizon=rounds, n_replicates=1, seed=1, backend=sys.argv[1]),
    ).run()


report(play)
