"""`path`: one run looked at, round by round: which arm, what it gave, and the indices that chose it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from steadyarm.engines.progress import Report, progress_bar
from steadyarm.engines.reference import rounds_of
from steadyarm.errors import InvalidInput
from steadyarm.model import checks
from steadyarm.model.feedback import AT_ONCE, Delay, Feedback, feedback_of
from steadyarm.model.instance import Instance
from steadyarm.notebook import Sheet, Shown
from steadyarm.numerics.arrays import Floats, Integers
from steadyarm.policies.core.policy import Policy
from steadyarm.printed import printed
from steadyarm.study.plotting.style import letter_size, look

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from steadyarm.study.plotting.figure import Size

_MOST_NUMBERS = 10**8  # rounds × arms: 800 MB of indices
_ROUNDS_PER_REPORT = 1000  # of the progress
_MOST_ARMS = 12
_MOST_POINTS = 2000  # of a line


@dataclass(frozen=True, eq=False)
class RunPath(Shown):
    """One run, round by round.

    Attributes:
        policy: what chose the arms.
        instance: what they gave.
        seed: names the reward table.
        run: the number of the run; `simulate(…, seed=…)` gives its counts in row `run`.
        arms: (rounds,) the arm of each round.
        rewards: (rounds,) what it gave.
        indices: (rounds, arms) the index of every arm as it stood when the round began: infinite for an arm without a
            reward, NaN for a policy that chooses without an index.
        feedback: `.delay` and `.batch`, when the policy was told of rewards.
    """

    policy: Policy
    instance: Instance
    seed: int
    run: int
    arms: Integers
    rewards: Floats
    indices: Floats
    feedback: Feedback = AT_ONCE

    @cached_property
    def pulls(self) -> Integers:
        """(rounds, arms): the pulls of every arm up to and with each round."""
        return np.cumsum(self.arms[:, None] == np.arange(self.policy.n_arms), axis=0)

    @property
    def counts(self) -> Integers:
        """The pulls of every arm at the end."""
        counts: Integers = self.pulls[-1]
        return counts

    @property
    def regret(self) -> float:
        """What the pulls of this run cost in expected reward, each against the best arm of its round."""
        if self.instance.moves:
            rounds = enumerate(self.arms.tolist(), start=1)
            return float(sum(self.instance.in_round(number).gaps[arm] for number, arm in rounds))
        return float(self.counts @ np.array(self.instance.gaps))

    @cached_property
    def table(self) -> pd.DataFrame:
        """One row for each round: its number, the arm, which pull of that arm it was, the reward, all indices."""
        import pandas as pd

        rounds = np.arange(len(self.arms))
        columns = {
            "round": rounds + 1,
            "arm": self.arms,
            "pull": self.pulls[rounds, self.arms],
            "reward": self.rewards,
        }
        return pd.DataFrame(columns | {f"index_{arm}": each for arm, each in enumerate(self.indices.T)})

    def plot(self, ax: Axes | None = None, size: Size | None = None) -> Figure:
        """Draw the allocation: the pulls of every arm, or of the twelve with the most, over the rounds."""
        from steadyarm.study.plotting.figure import figure_of, panels

        most = np.argsort(-self.counts, kind="stable")[:_MOST_ARMS]
        seen = np.unique(np.linspace(1, len(self.arms), _MOST_POINTS).astype(np.int64))
        with panels(ax, size, usual=(8.0, 4.6)) as [axes]:
            for place, arm in enumerate(sorted(most)):
                name = (
                    f"arm {arm}, mean reward {self.instance.mean_in_words(arm)}: {self.counts[arm]:,} pulls"
                )
                axes.plot(seen, self.pulls[seen - 1, arm], **look(place, every=0.1), label=name)
            axes.legend(fontsize=letter_size(9.0))
            axes.set_xlabel("round")
            axes.set_ylabel("pulls of the arm so far")
            axes.xaxis.set_major_formatter(lambda value, _place: f"{value:,.0f}")
            axes.yaxis.set_major_formatter(lambda value, _place: f"{value:,.0f}")
            axes.set_title(self._heading)
        return figure_of(axes)

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader has to know about the means and the rewards, in plain sentences."""
        moving = "Means move: regret is dynamic, in every round against the best arm of that round."
        late = f"Rewards are told {self.feedback}."
        return (*([moving] if self.instance.moves else []), *([] if self.feedback.at_once else [late]))

    @property
    def _heading(self) -> str:
        told = "" if self.feedback.at_once else f", rewards told {self.feedback}"
        return f"{self.policy.title}: run {self.run:,} of seed {self.seed}{told}"

    def _sheet(self) -> Sheet:
        import pandas as pd

        columns = ["arm", "mean reward", "pulls", "average of its rewards"]
        sums = np.bincount(self.arms, weights=self.rewards, minlength=self.policy.n_arms)
        averages = np.divide(sums, self.counts, out=np.full_like(sums, np.nan), where=self.counts > 0)
        means = map(self.instance.mean_in_words, range(self.policy.n_arms))
        rows = zip(range(self.policy.n_arms), means, self.counts, averages, strict=True)
        heading = f"{self._heading}, {self.instance.kind_of_regret} {self.regret:,.6g}"
        return Sheet(heading, [printed(pd.DataFrame(rows, columns=columns))], self.notes, draw=self.plot)

    def __repr__(self) -> str:
        return f"RunPath({self.policy.title}, run {self.run:,} of seed {self.seed}, counts {self.counts.tolist()})"


def path(
    policy: Policy,
    instance: Instance,
    *,
    seed: int = 0,
    run: int = 0,
    outside_class: bool = False,
    progress: bool | Report | None = None,
    delay: int | Delay = 0,
    batch: int = 1,
) -> RunPath:
    """Play one run and keep every round: arms, rewards and indices.

    It is run `run` of `simulate(policy, instance, seed=seed)` by every engine that reads the reward table. A million
    rounds take half a minute, and a policy that draws random numbers takes four times as long.

    Args:
        policy: what chooses the arms.
        instance: what the arms give.
        seed: names the reward table.
        run: the number of the run.
        outside_class: run even if the instance lies outside the policy's class (M, σ).
        progress: True or False for a bar, a function of the finished share, or None: a bar on a terminal.
        delay: how many rounds late rewards come, or a law of that; see `simulate`.
        batch: every how many rounds the policy is told.

    >>> import steadyarm as sa
    >>> one = sa.path(sa.MOSS(n_arms=2, horizon=500), sa.equal_gap(2, gap=0.5), seed=1, run=3)
    >>> bool((one.counts == sa.simulate(one.policy, one.instance, seed=1, runs=4).counts[3]).all())
    True
    >>> one.table.columns.tolist()
    ['round', 'arm', 'pull', 'reward', 'index_0', 'index_1']
    """
    checks.instance_of(policy, Policy, "policy")
    policy.check_instance(instance, outside_class=outside_class)
    check_length(policy)
    seed, run = checks.seed(seed), checks.run(run)
    indices = np.empty((policy.horizon, policy.n_arms))
    with progress_bar(progress, f"{policy.title}, {policy.horizon:,} rounds") as report:
        feedback = feedback_of(delay, batch)
        arms, rewards = play_run(policy, instance, seed, run, report, indices, feedback)
    return RunPath(policy, instance, seed, run, arms, rewards, indices, feedback)


def check_length(policy: Policy) -> None:
    """Refuse runs of which not every round can be kept."""
    numbers = policy.horizon * policy.n_arms
    if numbers > _MOST_NUMBERS:
        raise InvalidInput(
            f"a path keeps every round: at most {_MOST_NUMBERS:,} rounds × arms; {policy.horizon:,} rounds of "
            f"{policy.n_arms:,} arms are {numbers:,}. Use a shorter horizon, or simulate, which keeps counts only."
        )


def play_run(
    policy: Policy,
    instance: Instance,
    seed: int,
    run: int,
    report: Report,
    indices: Floats | None = None,
    feedback: Feedback = AT_ONCE,
) -> tuple[Integers, Floats]:
    """Play a run by `ask` and `tell`; return the arm and the reward of every round, and fill in indices if asked."""
    play = policy.start(seed=seed, run=run)
    arms, rewards = np.empty(policy.horizon, dtype=np.int64), np.empty(policy.horizon)
    if indices is not None:
        indices[0] = play.indices
    for number, (arm, reward) in enumerate(rounds_of(play, instance, feedback)):
        arms[number], rewards[number] = arm, reward
        if indices is not None and number + 1 < policy.horizon:
            indices[number + 1] = play.indices
        if number % _ROUNDS_PER_REPORT == 0:
            report(number / policy.horizon)
    report(1.0)
    return arms, rewards
