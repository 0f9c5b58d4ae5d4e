"""What every policy must do, as checks that anyone can run on a policy of their own.

>>> import steadyarm as sa
>>> from steadyarm.testing import check_policy
>>> check_policy(sa.MOSS(n_arms=3, horizon=60))
"""

from __future__ import annotations

import json
import math
import pickle
from collections.abc import Callable
from dataclasses import fields
from typing import Any

import numpy as np

from steadyarm.engines.choice import ENGINES
from steadyarm.engines.simulate import simulate
from steadyarm.errors import InvalidInput, PolicyError
from steadyarm.model import Instance, equal_arms, reward_table
from steadyarm.numerics.arrays import Floats
from steadyarm.policies import OwnHistoryPolicy, Play, Policy, RulePolicy, play_from_dict, policy_from_dict
from steadyarm.policies.core.fingerprints import is_ours

Check = Callable[[Policy], None]

_SEEDS = (0, 1, 2**64 - 1)
_MANY_ARMS = (8, 37)  # kernels treat many arms otherwise than few
_RUNS = 400
_Z = 5.0  # a normal's tail of 6e-7 for each of a few comparisons
_BAD_REWARDS: tuple[Any, ...] = (math.nan, math.inf, "1", None, True)


def check_policy(policy: Policy) -> None:
    """Run every check on a policy; an AssertionError says what it does that no policy may.

    Give it a short horizon, like 200: it is played a few thousand times.
    """
    for check in CHECKS:
        check(policy)


def it_has_a_title_and_a_source(policy: Policy) -> None:
    """People want to know what it is, and where the formula comes from."""
    for name in ("title", "source"):
        text = getattr(policy, name, None)
        _require(isinstance(text, str) and text, f"{name} must be a text; got {text!r}.")


def it_comes_back_from_its_dict(policy: Policy) -> None:
    """A record is saved as JSON, and compared and stored by its value."""
    for record in (policy, policy.replace(horizon=10**6, noise_scale=0.75)):
        again = policy_from_dict(json.loads(json.dumps(record.to_dict())))
        _require(again == record, f"its dict must give an equal record; got {again!r} for {record!r}.")
        _require(hash(again) == hash(record), "equal records must have equal hashes.")
        _require(pickle.loads(pickle.dumps(record)) == record, "a pickled record must be an equal one.")
    _require(policy.replace(horizon=policy.horizon + 1) != policy, "another horizon must be another record.")


def it_derives_its_constants_anew(policy: Policy) -> None:
    """What follows from the parameters follows the changed ones too."""
    changes = {"n_arms": policy.n_arms + 2, "horizon": 10**5, "noise_scale": 0.5}
    given = {name: value for name, value in policy.to_dict().items() if name != "policy"}
    changed, made = policy.replace(**changes), type(policy)(**(given | changes))
    _require(changed == made, f"a changed record must be the one made anew: {changed!r} is not {made!r}.")
    for field in fields(policy):
        one, other = getattr(changed, field.name), getattr(made, field.name)
        _require(one == other, f"{field.name} of a changed record must be {other!r}; it is {one!r}.")


def it_refuses_what_no_policy_can_have(policy: Policy) -> None:
    """A class with a __post_init__ of its own has to call the one above it."""
    for changes in ({"noise_scale": 0.0}, {"horizon": policy.n_arms}, {"n_arms": 1}):
        try:
            policy.replace(**changes)
        except InvalidInput:
            continue
        raise AssertionError(f"{changes} must be refused. Let __post_init__ call super().__post_init__().")


def it_plays_every_round(policy: Policy) -> None:
    """The counts of every run add up to the horizon, also for the shortest one."""
    for played in (policy, policy.replace(n_arms=2, horizon=3)):
        for instance in instances_for(played):
            counts = simulate(played, instance, runs=20, progress=False).counts
            _require((counts.sum(axis=1) == played.horizon).all(), "the counts must add up to the horizon.")
            if _pulls_each_arm(policy):
                _require(counts.min() >= 1, "every arm must get its first pull.")


def every_engine_gives_the_same_counts(policy: Policy) -> None:
    """The engines that read the reward table agree with the reference, run by run."""
    for instance in instances_for(policy):
        _compare_engines(policy, instance, _SEEDS)


def a_rule_does_what_its_python_says(policy: Policy) -> None:
    """Compiled code goes on with any value where a variable was never bound; plain Python says so."""
    if not isinstance(policy, RulePolicy) or is_ours(type(policy.parameters)):
        return
    rewards = reward_table(instances_for(policy)[0], seed=11, pulls=policy.horizon)
    compiled, plain = policy.start(seed=2), policy.start(seed=2).in_plain_python()
    while compiled.round < policy.horizon:
        where = f"in round {compiled.round + 1}"
        indices = compiled.indices
        try:
            same = np.allclose(plain.indices, indices, rtol=1e-9, atol=1e-12, equal_nan=True)
            arms = compiled.ask(), plain.ask()
            if arms[0] == arms[1]:
                for play in (compiled, plain):
                    play.tell(arms[0], float(rewards[arms[0], play.counts[arms[0]] - 1]))
        except PolicyError:
            raise
        except Exception as error:
            raise AssertionError(
                f"the rule must work as plain Python too; {where} it ends in {type(error).__name__}: {error}. "
                "Bind every variable on every path before it is used."
            ) from error
        _require(
            same and (arms[0] == arms[1] or not np.isnan(indices).all()),
            f"the compiled rule must do what its plain Python does; {where} it does not: arm {arms[0]} and not "
            f"{arms[1]}, indices {indices.tolist()} and not {plain.indices.tolist()}. "
            "Bind every variable on every path, and rely on no more than 64 bits of a whole number.",
        )
        if arms[0] != arms[1]:
            return  # a tie but for rounding


def many_arms_and_ties_are_played_alike(policy: Policy) -> None:
    """Equal coins tie all the time, and many arms are looked through otherwise than few."""
    for n_arms in _MANY_ARMS:
        many = policy.replace(n_arms=n_arms, horizon=max(policy.horizon, 2 * n_arms))
        coins = Instance.bernoulli([0.5] * n_arms)
        _compare_engines(many, coins if applies(many, coins) else equal_arms(n_arms), (4,))


def the_seed_decides_the_counts(policy: Policy) -> None:
    """Neither threads nor time nor what was played before has a say."""
    instance = instances_for(policy)[0]
    counts = simulate(policy, instance, runs=40, seed=5, threads=1, progress=False).counts
    for threads in (1, 2, 7):
        again = simulate(policy, instance, runs=40, seed=5, threads=threads, progress=False).counts
        _require(
            np.array_equal(again, counts),
            f"a seed must give the same counts again; with {threads} threads it did not. Draw random numbers from "
            "noise: uniform_at(noise, arm).",
        )


def relabelled_arms_have_relabelled_counts(policy: Policy) -> None:
    """No arm is treated otherwise for its number: what it gives decides, within five standard errors."""
    instances = instances_for(policy)
    for instance in instances if _fast_engines(policy, instances[0]) else instances[:1]:
        scores = relabelling_scores(policy, instance, np.roll(np.arange(policy.n_arms), -1))
        _require(
            scores.max() < _Z,
            f"counts must move with the arms when these are renumbered; those of arm {scores.argmax()} differ by "
            f"{scores.max():.1f} standard errors. Break ties by rank or priority, and look at no arm's number.",
        )


def a_saved_play_goes_on(policy: Policy) -> None:
    """A play that is saved as JSON and restored goes on as it would have, with late rewards too."""
    rewards = reward_table(instances_for(policy)[0], seed=8, pulls=policy.horizon)
    remedy = "Put all that it remembers into to_dict, and take it back in _load."
    if isinstance(policy, RulePolicy):
        remedy = (
            "Let update write all that the rule remembers to the first state_size numbers of state, and let keep "
            "derive the others from counts, totals and these alone."
        )
    for delay in (0, 4):
        for cut in (0, 2, policy.n_arms, policy.horizon // 3, policy.horizon - 1):
            queue: list[tuple[int, float]] = []
            play = policy.start(seed=cut, run=3)
            advance(play, rewards, cut, queue, delay)
            saved, left = json.loads(json.dumps(play.to_dict())), list(queue)
            rest = advance(play, rewards, policy.horizon, queue, delay)
            restored = play_from_dict(saved)
            _require(
                advance(restored, rewards, policy.horizon, left, delay) == rest,
                f"a play restored after round {cut} must choose as the one that was saved. {remedy}",
            )
            _require(restored.to_dict() == play.to_dict(), "two plays that agree must be saved alike.")


def late_rewards_lose_no_round(policy: Policy) -> None:
    """A play is asked on while rewards are still to come."""
    delay = min(20, policy.horizon // 2)
    rewards = reward_table(instances_for(policy)[0], seed=9, pulls=policy.horizon)
    play = policy.start(seed=4)
    advance(play, rewards, policy.horizon, [], delay)
    _require(play.counts.sum() == policy.horizon, "every round must be counted.")
    _require(play.outstanding.sum() == delay, "rewards that were not told must be outstanding.")
    if _pulls_each_arm(policy):
        _require(play.counts.min() >= 1, "no arm may be forgotten.")


def many_rewards_are_told_as_one_by_one(policy: Policy) -> None:
    """Telling many rewards at once leaves the play that telling them one after the other does, to the bit."""
    rewards = reward_table(instances_for(policy)[0], seed=10, pulls=policy.horizon)
    one, many = policy.start(seed=6, run=2), policy.start(seed=6, run=2)
    while one.round < policy.horizon:
        size = min(max(1, policy.horizon // 5), policy.horizon - one.round)
        arms = [one.ask() for _ in range(size)]
        same = [many.ask() for _ in range(size)]
        told = [float(rewards[arm, place]) for place, arm in enumerate(arms)]
        for arm, reward in zip(arms, told, strict=True):
            one.tell(arm, reward)
        many.tell_many(np.array(arms), np.array(told))
        _require(
            arms == same and one.to_dict() == many.to_dict(),
            f"a play must be the same whether {size} rewards are told at once or one by one; after {one.round} rounds "
            "it is not. Leave `tell_many` as it is, or let `_take_many` do all that `tell` does, in the same order.",
        )


def a_bad_reward_changes_nothing(policy: Policy) -> None:
    """A reward that is no number is refused, and the play stays as it was."""
    play = policy.start(seed=1)
    advance(play, reward_table(instances_for(policy)[0], seed=1, pulls=10), 5, [])
    arm = play.ask()
    before = play.to_dict()
    for reward in (*_BAD_REWARDS, *((1.0001, -0.0001) if policy.unit_rewards else ())):
        try:
            play.tell(arm, reward)
        except InvalidInput:
            continue
        raise AssertionError(
            f"the reward {reward!r} must be refused. Leave `tell` as it is; write `_absorb`."
        )
    _require(play.to_dict() == before, "a refused reward must change nothing.")
    play.tell(arm, 1.0)


def an_instance_of_another_size_is_refused(policy: Policy) -> None:
    """A record is for its number of arms."""
    other = instances_for(policy.replace(n_arms=policy.n_arms + 1))[0]
    try:
        policy.check_instance(other)
    except InvalidInput:
        return
    raise AssertionError(
        f"{other.n_arms} arms must be refused. Let check_instance call super().check_instance()."
    )


CHECKS: tuple[Check, ...] = (
    it_has_a_title_and_a_source,
    it_comes_back_from_its_dict,
    it_derives_its_constants_anew,
    it_refuses_what_no_policy_can_have,
    it_plays_every_round,
    every_engine_gives_the_same_counts,
    a_rule_does_what_its_python_says,
    many_arms_and_ties_are_played_alike,
    the_seed_decides_the_counts,
    relabelled_arms_have_relabelled_counts,
    a_saved_play_goes_on,
    late_rewards_lose_no_round,
    many_rewards_are_told_as_one_by_one,
    a_bad_reward_changes_nothing,
    an_instance_of_another_size_is_refused,
)
"""All checks, for pytest.mark.parametrize."""


def instances_for(policy: Policy) -> list[Instance]:
    """Return the instances among normal rewards, coins, and rewards between 0 and 1 that a policy can play."""
    shares = np.linspace(0.7, 0.3, policy.n_arms).tolist()
    normal = Instance.gaussian(np.linspace(0.4, -0.4, policy.n_arms).tolist(), noise_scale=policy.noise_scale)
    found = [normal, Instance.bernoulli(shares), Instance.bounded(shares)]
    able = [instance for instance in found if applies(policy, instance)]
    _require(able, "it must be able to play normal rewards, coins, or rewards between 0 and 1.")
    return able


def applies(policy: Policy, instance: Instance) -> bool:
    """Whether a policy can play an instance."""
    try:
        policy.check_instance(instance)
    except InvalidInput:
        return False
    return True


def advance(
    play: Play, rewards: Floats, until: int, queue: list[tuple[int, float]], delay: int = 0
) -> list[int]:
    """Play to a round with the table's rewards, each told `delay` rounds late; return the arms."""
    arms = []
    while play.round < until:
        arm = play.ask()
        arms.append(arm)
        queue.append((arm, float(rewards[arm, play.counts[arm] - 1])))
        if len(queue) > delay:
            play.tell(*queue.pop(0))
    return arms


def relabelling_scores(policy: Policy, instance: Instance, order: Any) -> Floats:
    """Return standardised differences of mean counts, arm by arm, when arm i becomes what arm order[i] was."""
    means = [instance.means[arm] for arm in np.roll(np.arange(policy.n_arms), -1)]
    other = Instance.from_dict(instance.to_dict() | {"means": means})
    one = simulate(policy, instance, runs=_RUNS, seed=1, progress=False).counts[:, order]
    two = simulate(policy, other, runs=_RUNS, seed=2, progress=False).counts
    error = np.maximum(1e-9, np.sqrt((one.var(axis=0) + two.var(axis=0)) / _RUNS))  # some counts are fixed
    scores: Floats = np.abs(one.mean(axis=0) - two.mean(axis=0)) / error
    return scores


def _pulls_each_arm(policy: Policy) -> bool:
    if isinstance(policy, RulePolicy):
        return policy.pulls_each_arm_first
    return isinstance(policy, OwnHistoryPolicy)


def _fast_engines(policy: Policy, instance: Instance) -> list[str]:
    return [name for name in ("prefix", "step") if ENGINES[name].refusal(policy, instance) is None]


def _compare_engines(policy: Policy, instance: Instance, seeds: tuple[int, ...]) -> None:
    names = _fast_engines(policy, instance)
    for seed in seeds if names else ():
        expected = simulate(policy, instance, runs=3, seed=seed, engine="reference", progress=False).counts
        for name in names:
            found = simulate(policy, instance, runs=3, seed=seed, engine=name, progress=False).counts
            _require(
                np.array_equal(found, expected),
                f"the {name} engine must give the counts of the reference on {instance.rewards} arms; seed {seed} "
                f"gives {found.tolist()} and not {expected.tolist()}.",
            )


def _require(holds: Any, message: str) -> None:
    if not holds:
        raise AssertionError(message)
