"""A plan, checked by simulation: its policy on the two instances where it is expected to do worst."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from steadyarm.engines.progress import part, progress_bar
from steadyarm.engines.result import Simulation
from steadyarm.engines.simulate import simulate
from steadyarm.model import checks
from steadyarm.theory.estimates import FEWEST_FOR_AN_INTERVAL, Estimate
from steadyarm.words import counted

if TYPE_CHECKING:
    from steadyarm.planning.plan import Plan


@dataclass(frozen=True)
class PlanCheck:
    """The simulations of both worst instances."""

    costliest: Simulation
    unsteadiest: Simulation

    @property
    def regret(self) -> Estimate:
        """The regret on the instance that is expected to cost most."""
        return self.costliest.regret

    @property
    def instability(self) -> Estimate:
        """The instability on the instance that is expected to spread most."""
        return self.unsteadiest.instability

    @property
    def runs(self) -> int:
        """How many runs were played on each."""
        return self.costliest.runs

    @property
    def words(self) -> str:
        """What was measured how, for the line of a table."""
        rewards = "0/1" if self.costliest.instance.rewards == "bernoulli" else "Gaussian"
        return (
            f"measured, {counted(self.runs, 'run')} with {rewards} rewards, {self.regret.level:.0%} intervals"
        )

    def to_dict(self) -> dict[str, Any]:
        """Return both estimates as a plain dict, fit for JSON."""
        return {"regret": self.regret.to_dict(), "instability": self.instability.to_dict()}


def check_plan(
    plan: Plan, runs: int, seed: int, progress: bool | Callable[[float], None] | None
) -> PlanCheck:
    """Simulate both worst instances of a plan."""
    remedy = "A standard deviation of fewer has no interval."
    checks.integer(runs, "runs", at_least=FEWEST_FOR_AN_INTERVAL, remedy=remedy)
    instances = list(dict.fromkeys((plan.costliest, plan.unsteadiest)))  # often it is one
    with progress_bar(progress, f"{counted(runs, 'run')} of {plan.policy.horizon:,} rounds") as report:
        found = [
            simulate(
                plan.policy,
                instance,
                runs=runs,
                seed=seed,
                progress=part(report, place / len(instances), (place + 1) / len(instances)),
            )
            for place, instance in enumerate(instances)
        ]
    return PlanCheck(found[0], found[-1])
