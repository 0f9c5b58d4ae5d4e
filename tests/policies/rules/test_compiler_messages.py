"""A rule that does not compile: which line, why in plain words, what to do; and the reference engine plays it."""

# ruff: noqa: ARG001, ARG005, F821 -- rules take what rules take, and these are wrong on purpose

import math

import numba
import numpy as np
import pytest
from tests.policies.own_rules import first_arm, ruled

import steadyarm as sa
from steadyarm.errors import NotCompiled, PolicyError

TABLE = {0: 3.0, 1: 2.0, 2: 1.0}
SCALES = [3.0, 2.0, 1.0]
IN_PYTHON = (AttributeError, NameError, TypeError, ValueError, PolicyError, numba.core.errors.TypingError)
SLOWLY = "Or play it as plain Python, slowly, with engine='reference' (--engine reference)."


def undecorated(arm):
    return -float(arm)


@numba.njit
def typo_inside(x):
    return x + nothing_of_the_kind


@numba.njit
def half(x):
    return x / 2.0


def helper(parameters, noise, arm, counts, totals, state):
    return undecorated(arm)


def table(parameters, noise, arm, counts, totals, state):
    return TABLE[arm]


def scales(parameters, noise, arm, counts, totals, state):
    return SCALES[arm]


def inner_import(parameters, noise, arm, counts, totals, state):
    import math as m

    return -m.sqrt(arm)


def text(parameters, noise, arm, counts, totals, state):
    return -float(f"{totals[arm]:.2f}") - arm * 100.0


def untyped_dict(parameters, noise, arm, counts, totals, state):
    seen = {}
    return -float(arm) - len(seen)


def untyped_list(parameters, noise, arm, counts, totals, state):
    seen = []
    return -float(arm) - len(seen)


def two_kinds(parameters, noise, arm, counts, totals, state):
    value = "-1.0" if arm else 1.0
    return float(value)


def numpy_function(parameters, noise, arm, counts, totals, state):
    return -np.apply_along_axis(len, 0, counts) - arm


def keyed(parameters, noise, arm, counts, totals, state):
    return -max(arm, 0, key=lambda x: x)


NOT_COMPILED = [
    (helper, "return undecorated(arm)", "'undecorated' is a plain Python function. Decorate it with @numba"),
    (table, "return TABLE[arm]", "'TABLE' is of the kind dict, which compiled code cannot read. Make it a"),
    (scales, "return SCALES[arm]", "'SCALES' is a list or dict outside of the rule. Make it a tuple"),
    (inner_import, "import math as m", "an import stands inside the rule. Put it at the top"),
    (
        text,
        'return -float(f"{totals[arm]:.2f}") - arm * 100.0',
        "it makes text. Keep names and texts outside",
    ),
    (untyped_dict, "seen = {}", "it keeps a list or dict whose kind is not known. Keep numbers in state"),
    (untyped_list, "seen = []", "it keeps a list or dict whose kind is not known. Keep numbers in state"),
    (two_kinds, 'value = "-1.0" if arm else 1.0', "a value is of one kind on one path and of another on"),
    (numpy_function, "return -np.apply_along_axis(len, 0, counts) - arm", "numpy.apply_along_axis cannot be"),
    (keyed, "return -max(arm, 0, key=lambda x: x)", "max does not take such arguments in compiled code"),
]


def played(policy, engine):
    return sa.simulate(policy, sa.equal_arms(policy.n_arms), runs=2, engine=engine, threads=1).counts.tolist()


@pytest.mark.parametrize(
    ("index", "line", "words"), NOT_COMPILED, ids=lambda value: getattr(value, "__name__", "")
)
def test_a_rule_that_does_not_compile_is_explained_and_the_reference_plays_it(index, line, words):
    policy, _ = ruled(index=index, horizon=12)
    with pytest.raises(NotCompiled) as caught:
        played(policy, "step")
    said = str(caught.value)
    assert f"{index.__name__!r} (test_compiler_messages.py, line {index.__code__.co_firstlineno})" in said
    assert f" of test_compiler_messages.py, `{line}`: {words}" in said
    assert SLOWLY in said
    assert "\n" not in said
    assert "\x1b" not in said
    assert caught.value.__cause__ is not None
    assert played(policy, "reference") == [[12, 0, 0]] * 2


def no_name(parameters, noise, arm, counts, totals, state):
    return conuts[arm]


def no_field(parameters, noise, arm, counts, totals, state):
    return parameters.typo


def no_function(parameters, noise, arm, counts, totals, state):
    return math.squareroot(2.0)


def no_noise(parameters, noise, arm, counts, totals, state):
    return noise.uniform


def no_append(parameters, noise, arm, counts, totals, state):
    state.append(1.0)
    return 1.0


def arguments(parameters, noise, arm, counts, totals, state):
    return half(arm, 2.0)


def text_place(parameters, noise, arm, counts, totals, state):
    return state["arm"]


def pair(parameters, noise, arm, counts, totals, state):
    state[arm] = (1.0, 2.0)
    return 1.0


def through(parameters, noise, arm, counts, totals, state):
    return typo_inside(arm)


WRONG = [
    (no_name, "return conuts[arm]", "there is no 'conuts'. Define it above the rule, or correct"),
    (no_field, "return parameters.typo", "Parameters has no 'typo'. Add it to the class, or correct"),
    (no_function, "return math.squareroot(2.0)", "module 'math' has no attribute 'squareroot'. Correct"),
    (
        no_noise,
        "return noise.uniform",
        "noise has no 'uniform': it has the seed, the run and the round. For chance",
    ),
    (no_append, "state.append(1.0)", "an array has no 'append': its length is fixed. Ask for room"),
    (arguments, "return half(arm, 2.0)", "a function is called with the wrong arguments: too many"),
    (text_place, 'return state["arm"]', "an array is read at a whole number, like state[arm]"),
    (pair, "state[arm] = (1.0, 2.0)", "an element of an array takes one number, at a whole number"),
    (through, "return x + nothing_of_the_kind", "there is no 'nothing_of_the_kind'"),
]


@pytest.mark.parametrize(("index", "line", "words"), WRONG, ids=lambda value: getattr(value, "__name__", ""))
def test_what_is_wrong_in_python_too_is_not_sent_to_the_reference_engine(index, line, words):
    policy, _ = ruled(index=index, state_size=3)
    with pytest.raises(NotCompiled) as caught:
        played(policy, "step")
    assert f" of test_compiler_messages.py, `{line}`: {words}" in str(caught.value)
    assert "engine=" not in str(caught.value)
    with pytest.raises(IN_PYTHON):
        played(policy, "reference")


def test_an_update_is_explained_like_an_index():
    policy, _ = ruled(index=first_arm, update=lambda p, n, a, r, c, t, s: s.typo)
    with pytest.raises(NotCompiled, match=r"'<lambda>' .*, the update of a rule.* an array has no 'typo'"):
        played(policy, "step")


def test_a_corrected_rule_is_compiled_again():
    def index(parameters, noise, arm, counts, totals, state):
        return signed(arm)

    globals()["signed"] = undecorated
    policy, _ = ruled(index=index, horizon=12)
    for _ in range(2):  # the second time from what is remembered
        with pytest.raises(NotCompiled, match="'signed' is a plain Python function"):
            played(policy, "step")
    globals()["signed"] = numba.njit(undecorated)
    assert played(policy, "step") == played(policy, "reference") == [[12, 0, 0]] * 2


def test_an_uncompiled_rule_divides_by_zero_as_a_compiled_one():
    def index(parameters, noise, arm, counts, totals, state):
        return (undecorated(arm) + 1.0) * (1.0 + totals[arm] * 0.0) / np.float64(counts[arm])

    def compiled_index(parameters, noise, arm, counts, totals, state):
        return (1.0 - arm) * (1.0 + totals[arm] * 0.0) / np.float64(counts[arm])

    plain, _ = ruled(index=index, n_arms=2)
    fast, _ = ruled(index=compiled_index, n_arms=2)
    with pytest.raises(PolicyError, match=r"index of arm 1 that is NaN"):
        played(plain, "reference")
    with pytest.raises(PolicyError, match=r"index of arm 1 that is NaN"):
        played(fast, "step")
