"""What a user gives, a play or counts and sums, checked and made a `Sample`."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from steadyarm.errors import InvalidInput, InvalidType, NotSupported
from steadyarm.inference.sample import Sample
from steadyarm.inference.simulated import replayable
from steadyarm.inference.validity import Choice, choose_method
from steadyarm.model import checks
from steadyarm.model.instance import LAWS
from steadyarm.numerics.arrays import Floats, Integers
from steadyarm.policies.core.play import Play
from steadyarm.policies.core.policy import Policy

ESTIMATED = "estimated"

_NARROWEST_AT = 1000  # pulls; any number will do that is not taken from the data
_NOISE = "It is the σ for which rewards are σ-sub-Gaussian: 1/2 for rewards in [0, 1]."


class Given(NamedTuple):
    """A sample, the policy that chose its pulls if that is known, and whether its rounds are over.

    Of a play with a retired arm the policy is not known: what it does from run to run is not its own choice any more.
    """

    sample: Sample
    policy: Policy | None
    finished: bool
    optimal_at: float
    retired: bool = False

    def method(self, asked: str) -> Choice:
        """Return the method that was asked for, or the one that "auto" means here."""
        if asked != "auto":
            return Choice(asked, "you asked for them")
        if self.retired:
            return Choice("anytime", "an arm was retired, and what could have come of that is not known")
        return choose_method(self.sample, self.policy, self.finished)

    def replayable(self) -> Policy:
        """Return the policy of an experiment that can be replayed, or say why it cannot."""
        if self.retired:
            raise NotSupported(
                "simulated intervals replay the policy, and an arm of this play was retired, which no replay would "
                "know. Use method='anytime'."
            )
        return replayable(self.policy, self.sample)


def gather(
    play: Any,
    sums: Any,
    *,
    counts: Any = None,
    squares: Any = None,
    deviations: Any = None,
    rewards: str | None = None,
    low: float | None = None,
    high: float | None = None,
    noise_scale: Any = None,
    optimal_at: float | None = None,
    finished: bool | None = None,
) -> Given:
    """Return what was given as a sample; see `intervals` for the arguments."""
    rewards = "gaussian" if rewards is None else checks.one_of(rewards, "rewards", LAWS)
    if play is not None and not isinstance(play, Play):
        if counts is not None:
            raise InvalidInput("give a play, or counts with sums; got counts twice.")
        play, counts = None, play
    policy, ended, best = None, False, float(_NARROWEST_AT)
    square_sums: Floats | None
    away: Floats | None
    if isinstance(play, Play):
        if any(given is not None for given in (counts, sums, squares, deviations)):
            raise InvalidInput("give a play, or counts with sums; got both.")
        policy, ended = play.policy, int(play.observed.sum()) == play.policy.horizon
        best = policy.horizon / policy.n_arms
        if play.moments is None:
            raise NotSupported(
                "this play was saved when plays did not keep their rewards. Give counts= and sums= instead, or tell "
                "its rewards to a new play."
            )
        pulls = play.observed
        totals, square_sums, away = play.moments
    else:
        pulls = _checked_counts(counts, sums)
        totals = _checked_moment(sums, "sums", len(pulls))
        square_sums = None if squares is None else _checked_moment(squares, "squares", len(pulls))
        away = None if deviations is None else _checked_moment(deviations, "deviations", len(pulls))
    best = checks.real(
        best if optimal_at is None else optimal_at, "optimal_at", above=0.0, remedy="It is a pull count."
    )
    ends = _range(rewards, low, high)
    _check_sums(rewards, pulls, totals, *ends)
    _check_squares(pulls, totals, square_sums)
    if noise_scale is None and policy is not None:
        noise_scale = policy.noise_scale if rewards == "gaussian" else None
    scales = _scales(rewards, noise_scale, len(pulls))
    sample = Sample(pulls, totals, square_sums, away, rewards, *ends, scales)
    over = ended if finished is None else checks.boolean(finished, "finished")
    retired = isinstance(play, Play) and bool(play.retired)
    return Given(sample, None if retired else policy, over, best, retired)


def _checked_counts(counts: Any, sums: Any) -> Integers:
    if counts is None or sums is None:
        raise InvalidInput("give a play, or counts= together with sums=.")
    if isinstance(counts, str | bytes | dict | set) or not isinstance(counts, Sequence | np.ndarray):
        raise InvalidType(f"counts must be a flat list of whole numbers; got {counts!r}.")
    if np.ndim(counts) != 1 or not len(counts):
        raise InvalidInput("counts must be a flat list of whole numbers, one for each arm.")
    pulls = [checks.integer(n, f"counts[{arm}]", at_least=0, at_most=2**53) for arm, n in enumerate(counts)]
    return np.array(pulls, dtype=np.int64)


def _checked_moment(given: Any, name: str, n_arms: int) -> Floats:
    values = checks.reals(given, name)
    if len(values) != n_arms:
        raise InvalidInput(
            f"counts and {name} must have one number for each arm; got {n_arms} and {len(values)}."
        )
    if name != "sums" and min(values) < 0.0:
        raise InvalidInput(f"{name} must be at least 0; got {min(values)!r}.")
    return np.array(values)


def _range(rewards: str, low: float | None, high: float | None) -> tuple[float, float]:
    if rewards != "bounded":
        if low is not None or high is not None:
            raise InvalidInput(
                f"low= and high= are for rewards='bounded'; these are {rewards}. Leave them out, or say so."
            )
        return (0.0, 1.0) if rewards == "bernoulli" else (-math.inf, math.inf)
    least = checks.real(0.0 if low is None else low, "low")
    most = checks.real(
        1.0 if high is None else high, "high", above=least, remedy="Rewards lie between low and high."
    )
    return least, most


def _check_sums(rewards: str, counts: Integers, sums: Floats, low: float, high: float) -> None:
    for arm, (n, total) in enumerate(zip(counts.tolist(), sums.tolist(), strict=True)):
        if rewards == "bernoulli" and not (total == math.floor(total) and 0.0 <= total <= n):
            raise InvalidInput(
                f"0/1 rewards of arm {arm} must add up to a whole number from 0 to {n}; got {total!r}. "
                "Use rewards='bounded' for rewards between."
            )
        slack = 1e-9 * max(abs(low), abs(high)) * n if rewards == "bounded" else 0.0
        if rewards == "bounded" and not n * low - slack <= total <= n * high + slack:
            raise InvalidInput(
                f"{n} rewards between {low:g} and {high:g} cannot add up to {total!r}, as those of arm {arm} do. "
                "Give the smallest and the largest possible reward as low= and high=."
            )


def _check_squares(counts: Integers, sums: Floats, squares: Floats | None) -> None:
    for arm, (n, total) in enumerate(zip(counts.tolist(), sums.tolist(), strict=True)):
        least = total * total / n if n else 0.0
        if squares is not None and squares[arm] < least * (1.0 - 1e-9):
            raise InvalidInput(
                f"the squares of {n} numbers that add up to {total!r} add up to {least:.6g} or more; got "
                f"{float(squares[arm])!r} for arm {arm}. Give the sums of the squared rewards."
            )


def _scales(rewards: str, noise_scale: Any, n_arms: int) -> Floats | None:
    if rewards != "gaussian":
        if noise_scale is not None:
            raise InvalidInput(
                f"noise_scale= is for Gaussian rewards; the noise of {rewards} ones is learnt. Leave it out."
            )
        return None
    if isinstance(noise_scale, str) and noise_scale == ESTIMATED:
        return None
    given = 1.0 if noise_scale is None else noise_scale
    if isinstance(given, Sequence | np.ndarray) and not isinstance(given, str):
        scales = checks.reals(given, "noise_scale")
        if len(scales) != n_arms:
            raise InvalidInput(
                f"noise_scale must be one number or one for each of the {n_arms} arms; got {len(scales)}."
            )
    else:
        scales = (checks.real(given, "noise_scale", remedy=f"Or {ESTIMATED!r}."),) * n_arms
    return np.array([checks.real(scale, "noise_scale", above=0.0, remedy=_NOISE) for scale in scales])
