"""`plan`: what to run for a goal, what to expect of it, what is guaranteed, what more costs, what others do.

A plan says all of that itself; Python, the command line, the service and its page print it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from steadyarm.model import checks
from steadyarm.model.instance import Instance
from steadyarm.planning.alternatives import Alternative, alternatives
from steadyarm.planning.check import PlanCheck, check_plan
from steadyarm.planning.goals import alpha_of_half, policy_for_goal
from steadyarm.planning.trade_offs import CurvePoint, EdgePoint, TradeOff, curve, excluded_edge, trade_off
from steadyarm.policies.own_history.sle_ucb import SLEUCB
from steadyarm.theory.bounds import (
    instability_lower_bound,
    largest_instability,
    largest_regret,
    product_lower_bound,
)
from steadyarm.theory.guarantees import Guarantee, guarantee
from steadyarm.theory.prediction import Prediction, predict
from steadyarm.theory.reward_class import RewardClass, class_of


@dataclass(frozen=True)
class PlanRow:
    """A line of a plan's table: worst-case regret and instability, or None, and what stands in its place."""

    kind: str
    name: str
    regret: float | None
    instability: float | None
    missing: str = ""


@dataclass(frozen=True)
class Plan:
    """A policy for a goal, and what it comes to.

    Attributes:
        policy: the policy to run.
        goal: the goal in words.
        reward_class: what was said of the rewards.
    """

    policy: SLEUCB
    goal: str
    reward_class: RewardClass

    @cached_property
    def expected(self) -> TradeOff:
        """Predicted worst-case regret and instability, over the class."""
        return trade_off(self.policy, self.reward_class, self.policy.alpha)

    @cached_property
    def guarantee(self) -> Guarantee:
        """The best that is proved about it, capped at what can happen, with notes where that says nothing."""
        return guarantee(self.policy, widest_gap=self.reward_class.widest_gap)

    @cached_property
    def half(self) -> TradeOff | None:
        """The trade-off at which the spread is halved, or None if no α reaches it."""
        alpha = alpha_of_half(self.policy, self.reward_class, self.expected.instability)
        return None if alpha is None else trade_off(self.policy, self.reward_class, alpha)

    @property
    def least_instability(self) -> float | None:
        """Below this no policy of the same regret stays everywhere (Theorem 1, which ends at a regret of MT/8)."""
        if self.expected.regret > largest_regret(self.policy.horizon, self.policy.mean_bound):
            return None
        return instability_lower_bound(self.expected.regret, self.policy.horizon, self.policy.noise_scale)

    @cached_property
    def curve(self) -> tuple[CurvePoint, ...]:
        """The trade-offs along α, with the guarantees there."""
        return curve(self.policy, self.reward_class, self.policy.alpha)

    @cached_property
    def alternatives(self) -> tuple[Alternative, ...]:
        """Other policies over the same class."""
        return alternatives(self.policy.n_arms, self.policy.horizon, self.reward_class)

    @cached_property
    def excluded(self) -> tuple[EdgePoint, ...]:
        """The edge of the region where no policy is."""
        regrets = [*(each.regret for each in self.curve), *(each.regret for each in self.alternatives)]
        return excluded_edge(self.policy, min(regret for regret in regrets if regret))

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
        noise_scale = self.policy.noise_scale
        return predict(self.policy, Instance.gaussian(checks.reals(means, "means"), noise_scale=noise_scale))

    def check(
        self, runs: int = 1000, seed: int = 0, progress: bool | Callable[[float], None] | None = None
    ) -> PlanCheck:
        """Simulate it on its two worst instances.

        >>> found = plan(n_arms=2, horizon=10_000, max_sd=200)
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
        rough = (f"The prediction is rough here: {self._rough}. Check it by simulation.",)
        return (*self.guarantee.notes, *(() if self.trusted else rough))

    def rows(self, check: PlanCheck | None = None) -> tuple[PlanRow, ...]:
        """Return the plan as a table."""
        made = [
            PlanRow(
                "expected",
                f"expected, α = {self.policy.alpha:.3g}",
                self.expected.regret,
                self.expected.instability,
            )
        ]
        if check is not None:
            name = f"measured, {check.runs:,} runs"
            made.append(PlanRow("measured", name, check.regret.value, check.instability.value))
        if self.half is not None:
            name = f"half the spread, α = {self.half.alpha:.3g}"
            made.append(PlanRow("half", name, self.half.regret, self.half.instability))
        promised = self.guarantee
        made.append(
            PlanRow(
                "guaranteed",
                "guaranteed",
                promised.regret if promised.regret < self.most_regret else None,
                promised.instability if promised.instability < self.most_instability else None,
                "nothing",
            )
        )
        name = "least possible at this regret (Theorem 1)"
        made.append(PlanRow("least", name, self.expected.regret, self.least_instability, "no bound"))
        made += [
            PlanRow("alternative", each.title, each.regret, each.instability, "no prediction")
            for each in self.alternatives
        ]
        return tuple(made)

    def to_dict(self) -> dict[str, Any]:
        """Return the plan as a plain dict, fit for JSON."""
        policy = self.policy
        promised = self.guarantee
        return {
            "policy": policy.to_dict(),
            "goal": self.goal,
            "expected": self.expected.to_dict(),
            "guarantee": {
                "regret": promised.regret,
                "instability": promised.instability,
                "product": promised.product,
                "theorem": promised.theorem,
                "notes": list(promised.notes),
            },
            "half_the_spread": None if self.half is None else self.half.to_dict(),
            "least_instability": self.least_instability,
            "product_lower_bound": product_lower_bound(policy.horizon, policy.mean_bound, policy.noise_scale),
            "most": {"regret": self.most_regret, "instability": self.most_instability},
            "cost_in_words": self.reward_class.cost_in_words,
            "worst_instances": {
                "regret": self.costliest.to_dict(),
                "instability": self.unsteadiest.to_dict(),
            },
            "rows": [vars(row) for row in self.rows()],
            "curve": [point.to_dict() for point in self.curve],
            "excluded": [vars(point) for point in self.excluded],
            "alternatives": [vars(each) | {"trusted": each.trusted} for each in self.alternatives],
            "trusted": self.trusted,
            "notes": list(self.notes),
        }


def plan(
    *,
    n_arms: int,
    horizon: int,
    mean_bound: float | None = None,
    noise_scale: float | None = None,
    rewards: str = "gaussian",
    low: float | None = None,
    high: float | None = None,
    max_sd: float | None = None,
    max_sd_share: float | None = None,
    max_regret: float | None = None,
    max_regret_share: float | None = None,
    valid_intervals: bool = False,
    alpha: float | None = None,
) -> Plan:
    """Plan an experiment from one goal.

    Args:
        n_arms: how many arms.
        horizon: how many rounds.
        mean_bound: M; the means lie in [−M, M]. Default: 1, or what low and high say.
        noise_scale: σ; default 1 for Gaussian rewards, half the range for others.
        rewards: "gaussian", "bernoulli" (0 or 1), or "bounded" (between low and high).
        low: smallest bounded reward, 0 by default.
        high: largest bounded reward, 1 by default.
        max_sd: the goal: at most this standard deviation of an arm's pulls, on every instance.
        max_sd_share: the same as a share of the rounds.
        max_regret: or: at most this expected regret, and then as steady as that allows.
        max_regret_share: the same as a share of all that could be lost.
        valid_intervals: or: the cheapest at which ordinary intervals are valid afterwards (every count
            spreads by at most a tenth of itself).
        alpha: or no goal: what this α comes to.

    >>> found = plan(n_arms=2, horizon=100_000, max_sd_share=0.01)
    >>> found.expected.instability <= 1000.0 * 1.001, found.policy.constants
    (True, 'sharp')
    """
    reward_class = class_of(rewards, mean_bound, noise_scale, low, high)
    policy, goal = policy_for_goal(
        reward_class,
        n_arms=n_arms,
        horizon=horizon,
        max_sd=max_sd,
        max_sd_share=max_sd_share,
        max_regret=max_regret,
        max_regret_share=max_regret_share,
        valid_intervals=valid_intervals,
        alpha=alpha,
    )
    return Plan(policy, goal, reward_class)
