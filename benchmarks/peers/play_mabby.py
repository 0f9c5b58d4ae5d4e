"""mabby, as its README says: a bandit, a strategy, a simulation.

The argument is the policy; UCB1 with alpha = √2 is mean + √(2 ln t / n).
"""

import math
import sys

import mabby
from instance import ARMS, CHANCES, MEANS, report

if sys.argv[1] == "Thompson":
    bandit = mabby.BernoulliArm.bandit(p=list(CHANCES))
    strategy = mabby.strategies.BetaTSStrategy()
else:
    bandit = mabby.GaussianArm.bandit(loc=list(MEANS), scale=[1.0 for _ in ARMS])
    strategy = mabby.strategies.UCB1Strategy(alpha=math.sqrt(2.0))
simulation = mabby.Simulation(bandit=bandit, strategies=[strategy], seed=1)

report(lambda rounds: simulation.run(trials=1, steps=rounds))
