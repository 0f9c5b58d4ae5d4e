"""A rule of the user's own: the last word counts, and what no rule may do is said in a sentence."""

# ruff: noqa: ARG001, ARG005 -- a rule's functions take what rules take, needed or not

import math
import re

import numpy as np
import pytest
from tests.policies.own_rules import first_arm, last_arm, ruled

import steadyarm as sa
from steadyarm.errors import InvalidInput, InvalidType, PolicyError
from steadyarm.policies import rule
from steadyarm.policies.general.ucb1 import UCB1Parameters

ENGINES = ("step", "reference")


def played(policy, engine, runs=1):
    instance = sa.equal_arms(policy.n_arms)
    return sa.simulate(policy, instance, runs=runs, engine=engine, threads=1).counts[0].tolist()


def test_a_rule_said_again_counts_in_every_engine_and_in_new_plays():
    policy, parameters = ruled(index=first_arm)
    begun = policy.start()
    assert [played(policy, engine) for engine in ENGINES] == [[20, 0, 0]] * 2
    rule(parameters, index=last_arm)
    assert [played(policy, engine) for engine in ENGINES] == [[0, 0, 20]] * 2
    assert (begun.ask(), policy.start().ask()) == (0, 2)  # a play goes on as it began
    rule(parameters, choose=lambda parameters, noise, rank, counts, totals, state: 1)
    assert played(policy, "step") == [0, 20, 0]


CELL = """
from dataclasses import dataclass
from typing import NamedTuple
import numba
from steadyarm.policies import RulePolicy, rule

class CellParameters(NamedTuple):
    scale: float

SIGN = {sign}

@numba.njit
def signed(x):
    return SIGN * x

def index(parameters, noise, arm, counts, totals, state):
    return signed(float(arm)) + parameters.scale

rule(CellParameters, index=index)

@dataclass(frozen=True, kw_only=True)
class Cell(RulePolicy):
    title = "cell"
    source = "a notebook"

    @property
    def parameters(self):
        return CellParameters(1.0)
"""


def test_a_notebook_goes_by_what_its_cells_say_now():
    scope = {"__name__": "__main__"}
    exec(CELL.format(sign=-1), scope)
    policy = scope["Cell"](n_arms=3, horizon=20)
    assert played(policy, "step") == [18, 1, 1]
    exec(CELL.format(sign=1), scope)  # the whole cell again, changed
    assert played(scope["Cell"](n_arms=3, horizon=20), "step") == [1, 1, 18]
    scope["SIGN"] = -1  # only the constant that a helper reads
    assert played(scope["Cell"](n_arms=3, horizon=20), "step") == [18, 1, 1]
    exec("@numba.njit\ndef signed(x):\n    return -abs(x - 1.0)", scope)  # only the helper
    assert played(policy, "step") == played(policy, "reference") == [1, 18, 1]


def astray(parameters, noise, rank, counts, totals, state):
    return int(parameters.scale) if noise.round == 7 else 1


def test_a_choice_that_is_no_arm_is_refused_with_its_round_and_its_place():
    policy, _ = ruled(choose=astray)
    for engine in ENGINES:
        for arm in (-1, 3, 10**12):
            words = f"in round 7 of run 0, 'ruled' chose arm {arm}; arms are numbered from 0 to 2. Let 'astray' (test_r"
            with pytest.raises(PolicyError, match=re.escape(words)):
                played(policy.replace(scale=float(arm)), engine)
        assert played(policy.replace(scale=2.0), engine) == [0, 19, 1]


@pytest.mark.parametrize("engine", ENGINES)
def test_an_index_that_is_no_number_is_refused_with_its_arm(engine):
    def index(parameters, noise, arm, counts, totals, state):
        return math.nan if arm == 2 and noise.round >= 9 else 1.0

    policy, _ = ruled(index=index)
    words = r"in round 9 of run 0, 'ruled' has an index of arm 2 that is NaN.* Let 'index' \(test_rule\.py, line \d+\)"
    with pytest.raises(PolicyError, match=words):
        played(policy, engine)


def test_infinite_indices_are_numbers():
    def index(parameters, noise, arm, counts, totals, state):
        return math.inf if counts[arm] == 0 else -math.inf

    policy, _ = ruled(index=index)
    assert played(policy, "step") == played(policy, "reference")
    assert min(played(policy, "step")) >= 1


@pytest.mark.parametrize("engine", ENGINES)
def test_a_state_without_room_is_refused_and_breaks_nothing(engine):
    def remember(parameters, noise, arm, reward, counts, totals, state):
        state[arm] = reward

    policy, _ = ruled(index=first_arm, update=remember)
    with pytest.raises(
        PolicyError, match=r"'ruled' .* beyond the end of an array.* state_size = 0\. Set state_size"
    ):
        played(policy, engine)


def no_return(parameters, noise, arm, counts, totals, state):
    if counts[arm] == 0:
        return 1.0


def no_integer(parameters, noise, rank, counts, totals, state):
    return counts.sum() / 2


@pytest.mark.parametrize(
    ("functions", "words"),
    [
        ({"index": no_return}, r"must return a number on every path; .* Add the return"),
        (
            {"choose": no_integer},
            r"must return an arm, a whole number, on every path; to the compiler it returns float64",
        ),
    ],
    ids=["index", "choose"],
)
@pytest.mark.parametrize("engine", ENGINES)
def test_a_rule_that_returns_something_else_is_told_so(functions, words, engine):
    policy, _ = ruled(**functions)
    with pytest.raises(PolicyError, match=words):
        played(policy, engine)


def test_parameters_are_numbers_and_have_a_rule():
    policy, parameters = ruled(index=first_arm)
    type(policy).parameters = property(lambda _self: parameters(object()))
    with pytest.raises(PolicyError, match="Parameters must be a NamedTuple of numbers; got"):
        played(policy, "step")

    class Ruleless(parameters):
        pass

    type(policy).parameters = property(lambda _self: Ruleless(1.0))
    with pytest.raises(PolicyError, match=r"no rule is known for Ruleless\. Call rule\(Ruleless, index="):
        played(policy, "step")


@pytest.mark.parametrize(
    ("functions", "words"),
    [
        ({}, "an index or a choose, and not both"),
        ({"index": first_arm, "choose": first_arm}, "an index or a choose, and not both"),
        (
            {"index": lambda arm: 0.0},
            r"the index of a rule must take \(parameters, noise, arm, counts, totals, state\)",
        ),
        (
            {"index": first_arm, "update": last_arm},
            r"the update of a rule must take .*'last_arm' .* takes \(parameters",
        ),
        ({"index": 3.0}, r"the index of a rule must be a function; got 3\.0"),
    ],
)
def test_a_rule_that_is_none_is_refused_when_it_is_said(functions, words):
    with pytest.raises(InvalidInput, match=words):
        ruled(**functions)


def test_a_rule_belongs_to_a_named_tuple_of_the_users_own():
    with pytest.raises(InvalidType, match="a NamedTuple class of numbers; got <class 'dict'>"):
        rule(dict, index=first_arm)
    with pytest.raises(InvalidInput, match="'UCB1Parameters' is taken by a policy of steadyarm's"):
        rule(UCB1Parameters, index=first_arm)


@pytest.mark.parametrize("arm", [-1, 3, 1.5, None, "1", math.nan])
def test_a_plain_class_that_chooses_no_arm_is_refused_and_changes_nothing(arm):
    play = sa.MOSS(n_arms=3, horizon=9).start()
    assert play.ask() in range(3)
    play._choose = lambda: arm
    with pytest.raises(
        PolicyError, match=rf"in round 2 of run 0, 'MOSS' chose arm {arm!r}; arms are numbered from 0 to 2"
    ):
        play.ask()
    assert (play.round, play.counts.sum()) == (1, 1)
    play._choose = lambda: np.int64(2)
    assert type(play.ask()) is int


def writes_counts(parameters, noise, arm, counts, totals, state):
    counts[0] = counts[0] + 10
    return 1.0 * arm


def writes_totals(parameters, noise, arm, counts, totals, state):
    totals[arm] = 0.5
    return 1.0 * arm


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("index", [writes_counts, writes_totals])
def test_a_rule_that_writes_to_what_is_kept_for_it_is_refused(engine, index):
    policy, _ = ruled(index=index)
    with pytest.raises(PolicyError, match=r"has a rule that writes to counts or totals.* state_size"):
        played(policy, engine)


async def later(parameters, noise, arm, counts, totals, state):
    return 0.0


def one_by_one(parameters, noise, arm, counts, totals, state):
    yield 0.0


@pytest.mark.parametrize("index", [later, one_by_one])
def test_a_coroutine_or_a_generator_is_no_rule(index):
    with pytest.raises(InvalidInput, match=r"must be a plain function; .* is a coroutine or a generator"):
        ruled(index=index)
