"""SMPyBandits, as its very_simple_configuration.py says: a configuration, an Evaluator.

The argument is the policy; UCB is mean + √(2 ln t / n), and Thompson sampling plays 0 and 1.
"""

import sys

from instance import CHANCES, MEANS, report
from SMPyBandits.Arms import Bernoulli, UnboundedGaussian
from SMPyBandits.Environment import Evaluator
from SMPyBandits.Policies import MOSS, UCB, Thompson

GAUSSIAN = {"arm_type": UnboundedGaussian, "params": [(mean, 1.0) for mean in MEANS]}
COINS = {"arm_type": Bernoulli, "params": list(CHANCES)}
POLICY, ARMS = {"UCB1": (UCB, GAUSSIAN), "MOSS": (MOSS, GAUSSIAN), "Thompson": (Thompson, COINS)}[sys.argv[1]]


def play(rounds):
    evaluation = Evaluator(
        {
            "horizon": rounds,
            "repetitions": 1,
            "n_jobs": 1,
            "verbosity": 0,
            "environment": [ARMS],
            "policies": [{"archtype": POLICY, "params": {}}],
        }
    )
    evaluation.startAllEnv()


report(play)
