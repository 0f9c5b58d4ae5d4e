"""A plan for a goal: what to run, what to expect of it, what is guaranteed, what more costs, what others do.

A plan says all of that itself; Python, the command line, the service and its page print it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from steadyarm.console import text_of
from steadyarm.model import checks
from steadyarm.model.instance import Instance
from steadyarm.notebook import Sheet, Shown, above, public
from steadyarm.planning.alternatives import Alternative, alternatives
from steadyarm.planning.check import PlanCheck, check_plan
from steadyarm.planning.families import Alphas, Family, Promises, Spreads, Widths, settings_of
from steadyarm.planning.goals import halved
from steadyarm.planning.plan_in_words import print_plan
from steadyarm.planning.quota_cost import QuotaCost
from steadyarm.planning.table import PlanRow, plan_rows, table_of
from steadyarm.planning.trade_offs import (
    CurvePoint,
    EdgePoint,
    TradeOff,
    curve,
    excluded_edge,
    promise_of,
    trade_off,
)
from steadyarm.policies.core.own_history import OwnHistoryPolicy
from steadyarm.policies.own_history.sle_ucb import SLEUCB
from steadyarm.printed import latex, printed
from steadyarm.theory.bounds import largest_instability
from steadyarm.theory.guarantees.frontier import Promise
from steadyarm.theory.guarantees.promises import Guarantee, guarantee
from steadyarm.theory.limit import Limit, limit_of
from steadyarm.theory.prediction import Prediction, predict
from steadyarm.theory.reward_class import RewardClass

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


@dataclass(frozen=True)
class Plan(Shown):
    """A policy for a goal, and what it comes to.

    Attributes:
        policy: the policy to run.
        goal: the goal in words.
        reward_class: what was said of the rewards.
        guaranteed: whether the goal is met by a theorem, not only as expected.
        quotas: what quotas of arms cost, if there are any; all other numbers are without them.
    """

    policy: OwnHistoryPolicy
    goal: str
    reward_class: RewardClass
    guaranteed: bool = False
    quotas: QuotaCost | None = None

    @property
    def size(self) -> tuple[int, int, RewardClass]:
        """The arms, the rounds and the class."""
        return self.policy.n_arms, self.policy.horizon, self.reward_class

    @property
    def limit(self) -> Limit:
        """What no policy can beat over the class."""
        return limit_of(*self.size)

    @cached_property
    def family(self) -> Family | Promises:
        """The policies among which it was chosen."""
        if self.guaranteed:
            return Promises(*self.size)
        if isinstance(self.policy, SLEUCB):
            own = self.policy.guaranteed  # β is that of the constants
            return Alphas(*self.size, self.policy.constants) if own else Widths(*self.size)
        return Spreads(*self.size)

    @cached_property
    def setting(self) -> float:
        """Where it stands among them."""
        if self.guaranteed:
            assert self.guarantee is not None
            return self.guarantee.instability
        return settings_of(self.policy)[self.family.knob]

    @property
    def recipe(self) -> str:
        """The parameters of the policy, as one would write them.

        >>> import steadyarm as sa
        >>> sa.plan(n_arms=2, horizon=100_000, alpha=2.0).recipe
        'alpha = 2, constants = sharp, mean_bound = 1, noise_scale = 1'
        """
        state = self.policy.to_dict()
        names = ("spread", "alpha", "beta", "constants", "mean_bound", "noise_scale")
        return ", ".join(
            f"{name} = {state[name] if isinstance(state[name], str) else format(state[name], '.6g')}"
            for name in names
            if name in state
        )

    @cached_property
    def expected(self) -> TradeOff:
        """Predicted worst-case regret and instability, over the class."""
        return trade_off(self.policy, self.reward_class)

    @cached_property
    def guarantee(self) -> Guarantee | None:
        """The best that is proved of it, capped at what can happen; None for Steady, of which nothing is."""
        if not isinstance(self.policy, SLEUCB):
            return None
        return guarantee(self.policy, widest_gap=self.reward_class.widest_gap)

    @cached_property
    def promise(self) -> Promise | None:
        """What SLE-UCB with a guarantee of the expected spread is guaranteed to lose at most, if there is one.

        Closed forms on a grid say so at once. The search behind `guaranteed=True` finds cheaper ones.
        """
        if self.guaranteed and self.guarantee is not None:
            policy = self.guarantee.policy
            return Promise(self.guarantee.regret, self.guarantee.instability, policy.beta, policy.alpha)
        return promise_of(self.expected.instability, *self.size)

    @cached_property
    def half(self) -> TradeOff | None:
        """The trade-off at which the spread is halved, or None if nothing reaches it."""
        policy = halved(self.family, self.setting, self.expected.instability)
        return None if policy is None else trade_off(policy, self.reward_class)

    @cached_property
    def least_regret(self) -> float:
        """What nobody can beat: every policy that never spreads by more than expected here loses this (Theorem 1′)."""
        return self.limit.least_regret(self.expected.instability)

    @cached_property
    def least_instability(self) -> float | None:
        """How far some count spreads under every policy that never loses more (Theorem 1′); None if there is none."""
        least = self.limit.least_instability(self.expected.regret)
        return least if math.isfinite(least) else None

    @property
    def times_least_regret(self) -> float:
        """The expected regret over the least of any policy of this spread; first order over a theorem."""
        return self.expected.regret / self.least_regret

    @property
    def distance(self) -> str:
        """How far it is from the best possible, in words.

        >>> import steadyarm as sa
        >>> sa.plan(n_arms=2, horizon=100_000, max_sd=1000).distance[:30]
        'It is expected to lose 2% more'
        """
        above = self.times_least_regret - 1.0
        of_all = "the least that any policy of this spread loses on its worst instance (Theorem 1′)"
        if self._is_quiet:
            of_all = (
                "what every policy of this spread is proved to lose on its worst instance (Theorem 1′, which is not "
                "sharp for quiet rewards in a range)"
            )
        if above < 0.005:
            return f"To first order it loses {of_all}."
        much = f"{above:.0%} more than" if above < 1.0 else f"{above + 1.0:.1f} times"
        return f"It is expected to lose {much} {of_all}."

    @property
    def _is_quiet(self) -> bool:
        """Whether rewards have a range, and less noise than coins at its ends."""
        _, _, start, end, _ = self.reward_class.mean_range
        return (
            self.reward_class.rewards != "bernoulli"
            and 2.0 * self.reward_class.noise_scale < end - start < math.inf
        )

    @cached_property
    def curve(self) -> tuple[CurvePoint, ...]:
        """The trade-offs along its family, from cheap to steady, with the guarantees there."""
        return curve(self.family, self.setting)

    @cached_property
    def alternatives(self) -> tuple[Alternative, ...]:
        """Other policies over the same class."""
        return alternatives(self.policy.n_arms, self.policy.horizon, self.reward_class)

    @property
    def excluded(self) -> tuple[EdgePoint, ...]:
        """The edge of the region where no policy is (Theorem 1′)."""
        return excluded_edge(self.limit)

    @property
    def most_regret(self) -> float:
        """What any policy can lose at most: the widest gap of the class in every round."""
        return self.reward_class.widest_gap * self.policy.horizon

    @property
    def most_instability(self) -> float:
        """The standard deviation that no count exceeds."""
        return largest_instability(self.policy)

    @property
    def costliest(self) -> Instance:
        """The instance on which it is expected to lose most."""
        return self.reward_class.instance(self.expected.costliest_means)

    @property
    def unsteadiest(self) -> Instance:
        """The instance on which its counts are expected to spread most."""
        return self.reward_class.instance(self.expected.unsteadiest_means)

    def prediction(self, means: Sequence[float] | None = None) -> Prediction:
        """Predict the counts for arms of these means, or on the costliest instance.

        Only the differences of the means matter, so they may lie anywhere, with all the noise of the class.
        """
        if means is None:
            return predict(self.policy, self.costliest)
        noise_scale = self.reward_class.noise_scale
        return predict(self.policy, Instance.gaussian(checks.reals(means, "means"), noise_scale=noise_scale))

    def check(
        self, runs: int = 1000, seed: int = 0, progress: bool | Callable[[float], None] | None = None
    ) -> PlanCheck:
        """Simulate it on its two worst instances.

        >>> import steadyarm as sa
        >>> found = sa.plan(n_arms=2, horizon=10_000, max_sd=200)
        >>> found.check(runs=200).instability.low < 200
        True
        """
        return check_plan(self, runs, seed, progress)

    @cached_property
    def _rough(self) -> str:
        """Why the predictions are not known to hold here, if so."""
        found = (self.prediction(), predict(self.policy, self.unsteadiest))
        return next((each.reason for each in found if not each.trusted), "")

    @property
    def trusted(self) -> bool:
        """Whether the predictions behind it are known to hold here."""
        return not self._rough

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader of the numbers has to know, in plain sentences."""
        proved = self.policy.notes if self.guarantee is None else self.guarantee.notes
        rough = (f"The prediction is rough here: {self._rough}. Check it by simulation.",)
        return (*proved, *(() if self.trusted else rough), *([self.quotas.words] if self.quotas else []))

    def rows(self, check: PlanCheck | None = None) -> tuple[PlanRow, ...]:
        """Return the plan as a table."""
        return tuple(plan_rows(self, check))

    @property
    def table(self) -> pd.DataFrame:
        """The plan as a table of pandas."""
        return table_of(self.rows())

    def __str__(self) -> str:
        return text_of(lambda console: print_plan(console, self))

    def plot(self, ax: Axes | None = None, size: Sequence[float] | None = None) -> Figure:
        """Draw the trade-off around it; see `steadyarm.plot_plan`."""
        figure: Figure = public("plot_plan")(self, ax, size)
        return figure

    def to_latex(self, caption: str | None = None, label: str | None = None) -> str:
        """Return the plan as a table for LaTeX, which needs the package booktabs."""
        return latex(self.table, caption=caption, label=label)

    def _sheet(self) -> Sheet:
        heading = f"{self.policy.title}, {self.recipe}: {self.goal}"
        return Sheet(
            heading,
            [printed(self.table)],
            self.notes,
            self.plot,
            (self.distance,),
        )

    def save(self, folder: str | Path, check: PlanCheck | None = None) -> list[Path]:
        """Write the picture, and the plan as JSON, with a check of it if there was one, into a folder."""
        written: list[Path] = above("study.plotting.plan", "save_plan")(self, folder, check)
        return written

    def to_dict(self, check: PlanCheck | None = None) -> dict[str, Any]:
        """Return the plan, and a check of it if there was one, as a plain dict, fit for JSON."""
        return {
            "policy": self.policy.to_dict(),
            "policy_title": self.policy.title,
            "goal": self.goal,
            "guaranteed": self.guaranteed,
            "knob": self.family.knob,
            "setting": self.setting,
            "expected": self.expected.to_dict(),
            "guarantee": _worth(self.guarantee),
            "promise": None if self.promise is None else self.promise._asdict(),
            "half_the_spread": None if self.half is None else self.half.to_dict(),
            "quotas": None if self.quotas is None else self.quotas.to_dict(),
            "least_regret": self.least_regret,
            "times_least_regret": self.times_least_regret,
            "distance": self.distance,
            "least_instability": self.least_instability,
            "most": {"regret": self.most_regret, "instability": self.most_instability},
            "cost_in_words": self.reward_class.cost_in_words,
            "worst_instances": {
                "regret": self.costliest.to_dict(),
                "instability": self.unsteadiest.to_dict(),
            },
            "rows": [vars(row) for row in self.rows()],
            "curve": [vars(point) for point in self.curve],
            "excluded": [vars(point) for point in self.excluded],
            "alternatives": [vars(each) | {"trusted": each.trusted} for each in self.alternatives],
            "trusted": self.trusted,
            "notes": list(self.notes),
            **({} if check is None else {"measured": check.to_dict()}),
        }


def _worth(promised: Guarantee | None) -> dict[str, Any] | None:
    """Return a guarantee with its policy as a plain dict."""
    if promised is None:
        return None
    return {**promised.to_dict(), "policy": promised.policy.to_dict(), "notes": list(promised.notes)}
