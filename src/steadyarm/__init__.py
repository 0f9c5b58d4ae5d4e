"""steadyarm: multi-armed bandits whose allocations you can reproduce.

The public names, loaded on first use so that `import steadyarm` is instant.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from steadyarm import live, theory
    from steadyarm.engines.choice import policy_rows
    from steadyarm.engines.exact.law import ExactLaw, exact
    from steadyarm.engines.result import Simulation
    from steadyarm.engines.simulate import simulate
    from steadyarm.errors import SteadyarmError
    from steadyarm.inference.differences import differences
    from steadyarm.inference.intervals import intervals
    from steadyarm.inference.probabilities import weighted_intervals
    from steadyarm.model import Instance, equal_arms, equal_gap, ladder, one_better, reward_table
    from steadyarm.model.drift import Drift
    from steadyarm.model.feedback import Delay
    from steadyarm.planning.baseline.situation_plan import SituationPlan
    from steadyarm.planning.make_plan import plan
    from steadyarm.planning.plan import Plan
    from steadyarm.policies import (
        SLEUCB,
        Mixed,
        Padded,
        Play,
        Policy,
        Quotas,
        all_policies,
        play_from_dict,
        policy_from_dict,
    )
    from steadyarm.study.adversary import adversary
    from steadyarm.study.bench.study import bench
    from steadyarm.study.compare.study import Comparison, compare
    from steadyarm.study.coverage.study import coverage
    from steadyarm.study.frontier.study import frontier
    from steadyarm.study.influence import efron_stein, influence, most_influential
    from steadyarm.study.path import RunPath, path
    from steadyarm.study.plotting.allocations import plot_counts
    from steadyarm.study.plotting.over_time import plot_over_time
    from steadyarm.study.plotting.plan import plot_plan
    from steadyarm.study.repetitions import plot_paths
    from steadyarm.study.runs.laboratory import Laboratory
    from steadyarm.study.scaling.study import scaling
    from steadyarm.study.trial.study import Trial, trial
    from steadyarm.study.verify.study import verify
    from steadyarm.study.worst_case.study import worst_case
    from steadyarm.theory import Estimate, Prediction, predict

__version__ = "0.1.0"

_HOME = {
    "SteadyarmError": "errors",
    "Delay": "model.feedback",
    "Drift": "model.drift",
    "Instance": "model",
    "equal_arms": "model",
    "equal_gap": "model",
    "ladder": "model",
    "one_better": "model",
    "reward_table": "model",
    "Play": "policies",
    "Policy": "policies",
    "SLEUCB": "policies",
    "all_policies": "policies",
    "play_from_dict": "policies",
    "policy_from_dict": "policies",
    "Mixed": "policies",
    "Padded": "policies",
    "Quotas": "policies",
    "Estimate": "theory",
    "Plan": "planning.plan",
    "Prediction": "theory",
    "SituationPlan": "planning.baseline.situation_plan",
    "differences": "inference.differences",
    "intervals": "inference.intervals",
    "plan": "planning.make_plan",
    "predict": "theory",
    "policy_rows": "engines.choice",
    "ExactLaw": "engines.exact.law",
    "exact": "engines.exact.law",
    "Simulation": "engines.result",
    "simulate": "engines.simulate",
    "Comparison": "study.compare.study",
    "Laboratory": "study.runs.laboratory",
    "adversary": "study.adversary",
    "bench": "study.bench.study",
    "compare": "study.compare.study",
    "coverage": "study.coverage.study",
    "efron_stein": "study.influence",
    "frontier": "study.frontier.study",
    "influence": "study.influence",
    "most_influential": "study.influence",
    "RunPath": "study.path",
    "path": "study.path",
    "plot_counts": "study.plotting.allocations",
    "plot_over_time": "study.plotting.over_time",
    "plot_paths": "study.repetitions",
    "plot_plan": "study.plotting.plan",
    "scaling": "study.scaling.study",
    "Trial": "study.trial.study",
    "trial": "study.trial.study",
    "verify": "study.verify.study",
    "weighted_intervals": "inference.probabilities",
    "worst_case": "study.worst_case.study",
}
_MODULES = ("errors", "live", "testing", "theory")

__all__ = [
    "SLEUCB",
    "Comparison",
    "Delay",
    "Drift",
    "Estimate",
    "ExactLaw",
    "Instance",
    "Laboratory",
    "Mixed",
    "Padded",
    "Plan",
    "Play",
    "Policy",
    "Prediction",
    "Quotas",
    "RunPath",
    "Simulation",
    "SituationPlan",
    "SteadyarmError",
    "Trial",
    "adversary",
    "all_policies",
    "bench",
    "compare",
    "coverage",
    "differences",
    "efron_stein",
    "equal_arms",
    "equal_gap",
    "exact",
    "frontier",
    "influence",
    "intervals",
    "ladder",
    "live",
    "most_influential",
    "one_better",
    "path",
    "plan",
    "play_from_dict",
    "plot_counts",
    "plot_over_time",
    "plot_paths",
    "plot_plan",
    "policy_from_dict",
    "policy_rows",
    "predict",
    "reward_table",
    "scaling",
    "simulate",
    "theory",
    "trial",
    "verify",
    "weighted_intervals",
    "worst_case",
]


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        return import_module(f"steadyarm.{name}")
    if name in _HOME:
        value = getattr(import_module(f"steadyarm.{_HOME[name]}"), name)
    elif name in _registry():
        value = _registry()[name]
    else:
        raise AttributeError(f"module 'steadyarm' has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__, *_registry()})


def _registry() -> dict[str, Any]:
    """The policies by name: `sa.MOSS` and so on."""
    policies: dict[str, Any] = import_module("steadyarm.policies").all_policies()
    return policies
