"""`intervals`: the arms' means after an adaptive experiment, by the narrowest method that is valid."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from steadyarm.engines.progress import Report, progress_bar
from steadyarm.inference.given import gather
from steadyarm.inference.methods import METHODS, TITLES, interval_ends
from steadyarm.inference.simulated import REPLAYS, SEED, enough_replays, simulated_ends
from steadyarm.model import checks
from steadyarm.notebook import Sheet, html
from steadyarm.policies.core.play import Play
from steadyarm.printed import latex, printed
from steadyarm.theory.estimates import Estimate, check_level

if TYPE_CHECKING:
    import pandas as pd

Numbers = Sequence[float] | npt.NDArray[np.float64]
Counts = Sequence[int] | npt.NDArray[np.int64]


class Intervals(list[Estimate]):
    """An estimate for each arm, with the method that made the intervals and why it was taken.

    Attributes:
        method: "wald", "wilson", "anytime" or "simulated".
        reason: why, as the end of "because …".
    """

    def __init__(self, estimates: list[Estimate], method: str, reason: str) -> None:
        super().__init__(estimates)
        self.method = method
        self.reason = reason

    @property
    def words(self) -> str:
        """The method and the reason, as a sentence."""
        return f"{TITLES[self.method]} intervals, because {self.reason}."

    @property
    def table(self) -> pd.DataFrame:
        """One row for each arm."""
        import pandas as pd

        rows = [(arm, each.value, each.low, each.high, each.runs) for arm, each in enumerate(self)]
        return pd.DataFrame(rows, columns=["arm", "mean", "low", "high", "pulls"])

    def to_latex(
        self, *, interval: str = "ends", caption: str | None = None, label: str | None = None
    ) -> str:
        """Return the table for LaTeX: each mean with its interval, 0.2 [0.1, 0.3], or 0.2 ± 0.1 as "half"."""
        return latex(self.table, interval=interval, caption=caption, label=label)

    def _repr_html_(self) -> str:
        levels = {each.level for each in self}
        heading = (
            f"The arms' means, {100 * levels.pop():.6g}% intervals" if len(levels) == 1 else "The arms' means"
        )
        return html(Sheet(heading, [printed(self.table)], sentences=(self.words,)))


def intervals(
    play: Play | Counts | None = None,
    sums: Numbers | None = None,
    *,
    squares: Numbers | None = None,
    deviations: Numbers | None = None,
    counts: Counts | None = None,
    level: float = 0.95,
    method: str = "auto",
    rewards: str | None = None,
    low: float | None = None,
    high: float | None = None,
    noise_scale: float | Sequence[float] | str | None = None,
    optimal_at: float | None = None,
    finished: bool | None = None,
    replays: int = REPLAYS,
    seed: int = SEED,
    progress: bool | Report | None = None,
) -> Intervals:
    """Estimate each arm's mean from a play, or from pull counts and reward sums.

    "wald": mean ± z·σ/√n with the known σ, ± z·√(p(1 − p)/n) for 0/1 rewards, ± t·s/√n with an estimated variance.
    "wilson": the score interval of 0/1 rewards; "exact": Clopper and Pearson's, which needs no large numbers. All are
    for counts that were fixed in advance or are nearly the same in every run, and for one look, when the planned rounds
    are over and all rewards are known.

    "anytime": valid under every policy and at every time to stop, at all times at once, and wider. For σ-sub-Gaussian
    rewards |S − nμ| ≤ σ√((n + ρ)·(log(1 + n/ρ) + 2·log(1/a))), a = (1 − level)/2; for 0/1 rewards the beta-binomial
    mixture; for bounded ones an empirical Bernstein interval, which learns the variance.

    "auto": the narrowest of them that is valid. That is an ordinary one at the end of a play whose counts are fixed,
    or predicted to spread by a tenth of themselves at most, at the estimated means; else the anytime-valid one. Of 0/1
    rewards with fewer than five successes or failures of an arm it is "exact", not "wilson"; bounded ones that may be
    too skewed for their number have the anytime-valid one. The prediction is first order. The result says which in
    `.method` and why in `.reason`.

    "simulated": the means under which replays of the policy look like the play, for 0/1 and Gaussian rewards at the
    end of a play: first order, and a matter of seconds to minutes. "auto" never takes it.

    Args:
        play: a play; or instead
        counts: the pulls of each arm whose reward is known, with
        sums: the sums of these rewards,
        squares: the sums of their squares, from which a variance is estimated,
        deviations: Σ(x − mean of the rewards before it)² from the second on, for bounded rewards at any time.
        level: the confidence level, arm by arm.
        method: "auto", "wald", "wilson", "anytime" or "simulated".
        rewards: "gaussian" (or anything that is σ-sub-Gaussian), the default; "bernoulli", 0 or 1; "bounded".
        low: the smallest possible reward of bounded ones, 0 unless given.
        high: the largest, 1 unless given.
        noise_scale: σ of Gaussian rewards, for all arms or one for each; the policy's unless given, 1 without a
            policy; "estimated" for Student's interval.
        optimal_at: pulls at which the anytime interval is narrowest, fixed in advance: horizon/K for a play,
            1,000 otherwise.
        finished: whether nobody will look again, so that "auto" may take an ordinary interval; read off a play, of
            which every reward must have been told. Say True if those that are missing will never come.
        replays: how often "simulated" plays the policy to test one mean; some 6 means are tested for each end.
        seed: names the replays' random numbers; not that of rewards that were simulated themselves.
        progress: True or False for a bar while replays are played, or a function of the finished share.

    An estimate's `runs` is the arm's pull count; an arm without rewards has all that is possible for an interval.

    >>> for estimate in intervals(counts=[400, 25], sums=[80.0, -5.0], method="wald"):
    ...     print(estimate)
    0.2000 [0.1020, 0.2980]
    -0.2000 [-0.5920, 0.1920]
    >>> found = intervals(counts=[400, 400], sums=[12, 80], rewards="bernoulli")
    >>> print(found[0], found.method)
    0.03000 [0.01016, 0.06442] anytime
    """
    level = check_level(level)
    checks.one_of(method, "method", ("auto", *METHODS, "simulated"))
    given = gather(
        play,
        sums,
        counts=counts,
        squares=squares,
        deviations=deviations,
        rewards=rewards,
        low=low,
        high=high,
        noise_scale=noise_scale,
        optimal_at=optimal_at,
        finished=finished,
    )
    chosen, reason = given.method(method)
    sample = given.sample
    if chosen == "simulated":
        policy = given.replayable()
        replays = enough_replays(replays, level)
        with progress_bar(progress, f"replays of {policy.title}") as report:
            lows, highs, played = simulated_ends(
                policy, sample, level, replays=replays, seed=checks.seed(seed), report=report
            )
        reason = f"{reason}; {played:,} replays of {policy.title} were played"
    else:
        lows, highs = interval_ends(sample, chosen, level, optimal_at=given.optimal_at)
    columns = (values.tolist() for values in (sample.means, lows, highs, sample.counts))
    estimates = [Estimate(mean, low, high, n, level) for mean, low, high, n in zip(*columns, strict=True)]
    return Intervals(estimates, chosen, reason)
