"""`worst_case`: the instance of a policy's class on which it loses most, or is the least steady."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

from steadyarm.defaults import ARMS, LEVEL, RUNS, SEARCH_RUNS, SEARCH_STEPS, WORST_CASE_HORIZON
from steadyarm.engines.choice import cheapest_engine
from steadyarm.engines.progress import Report
from steadyarm.engines.result import Simulation
from steadyarm.errors import InvalidInput, InvalidType
from steadyarm.model import checks
from steadyarm.model.instance import Instance
from steadyarm.policies.core.policy import Policy
from steadyarm.policies.registry import make_policy
from steadyarm.study.runs.laboratory import Laboratory
from steadyarm.study.shape import Study, StudyResult
from steadyarm.study.worst_case.evaluator import QUANTITIES, Meter, PolicyEvaluator
from steadyarm.study.worst_case.search import Search, closest, search_worst_instance
from steadyarm.study.worst_case.space import FAMILIES, REWARDS, Point, space_of
from steadyarm.theory.estimates import Estimate
from steadyarm.words import amount

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from steadyarm.study.plotting.figure import Size

LOWER_ESTIMATE = (
    "A lower estimate of the supremum over the class: the worst instance that was found, measured on rewards "
    "that the search did not see."
)

_OTHER_SEED = 0x9E3779B97F4A7C15  # the search plays on rewards of its own


@dataclass(frozen=True, kw_only=True)
class WorstCaseStudy(Study["WorstCase"]):
    """A search for a worst case before it is run; see `worst_case`."""

    kind: ClassVar[str] = "worst-case"

    policy: Policy
    of: str = "regret"
    families: tuple[str, ...] = tuple(FAMILIES)
    gaps: int = 12
    steps: int = SEARCH_STEPS
    search_runs: int = SEARCH_RUNS
    mean_bound: float | None = None
    rewards: str | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        checks.instance_of(self.policy, Policy, "policy")
        checks.one_of(self.of, "of", QUANTITIES)
        self._settle(
            gaps=checks.integer(self.gaps, "gaps", at_least=2),
            steps=checks.integer(self.steps, "steps", at_least=0),
            search_runs=checks.integer(self.search_runs, "search_runs", at_least=2),
        )
        if self.rewards is not None:
            checks.one_of(self.rewards, "rewards", REWARDS)
        self._settle(families=_families(self.families))

    @property
    def title(self) -> str:
        """A few words for the progress bar."""
        return f"the worst {self.of} of {self.policy.title}"

    def parameters_asked(self) -> dict[str, Any]:
        """Return the policy, its class and how hard to look."""
        space = space_of(self.policy, self.mean_bound, self.rewards)
        return {
            "policy": self.policy.to_dict(),
            "of": self.of,
            "families": list(self.families),
            "gaps": self.gaps,
            "steps": self.steps,
            "search_runs": self.search_runs,
            "low": space.low,
            "high": space.high,
            "noise_scale": space.noise_scale,
            "rewards": space.rewards,
        }

    def measure(self, runs: int, laboratory: Laboratory, report: Report) -> WorstCase:
        """Search, then measure what was found on rewards that the search did not see."""
        space = space_of(self.policy, self.mean_bound, self.rewards)
        search = Search(self.families, self.gaps, self.steps, self.search_runs, search_seed(self.seed))
        each = cheapest_engine(self.policy, space.instance(Point((0.0,) * space.n_arms)))[1]
        tries = len(self.families) * self.gaps + self.steps
        meter = Meter(report, each * (tries * self.search_runs + runs))
        evaluator = PolicyEvaluator(self.policy, space, laboratory, self.level, meter)
        worst, rows = search_worst_instance(evaluator, self.of, search)
        simulation = evaluator.simulate(worst.point, runs=runs, seed=self.seed)
        fresh = {
            "stage": "fresh",
            "family": worst.row["family"],
            "how": "measured",
            "runs": runs,
            "gap": closest(worst.point),
            self.of: getattr(simulation, self.of).value,
            "means": list(simulation.instance.means),
        }
        return WorstCase(self, runs, simulation, (*rows, fresh))


@dataclass(frozen=True, eq=False)
class WorstCase(StudyResult[WorstCaseStudy]):
    """The worst instance that was found.

    Attributes:
        study: what was asked.
        runs: of the final measurement.
        simulation: the runs of the policy on it, on rewards that the search did not see;
            `simulate(policy, instance, runs=…, seed=…, engine=…)` gives the same.
        rows: what was tried, in order.
    """

    file: ClassVar[str] = "worst_case"

    simulation: Simulation
    rows: tuple[dict[str, Any], ...]

    @property
    def instance(self) -> Instance:
        """The instance."""
        return self.simulation.instance

    @property
    def estimate(self) -> Estimate:
        """Its regret or instability: a lower estimate of the supremum over the class."""
        found: Estimate = getattr(self.simulation, self.study.of)
        return found

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader has to know about these numbers, in plain sentences."""
        return (LOWER_ESTIMATE, self._limit_in_words, *self.simulation.notes)

    @cached_property
    def least(self) -> dict[str, float]:
        """What no policy can beat that is nowhere worse than what was found (Theorem 1′), by its name.

        The least instability at this worst-case regret, or the least regret at this worst-case instability. What was
        found is a lower estimate, so this says nothing of the policy itself: `frontier` looks for both its worst cases.
        """
        study = self.study
        limit = space_of(study.policy, study.mean_bound, study.rewards).limit(study.policy.horizon)
        if study.of == "regret":
            return {"least_instability": limit.least_instability(self.estimate.value)}
        return {"least_regret": limit.least_regret(self.estimate.value)}

    @cached_property
    def times_least_regret(self) -> Estimate:
        """The regret on this instance over the least worst-case regret of any policy that nowhere spreads by more.

        What this instance loses and spreads is no more than the worst ones do, so it is a lower estimate of what
        `frontier` looks for.
        """
        study = self.study
        limit = space_of(study.policy, study.mean_bound, study.rewards).limit(study.policy.horizon)
        return limit.times_least_regret(self.simulation.regret, self.simulation.instability)

    @property
    def _limit_in_words(self) -> str:
        (least,) = self.least.values()
        if self.study.of == "instability":
            return (
                f"Every policy whose counts never spread by more than {amount(self.estimate.value)} in the class "
                f"loses {amount(least)} or more on some instance of it (Theorem 1′)."
            )
        if not math.isfinite(least):
            return (
                "No policy loses so little everywhere in the class (Theorem 1′): there are worse instances."
            )
        return (
            f"Every policy that never loses more than {amount(self.estimate.value)} in the class has a count that "
            f"spreads by {amount(least)} or more on some instance of it (Theorem 1′)."
        )

    @cached_property
    def tried(self) -> pd.DataFrame:
        """What was tried, one row for each instance.

        `stage` is "family" (a grid of gaps), "walk" (one mean or several changed), "shortlist" (the best,
        measured again) or "fresh" (the one that was found, on fresh rewards); `gap` is the smallest of a worse
        arm; `how` says whether the value was predicted or measured.
        """
        import pandas as pd

        columns = ["stage", "family", "gap", "how", "runs", self.study.of, "means"]
        return pd.DataFrame(list(self.rows), columns=columns)

    def tables(self) -> dict[str, pd.DataFrame]:
        """Return what was tried."""
        return {"tried": self.tried}

    def main_table(self) -> pd.DataFrame:
        """Return what was found: the policy, the worst value with its interval, and the means of the instance."""
        import pandas as pd

        policy, of, found = self.study.policy, self.study.of, self.estimate
        row = {"policy": policy.title, **found.columns(of), "means": list(self.instance.means)}
        return pd.DataFrame([row])

    def findings(self) -> dict[str, Any]:
        """Return the instance and its estimate."""
        return {
            "engine": self.simulation.engine,
            "instance": self.instance.to_dict(),
            "estimate": self.estimate.to_dict(),
            **{name: value if math.isfinite(value) else None for name, value in self.least.items()},
            "times_least_regret": self.times_least_regret.to_dict(),
            "tried": len(self.rows),
            "note": LOWER_ESTIMATE,
        }

    def plot(self, ax: Axes | None = None, size: Size | None = None) -> Figure:
        """Draw what was tried: the value at each gap of each family, and what was found."""
        from steadyarm.study.worst_case.picture import draw

        return draw(self, ax, size)


def worst_case(
    policy: str | Policy,
    of: str = "regret",
    *,
    runs: int = RUNS,
    seed: int = 0,
    families: Sequence[str] = tuple(FAMILIES),
    gaps: int = 12,
    steps: int = SEARCH_STEPS,
    search_runs: int = SEARCH_RUNS,
    mean_bound: float | None = None,
    rewards: str | None = None,
    level: float = LEVEL,
    laboratory: Laboratory | None = None,
    progress: bool | Report | None = None,
) -> WorstCase:
    """Find the instance of a policy's class with the largest regret, or instability.

    Families of instances on a grid of gaps come first, then a walk over all the means from the best of them.
    Where the fluid prediction is trusted it leads, and its best candidates are measured; elsewhere all is
    measured. What was found is measured again on rewards that the search did not see, so the search cannot
    flatter itself. The result is a lower estimate: a worse instance may exist.

    Args:
        policy: whose worst case; a name stands for two arms and 10,000 rounds.
        of: "regret" or "instability".
        runs: of the final measurement.
        seed: names the reward table of the final measurement; the search has its own.
        families: where to begin, out of equal_gap, one_worse, half_worse, two_best, duel and ladder.
        gaps: how many gaps of each family are measured.
        steps: how many instances the walk may measure; 0 stays with the families.
        search_runs: of each measurement on the way.
        mean_bound: M; the policy's unless given, 1 for policies without.
        rewards: "gaussian" or "bernoulli"; Gaussian unless the policy cannot take it.
        level: the confidence level of the intervals.
        laboratory: where simulations are run.
        progress: True or False for a bar, a function of the finished share, or None: a bar on a terminal.

    >>> import steadyarm as sa
    >>> found = worst_case(sa.SLEUCB(n_arms=2, horizon=10**6, constants="sharp"), runs=100)
    >>> found.estimate.value > sa.simulate(found.study.policy, sa.equal_gap(2, 0.2), runs=100).regret.value
    True
    >>> sorted(set(found.tried["stage"]))
    ['family', 'fresh', 'shortlist', 'walk']
    """
    if isinstance(policy, str):
        policy = make_policy(policy, n_arms=ARMS, horizon=WORST_CASE_HORIZON, mean_bound=mean_bound)
    study = WorstCaseStudy(
        policy=policy,
        of=of,
        families=families,  # type: ignore[arg-type]
        gaps=gaps,
        steps=steps,
        search_runs=search_runs,
        mean_bound=mean_bound,
        rewards=rewards,
        seed=seed,
        level=level,
    )
    return study.run(runs=runs, laboratory=laboratory, progress=progress)


def search_seed(seed: int) -> int:
    """Return the seed of a search whose result is measured with another."""
    return (seed + _OTHER_SEED) % 2**64


def _families(families: object) -> tuple[str, ...]:
    if isinstance(families, str) or not isinstance(families, Sequence):
        raise InvalidType(f"families must be a list of names; got {families!r}.")
    if not families:
        raise InvalidInput(f"families must name at least one of {', '.join(FAMILIES)}; got none.")
    return tuple(dict.fromkeys(checks.one_of(name, "a family's name", tuple(FAMILIES)) for name in families))
