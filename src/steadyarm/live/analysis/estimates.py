"""What an experiment's rewards say of its arms: intervals for what the rewards are, and differences between arms."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from steadyarm.errors import InvalidInput
from steadyarm.inference.differences import differences
from steadyarm.inference.intervals import Intervals, intervals
from steadyarm.inference.methods import TITLES, ordinary_method
from steadyarm.live.core.experiment import Summary
from steadyarm.live.core.names import shown
from steadyarm.live.core.setup.setup import Setup
from steadyarm.policies.core.play import Play

MOST_IN_PAIRS = 10
"""Arms up to which all pairs are compared; more are compared with one of them."""


def check_asked(setup: Setup, control: str | None, method: str) -> None:
    """Refuse a control that is no arm, and a method that is not for the rewards."""
    if control is not None and control not in setup.arms:
        raise InvalidInput(
            f"control must be an arm of the experiment; got {shown(control)}. Leave it out for all pairs."
        )
    if method == "wilson" and setup.configuration["rewards"] != "bernoulli":
        raise InvalidInput("Wilson's intervals are for 0/1 rewards. Ask for wald, anytime or auto.")


class Estimates:
    """The estimates of an experiment at a level, by the methods that its rewards and its policy allow."""

    def __init__(self, summary: Summary, level: float, method: str = "auto") -> None:
        self.summary, self.level, self.method = summary, level, method
        declared = summary.setup.configuration
        self.kind: dict[str, Any] = {"rewards": declared["rewards"]}
        if declared["rewards"] == "bounded":
            self.kind |= {"low": declared["low"], "high": declared["high"]}
        known = sum(summary.observed) + sum(summary.voided)  # what was voided will never come
        self.kind["finished"] = known == summary.setup.policy.horizon

    @cached_property
    def _play(self) -> Play:
        """A play with all rewards that have come, as amended, whatever it was told; its rule has not heard of them."""
        found, setup = self.summary, self.summary.setup
        moments = {"sums": found.sums, "squares": found.squares, "deviations": found.deviations}
        known = {
            "observed": list(found.observed),
            "moments": {name: list(kept) for name, kept in moments.items()},
        }
        play = setup.policy.start(seed=setup.seed, priority=setup.priority)
        Play._load(play, found.play | known)
        return play

    @cached_property
    def best(self) -> Intervals:
        """The intervals by the method that was asked for, or by the narrowest that is valid."""
        return self.intervals(self.method)

    @property
    def ordinary_method(self) -> str:
        """The method that takes the counts as fixed."""
        best = self.best.method
        return ordinary_method(self.kind["rewards"]) if best == "anytime" else best

    @property
    def which(self) -> dict[str, str]:
        """Which intervals are valid and why, and which are the ordinary ones."""
        ordinary = self.ordinary_method
        return {
            "method": self.best.method,
            "words": self.best.words,
            "ordinary": ordinary,
            "ordinary_title": TITLES[ordinary],
        }

    @property
    def methods(self) -> tuple[str, ...]:
        """All that there are for the rewards."""
        return tuple(dict.fromkeys(("wald", self.ordinary_method, "anytime")))

    def intervals(self, method: str, level: float | None = None) -> Intervals:
        """Return the arms' intervals by a method, or by the narrowest that is valid: "auto"."""
        return intervals(self._play, level=self.level if level is None else level, method=method, **self.kind)

    def differences(self, control: str | None) -> dict[str, Any]:
        """Return the differences of all pairs, or of all arms to a control: the first one, if arms are many."""
        arms = self.summary.setup.arms
        if control is None and len(arms) > MOST_IN_PAIRS:
            control = arms[0]
        how = {"method": self.method, "level": self.level, **self.kind}
        found = differences(self._play, control=control, arms=arms, **how)
        return {
            "control": control,
            "method": found.method,
            "words": found.words,
            "p_words": found.p_words,
            "best": list(found.best),
            "rows": [row.to_dict() for row in found],
        }
