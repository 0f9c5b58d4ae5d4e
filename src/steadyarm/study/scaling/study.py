"""`scaling`: how worst-case regret and instability grow with the horizon and the number of arms."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from steadyarm.defaults import ARMS, LEVEL, SCALING_HORIZON, SCALING_PATIENCE, WORST_CASES_RUNS
from steadyarm.engines.progress import Report
from steadyarm.errors import InvalidInput, InvalidType, NotSupported
from steadyarm.model import checks
from steadyarm.policies.core.policy import Policy
from steadyarm.policies.own_history.sle_ucb import SLEUCB
from steadyarm.policies.registry import all_policies
from steadyarm.study.runs.laboratory import Laboratory
from steadyarm.study.runs.tables import plain_rows
from steadyarm.study.scaling.tables import tables
from steadyarm.study.shape import Study, StudyResult
from steadyarm.study.worst_case.budget import (
    Participant,
    curve_participant,
    rival_participant,
    too_expensive,
)
from steadyarm.study.worst_case.space import Space, space_of
from steadyarm.study.worst_case.study import search_seed
from steadyarm.study.worst_case.sweep import measure_worst_cases
from steadyarm.theory.uniformity import is_nearly_uniform, share_of_uniform
from steadyarm.words import span

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from steadyarm.study.plotting.figure import Size

_DECADES = 7
_ROUNDS_PER_ARM = (
    100  # of the shortest horizon: with a handful of pulls an arm there is no rate of growth yet
)


@dataclass(frozen=True, kw_only=True)
class ScalingStudy(Study["Scaling"]):
    """A study of exponents before it is run; see `scaling`."""

    kind: ClassVar[str] = "scaling"
    fewest_runs: ClassVar[tuple[int, str]] = (6, "Intervals of fewer say nothing.")

    policy: str | type[Policy]
    horizons: tuple[int, ...] = SCALING_HORIZON  # type: ignore[assignment]  # becomes its decades
    n_arms: tuple[int, ...] = (ARMS,)
    mean_bound: float = 1.0
    noise_scale: float = 1.0
    parameters: dict[str, Any] = field(default_factory=dict)
    patience: float = SCALING_PATIENCE

    def __post_init__(self) -> None:
        super().__post_init__()
        if isinstance(self.policy, str):
            checks.one_of(self.policy, "a policy's name", tuple(all_policies()))
        elif not (isinstance(self.policy, type) and issubclass(self.policy, Policy)):
            raise InvalidType(f"policy must be a name or a class of policies; got {self.policy!r}.")
        n_arms = _sizes([self.n_arms] if _is_number(self.n_arms) else self.n_arms, "n_arms")
        horizons: Any = self.horizons
        if _is_number(horizons):
            horizons = decades(horizons, n_arms[-1])
        self._settle(horizons=_sizes(horizons, "horizons"), n_arms=n_arms)
        if len(self.horizons) < 2 and len(self.n_arms) < 2:
            raise InvalidInput(
                "an exponent needs at least two sizes; give two horizons, or two numbers of arms."
            )
        patience = checks.real(self.patience, "patience", above=0.0, remedy="It is in seconds of CPU time.")
        self._settle(patience=patience)
        for policy in self.policies():  # so that a wrong parameter is refused at once
            reason = too_expensive(policy, self._space(policy), self.patience)
            if reason:
                raise NotSupported(f"{policy.title}: {reason} Ask for shorter horizons, or raise patience.")

    @property
    def policy_class(self) -> type[Policy]:
        """The class of the policies."""
        return all_policies()[self.policy] if isinstance(self.policy, str) else self.policy

    def policies(self) -> list[Policy]:
        """Return the policy at every size."""
        known = {each.name for each in fields(self.policy_class)}
        unknown = self.parameters.keys() - known
        if unknown:
            raise InvalidInput(
                f"{self.policy_class.__name__} has no parameter {', '.join(map(repr, sorted(unknown)))}."
            )
        bound = {"mean_bound": self.mean_bound} if "mean_bound" in known else {}
        given = bound | {"noise_scale": self.noise_scale} | self.parameters
        sizes = [(arms, horizon) for arms in self.n_arms for horizon in self.horizons]
        try:
            return [self.policy_class(n_arms=arms, horizon=horizon, **given) for arms, horizon in sizes]
        except TypeError as error:
            raise InvalidInput(
                f"{self.policy_class.__name__} cannot be made at every size: {error}."
            ) from None

    @property
    def title(self) -> str:
        """A few words for the progress bar."""
        return f"{self.policy_class.title} at {len(self.horizons) * len(self.n_arms)} sizes"

    def parameters_asked(self) -> dict[str, Any]:
        """Return the policy and the sizes."""
        return {
            "policy": self.policy_class.__name__,
            "horizons": list(self.horizons),
            "n_arms": list(self.n_arms),
            "mean_bound": self.mean_bound,
            "noise_scale": self.noise_scale,
            "parameters": dict(self.parameters),
            "patience": self.patience,
        }

    def measure(self, runs: int, laboratory: Laboratory, report: Report) -> Scaling:
        """Find and measure the worst cases at every size, and fit the exponents."""
        participants = [self._participant(policy, runs) for policy in self.policies()]
        found = measure_worst_cases(
            [(participant, self._space(participant.policy)) for participant in participants],
            laboratory,
            seed=self.seed,
            level=self.level,
            report=report,
            what="sizes; exponents need all of them",
        )
        return Scaling(self, runs, *tables(participants, found, self.level))

    def _space(self, policy: Policy) -> Space:
        return space_of(policy, self.mean_bound)

    def _participant(self, policy: Policy, runs: int) -> Participant:
        space, seed = self._space(policy), search_seed(self.seed)
        if isinstance(policy, SLEUCB):
            return curve_participant(policy, space, runs, seed)
        return rival_participant(policy, space, runs, seed)


@dataclass(frozen=True, eq=False)
class Scaling(StudyResult[ScalingStudy]):
    """What a study of exponents found.

    Attributes:
        study: what was asked.
        runs: at each size, at most; the table has the number.
        table: one row for each number of arms and horizon: the worst cases found, and their product.
        exponents: one row for each size (horizon, n_arms) and quantity: the `exponent` b of quantity ∝ size^b
            with its interval, and `lack_of_fit`: about 1 if the points lie on a line within their errors, more if
            the line is only a summary. `product_over_log` is the product over log(2K)·(K − 1)/K.
    """

    file: ClassVar[str] = "scaling"
    main_columns = ("n_arms", "horizon", "regret", "instability", "product")

    table: pd.DataFrame
    exponents: pd.DataFrame

    def why_no_exponent(self, quantity: str) -> str:
        """Return why the exponents of a quantity could not be fitted; nothing if they were."""
        found = self.exponents[self.exponents["quantity"] == quantity]["exponent"]
        if found.notna().all():
            return ""
        if (self.table[quantity] == 0.0).any():
            return f"the {quantity} is 0 at one or more sizes"
        return f"the interval of the {quantity} reaches 0 at one or more sizes (ask for more runs)"

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader has to know about these numbers, in plain sentences."""
        policies = self.study.policies()
        uniform = [policy for policy in policies if isinstance(policy, SLEUCB) and is_nearly_uniform(policy)]
        if not uniform:
            return ()
        shares = sorted(map(share_of_uniform, uniform))
        longest = {policy.n_arms: policy.horizon for policy in uniform}  # horizons ascend
        where = "; ".join(f"{arms} arms up to {horizon:,} rounds" for arms, horizon in longest.items())
        return (
            f"SLE-UCB is nearly uniform at {len(uniform)} of {len(policies)} sizes ({where}): with arms as far apart "
            f"as the class allows it is expected to lose {span(f'{shares[0]:.0%}', f'{shares[-1]:.0%}')} of what "
            "equal shares lose. Exponents over such sizes are those of an allocation that hardly adapts.",
        )

    def tables(self) -> dict[str, pd.DataFrame]:
        """Return the points and the exponents."""
        return {"scaling": self.table, "exponents": self.exponents}

    def findings(self) -> dict[str, Any]:
        """Return the points and the exponents as rows."""
        return {"points": plain_rows(self.table), "exponents": plain_rows(self.exponents)}

    def plot(self, ax: Axes | None = None, size: Size | None = None) -> Figure:
        """Draw the three quantities against each size, with the fitted lines."""
        from steadyarm.study.scaling.picture import draw

        return draw(self, ax, size)


def scaling(
    policy_name: str | type[Policy] = "SLEUCB",
    *,
    horizons: int | Sequence[int] = SCALING_HORIZON,
    n_arms: int | Sequence[int] = ARMS,
    mean_bound: float = 1.0,
    noise_scale: float = 1.0,
    runs: int = WORST_CASES_RUNS,
    seed: int = 0,
    level: float = LEVEL,
    patience: float = SCALING_PATIENCE,
    laboratory: Laboratory | None = None,
    progress: bool | Report | None = None,
    **parameters: Any,
) -> Scaling:
    """Measure worst-case regret and instability over horizons and numbers of arms, and fit exponents.

    At every size both worst cases are searched for (see `worst_case`) and measured on fresh rewards. The
    exponents are those of one line through all points, log quantity = a + b·log T + c·log K.

    Args:
        policy_name: a name from `all_policies()`, or a class of your own.
        horizons: the horizons, T; or the longest of up to seven, a decade apart, none so short that arms get a
            handful of pulls.
        n_arms: the numbers of arms, K.
        mean_bound: M; the arms' means lie in [−M, M].
        noise_scale: σ.
        runs: at each size; policies whose rounds are slow get fewer.
        seed: names the reward table; the result depends on nothing else.
        level: the confidence level of the intervals.
        patience: seconds of CPU time that the fewest runs at one size may take; slower sizes are refused.
        laboratory: where simulations are run.
        progress: True or False for a bar, a function of the finished share, or None: a bar on a terminal.
        parameters: of the policy, like alpha=2 or constants="sharp".

    >>> import steadyarm as sa
    >>> found = sa.scaling("SLEUCB", horizons=[10**8, 10**10, 10**12], n_arms=2, constants="sharp", runs=100)
    >>> row = found.exponents.query("size == 'horizon' and quantity == 'product'").iloc[0]
    >>> bool(1.45 < row["exponent"] < 1.55)
    True
    """
    study = ScalingStudy(
        policy=policy_name,
        horizons=horizons,  # type: ignore[arg-type]
        n_arms=n_arms,  # type: ignore[arg-type]
        mean_bound=mean_bound,
        noise_scale=noise_scale,
        parameters=parameters,
        patience=patience,
        seed=seed,
        level=level,
    )
    return study.run(runs=runs, laboratory=laboratory, progress=progress)


def decades(longest: int, n_arms: int) -> list[int]:
    """Return up to seven horizons a decade apart, none so short that arms get a handful of pulls.

    >>> decades(10**6, 2)
    [1000000, 100000, 10000, 1000]
    """
    longest = checks.integer(longest, "horizons", at_least=2)
    shorter = [longest // 10**power for power in range(_DECADES)]
    return [horizon for horizon in shorter if horizon >= _ROUNDS_PER_ARM * n_arms] or [longest]


def _is_number(value: object) -> bool:
    return isinstance(value, int | float | np.number) and not isinstance(value, bool)


def _sizes(values: Any, name: str) -> tuple[int, ...]:
    if isinstance(values, str) or not isinstance(values, Sequence | np.ndarray):
        raise InvalidType(f"{name} must be a list of whole numbers; got {values!r}.")
    if not len(values):
        raise InvalidInput(f"{name} must name at least one; got none.")
    return tuple(sorted({checks.integer(value, name, at_least=2) for value in values}))
