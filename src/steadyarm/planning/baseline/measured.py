"""What a design comes to in a situation, measured by simulation: what it loses, how it spreads, what it finds out."""

from __future__ import annotations

import os
from contextlib import closing
from dataclasses import dataclass, replace
from operator import attrgetter
from typing import Any, NamedTuple

import numpy as np

from steadyarm.engines.choice import ENGINES, choose_engine
from steadyarm.engines.leap.sums import walk_sums
from steadyarm.engines.progress import Report, part
from steadyarm.engines.result import Simulation
from steadyarm.engines.simulate import simulate
from steadyarm.engines.sums import reward_moments
from steadyarm.engines.workers import Threads, work_through
from steadyarm.errors import NotSupported
from steadyarm.inference.outcomes import Outcomes, simulated
from steadyarm.inference.pairs import pairs_of
from steadyarm.inference.validity import ANYTIME, AUTO, counts_are_fixed
from steadyarm.model.feedback import AT_ONCE, Feedback, feedback_of
from steadyarm.model.instance import Instance
from steadyarm.numerics.arrays import Floats, Integers
from steadyarm.planning.baseline.designs import Design, equal_loss
from steadyarm.planning.baseline.over_range import equal_shares_lose, regressed
from steadyarm.planning.baseline.situation import Situation
from steadyarm.planning.goals import spread_of_equal_shares
from steadyarm.planning.trade_offs import trade_off
from steadyarm.policies.core.own_history import OwnHistoryPolicy
from steadyarm.policies.core.policy import Policy
from steadyarm.theory.estimates import FEWEST_FOR_AN_INTERVAL, Estimate, mean_estimate, share_estimate
from steadyarm.theory.limit import limit_of

FEWEST_RUNS = 30
"""With fewer a design is left out of a comparison."""

_USUAL_SECONDS, _MOST_SECONDS = 10.0, 30.0  # of a core that a design may take, by the engines' own figures
PARTS = 3  # of so many runs each: at the smallest difference, over the range and at worst
_MOMENTS, _LEAPT_MOMENTS = 12, 3  # each moment is a leap of its own
_GAPS = (0.125, 0.25, 0.5, 1.0)  # of the range's width, on which designs without a prediction are tried
BAND = (0.1, 0.9)
"""Between which quantiles of the runs the band of the traffic lies."""
_RARELY = 0.05  # of the runs that have another interval than the rest


class Way(NamedTuple):
    """By which engine runs are played, what a run costs on average, and how many moments on the way are noted."""

    engine: str
    cost: float
    moments: int


class OverTime(NamedTuple):
    """The share of traffic on the best arm in each slice of the experiment: mean, and between which 80% of runs lie."""

    rounds: Integers
    share: Floats
    low: Floats
    high: Floats

    def to_dict(self) -> dict[str, list[float]]:
        """Return plain lists."""
        return {name: values.tolist() for name, values in self._asdict().items()}


@dataclass(frozen=True, eq=False)
class Measured:
    """A design, and its numbers.

    Attributes:
        lost: in expectation over the plausible range.
        saved: against equal shares.
        lost_at_smallest: where one arm is better by the smallest difference, and no other.
        lost_at_worst: on the instance of the class that costs this design most.
        spread: the largest standard deviation of an arm's traffic between repetitions, at the smallest difference.
        spread_at_worst: the same on the instance that unsettles it most.
        best_share: of all traffic, on the better arm, at the smallest difference.
        best_share_at_end: of the last slice of the traffic.
        finds_best: how often the arm with the largest mean is the better one.
        power: how often the better arm is shown to be better than the baseline.
        width: of the interval of that difference, on average.
        least_at_worst: what every policy loses on some instance that never spreads by more than the upper end of
            `spread_at_worst` (Theorem 1′).
        ordinary: in which share of the runs the interval is an ordinary one; in the others it is anytime-valid, since
            traffic depends too much on outcomes.
    """

    design: Design
    runs: int
    lost: Estimate
    saved: Estimate
    lost_at_smallest: Estimate
    lost_at_worst: Estimate
    spread: Estimate
    spread_at_worst: Estimate
    best_share: Estimate
    best_share_at_end: Estimate
    finds_best: Estimate
    power: Estimate
    width: Estimate
    least_at_worst: float
    over_time: OverTime
    ordinary: float

    @property
    def interval(self) -> str:
        """Which interval power and width are about: "ordinary", "anytime-valid", or "mixed" from run to run."""
        if self.ordinary >= 1.0 - _RARELY:
            return "ordinary"
        return "anytime-valid" if self.ordinary <= _RARELY else "mixed"

    def estimates(self) -> dict[str, Estimate]:
        """Return everything that has an interval, by name."""
        return {name: value for name, value in vars(self).items() if isinstance(value, Estimate)}

    def to_dict(self) -> dict[str, Any]:
        """Return it as a plain dict, fit for JSON."""
        return {
            "design": self.design.name,
            "policy": self.design.policy.to_dict(),
            "runs": self.runs,
            **{name: estimate.to_dict() for name, estimate in self.estimates().items()},
            "least_at_worst": self.least_at_worst,
            "interval": self.interval,
            "over_time": self.over_time.to_dict(),
        }


@dataclass(frozen=True)
class Bench:
    """How designs of a situation are measured."""

    situation: Situation
    runs: int
    seed: int
    level: float
    threads: int | None = None

    def affordable_runs(self, policy: Policy) -> int:
        """Return how many runs a design gets: those asked for, or as many as it may take the time for."""
        if counts_are_fixed(policy):
            return self.runs
        try:
            cost = PARTS * self._way(policy).cost
        except NotSupported:  # so many rounds that nobody plays them one by one
            return 0
        usual, most = (int(seconds / cost) for seconds in (_USUAL_SECONDS, _MOST_SECONDS))
        return min(self.runs, max(usual, min(FEWEST_RUNS, most)))

    def seconds(self, policy: Policy, runs: int) -> float:
        """Return about how long a design takes, by the engines' own figures."""
        return PARTS * max(1, runs) * self._way(policy).cost

    def _way(self, policy: Policy) -> Way:
        """Return how a policy is played: as `simulate` would, unless leaps to few successes cost more than playing."""
        instance = self.situation.at_smallest
        engine = choose_engine("auto", policy, instance, feedback=self._feedback(policy))
        if engine.name != "leap" or counts_are_fixed(policy):  # which is leapt over at once
            return Way(engine.name, engine.run_cost(policy), _MOMENTS)
        # Its certificates take coins for as noisy as at a rate of one half.
        noise = 0.25 / float(instance.variances.max()) if self.situation.is_rate else 1.0
        leapt = engine.run_cost(policy) * noise * (_LEAPT_MOMENTS + PARTS - 1.0) / PARTS
        played = ENGINES["prefix"].run_cost(policy)
        return Way("leap", leapt, _LEAPT_MOMENTS) if leapt < played else Way("prefix", played, _MOMENTS)

    def measure(self, design: Design, runs: int, report: Report) -> Measured:
        """Simulate a design with so many runs of each part."""
        situation = self.situation
        usual = self._play(design.policy, situation.at_smallest, runs, part(report, 0.0, 0.4), moments=True)
        lost, saved = self._over_range(design.policy, runs, part(report, 0.4, 0.7))
        at_worst = self._at_worst(design.policy, runs, part(report, 0.7, 1.0))
        lost_at_worst = max(usual.regret, at_worst[0], key=attrgetter("value"))
        spread = self._possible(usual.instability)
        spread_at_worst = self._possible(max(usual.instability, at_worst[1], key=attrgetter("value")))
        limit = limit_of(situation.n_arms, situation.horizon, situation.reward_class)
        over_time, last = _over_time(usual)
        outcomes = ends_of(usual)
        return Measured(
            design,
            runs,
            lost,
            saved,
            usual.regret,
            lost_at_worst,
            spread,
            spread_at_worst,
            mean_estimate(usual.counts[:, -1] / situation.horizon, self.level),
            mean_estimate(last, self.level),
            *self._found_out(outcomes),
            limit.least_regret(spread_at_worst.high),
            over_time,
            float(np.mean(outcomes.chosen != ANYTIME)),
        )

    def _feedback(self, policy: Policy) -> Feedback:
        """Return how late outcomes are, for a policy that minds."""
        if counts_are_fixed(policy):
            return AT_ONCE
        return feedback_of(self.situation.delay, self.situation.batch)

    def _play(
        self,
        policy: Policy,
        instance: Instance,
        runs: int,
        report: Report,
        *,
        moments: bool = False,
        first_run: int = 0,
        seed: int | None = None,
        threads: int | None = None,
    ) -> Simulation:
        horizon, late, way = policy.horizon, self._feedback(policy), self._way(policy)
        at = np.unique(np.linspace(horizon / way.moments, horizon, way.moments).round().astype(np.int64))
        return simulate(
            policy,
            instance,
            runs=runs,
            seed=self.seed if seed is None else seed,
            engine=way.engine,
            level=self.level,
            progress=report,
            at=at.tolist() if moments else None,
            first_run=first_run,
            threads=threads or self.threads,
            delay=late.delay,
            batch=late.batch,
        )

    def _over_range(self, policy: Policy, runs: int, report: Report) -> tuple[Estimate, Estimate]:
        """Return what is lost on average over the plausible range, and how much less than by equal shares."""
        expected = equal_shares_lose(self.situation, self.seed, self.level)
        if counts_are_fixed(policy):
            return expected, self._known(0.0)
        draws = self.situation.plausible(max(2, runs // 2), self.seed)
        equal = np.array([self.situation.horizon * np.mean(draw.gaps) for draw in draws])
        lost = np.empty(len(draws))

        def play(place: int, told: Report) -> float:
            return float(self._play(policy, draws[place], 1, told, first_run=place, threads=1).run_regrets[0])

        workers = Threads(play, self.threads or os.cpu_count() or 1)
        with closing(work_through(workers, [1.0] * len(draws), report)) as played:
            for place, regret in played:
                lost[place] = regret
        average, most = regressed(lost, equal, expected), expected.value
        saved = Estimate(
            most - average.value, most - average.high, most - average.low, average.runs, self.level
        )
        return average, saved

    def _at_worst(self, policy: Policy, runs: int, report: Report) -> tuple[Estimate, Estimate]:
        """Return what is lost, and how far traffic spreads, where this design does worst."""
        situation, fresh = self.situation, self.seed + 1
        if counts_are_fixed(policy):
            spread = spread_of_equal_shares(situation.n_arms, situation.horizon)
            return self._known(equal_loss(situation)), self._known(spread)
        worst: list[Instance] = []
        if isinstance(policy, OwnHistoryPolicy):
            found = trade_off(policy, situation.reward_class)
            worst = [situation.instance(means) for means in (found.costliest_means, found.unsteadiest_means)]
        if not (worst and self._feedback(policy).at_once):  # no prediction knows of late outcomes
            worst = self._worst_of_some(
                policy, max(FEWEST_FOR_AN_INTERVAL, runs // 10), worst, part(report, 0.0, 0.4)
            )
        some = max(
            FEWEST_FOR_AN_INTERVAL, runs // (2 if isinstance(policy, OwnHistoryPolicy) else 4)
        )  # others are slow
        costly = self._play(policy, worst[0], some, part(report, 0.4, 0.7), seed=fresh)
        if worst[0] == worst[1]:
            return costly.regret, costly.instability
        unsteady = self._play(policy, worst[1], some, part(report, 0.7, 1.0), seed=fresh)
        return costly.regret, unsteady.instability

    def _possible(self, spread: Estimate) -> Estimate:
        """Return a spread whose interval ends at half of the traffic, since no count spreads by more."""
        return replace(spread, high=max(spread.value, min(spread.high, self.situation.horizon / 2.0)))

    def _known(self, value: float) -> Estimate:
        return Estimate(value, value, value, 0, self.level)

    def _worst_of_some(
        self, policy: Policy, runs: int, more: list[Instance], report: Report
    ) -> list[Instance]:
        """Return the costliest and the unsteadiest of some instances that are known to be hard, and some more."""
        low, high = self.situation.mean_range
        arms, gap = self.situation.n_arms, high - low
        means = [[high] + [high - share * gap] * (arms - 1) for share in _GAPS]
        means.append([high, high] + [low] * (arms - 2))
        instances = list(dict.fromkeys([*(self.situation.instance(each) for each in means), *more]))
        tried = [
            self._play(policy, each, runs, part(report, place / len(instances), (place + 1) / len(instances)))
            for place, each in enumerate(instances)
        ]
        costliest = max(tried, key=lambda each: each.regret.value)
        unsteadiest = max(tried, key=lambda each: each.instability.value)
        return [costliest.instance, unsteadiest.instance]

    def _found_out(self, outcomes: Outcomes) -> tuple[Estimate, Estimate, Estimate]:
        """Return how often the better arm leads, how often that is shown, and how wide the interval is."""
        arms, horizon = outcomes.instance.n_arms, outcomes.policy.horizon
        picked = outcomes.best_picked
        each = 1.0 - (1.0 - self.level) / len(pairs_of(arms, 0))  # Bonferroni, as all are compared with arm 0
        lows, highs = outcomes.difference_ends(AUTO, each, [(arms - 1, 0)], horizon / arms)
        return (
            share_estimate(round(picked.sum()), len(picked), self.level),
            outcomes.share(lows[:, 0] > 0.0),
            outcomes.mean(highs[:, 0] - lows[:, 0]),
        )


def nobody(_told: object) -> None:
    """Take a report for nobody."""


def ends_of(simulation: Simulation) -> Outcomes:
    """Return how the runs of a simulation ended, by whatever engine they were played."""
    instance, counts = simulation.instance, simulation.counts
    seed, first_run = simulation.seed, simulation.first_run
    if simulation.engine == "leap":
        return simulated(simulation, walk_sums(instance, counts, seed=seed, first_run=first_run))
    return simulated(simulation, reward_moments(instance, counts, seed=seed, first_run=first_run))


def _over_time(simulation: Simulation) -> tuple[OverTime, Floats]:
    """Return the share of the last arm in each slice, and that of the last slice run by run."""
    counts = np.diff(simulation.counts_at[:, :, -1], axis=1, prepend=0)
    shares = counts / np.diff(simulation.at, prepend=0)
    low, high = np.quantile(shares, BAND, axis=0)
    return OverTime(simulation.at, shares.mean(axis=0), low, high), shares[:, -1]
