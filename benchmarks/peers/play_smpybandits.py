"""SMPyBandits, as its very_simple_configuration.py says: a configuration, an Evaluator. UCB: mean + √(2 ln t / n)."""

from instance import MEANS, report
from SMPyBandits.Arms import UnboundedGaussian
from SMPyBandits.Environment import Evaluator
from SMPyBandits.Policies import UCB


def play(rounds):
    evaluation = Evaluator(
        {
            "horizon": rounds,
            "repetitions": 1,
            "n_jobs": 1,
            "verbosity": 0,
            "environment": [{"arm_type": UnboundedGaussian, "params": [(mean, 1.0) for mean in MEANS]}],
            "policies": [{"archtype": UCB, "params": {}}],
        }
    )
    evaluation.startAllEnv()


report(play)
