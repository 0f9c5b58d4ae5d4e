"""Keys of stored numbers: they depend on all that a run depends on, code of one's own included."""

import hashlib
import importlib
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.policies.formulas import ROWS

import steadyarm as sa
from steadyarm.errors import InvalidType
from steadyarm.policies import rule
from steadyarm.study.runs.keys import RESULTS_VERSION, canonical, describe, digest


@settings(max_examples=30)
@given(
    st.recursive(
        st.none() | st.integers() | st.floats(allow_nan=False) | st.text(),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    )
)
def test_canonical_json_says_everything_once(value):
    assert json.loads(canonical(value)) == value
    assert canonical(json.loads(canonical(value))) == canonical(value)


def test_what_has_no_plain_form_is_refused():
    with pytest.raises(InvalidType, match="Give the policy a to_dict"):
        canonical({"x": object()})


def test_a_key_depends_on_all_that_a_run_depends_on():
    policy, instance = sa.MOSS(n_arms=2, horizon=100), sa.equal_arms(2)
    keys = [
        describe(policy, instance, 0, "prefix"),
        describe(policy.replace(horizon=101), instance, 0, "prefix"),
        describe(sa.UCB(n_arms=2, horizon=100), instance, 0, "prefix"),
        describe(policy, sa.equal_gap(2, gap=0.1), 0, "prefix"),
        describe(policy, instance, 1, "prefix"),
        describe(policy, instance, 0, "step"),
    ]
    assert len({digest(key) for key in keys}) == len(keys)


OWN = """
from dataclasses import dataclass
import steadyarm as sa

@dataclass(frozen=True, kw_only=True)
class {name}(sa.RoundRobin):
    title = "mine"
    # {comment}
"""


def test_a_policy_of_ones_own_is_told_apart_by_its_code(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr("sys.dont_write_bytecode", True)
    keys = []
    module = None
    for comment in ("first", "first", "changed"):
        (tmp_path / "module_of_ones_own.py").write_text(OWN.format(name="Mine", comment=comment))
        module = importlib.reload(module) if module else importlib.import_module("module_of_ones_own")
        policies = [module.Mine(n_arms=2, horizon=10), sa.Padded(module.Mine(n_arms=3, horizon=10))]
        keys.append([digest(describe(policy, sa.equal_arms(2), 0, "reference")) for policy in policies])
    assert keys[0] == keys[1]
    assert all(old != new for old, new in zip(keys[1], keys[2], strict=True))


RULED = """
from dataclasses import dataclass
from typing import NamedTuple
import steadyarm as sa
from steadyarm.policies import RulePolicy, rule
class RuledParameters(NamedTuple):
    scale: float
def first(parameters, noise, arm, counts, totals, state):
    return -float(arm)
def last(parameters, noise, arm, counts, totals, state):
    return float(arm)
rule(RuledParameters, index=first)
@dataclass(frozen=True, kw_only=True)
class Ruled(RulePolicy):
    title = "ruled"
    source = "a test"
    @property
    def parameters(self):
        return RuledParameters(1.0)
"""


def test_a_rule_of_ones_own_is_told_apart_by_its_functions(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "rules_of_ones_own.py").write_text(RULED)
    module = importlib.import_module("rules_of_ones_own")

    def keys():
        policies = [module.Ruled(n_arms=2, horizon=10), sa.Padded(module.Ruled(n_arms=3, horizon=10))]
        return [digest(describe(policy, sa.equal_arms(2), 0, "step")) for policy in policies]

    before = keys()
    assert keys() == before
    rule(module.RuledParameters, index=module.last)
    assert all(old != new for old, new in zip(before, keys(), strict=True))
    rule(module.RuledParameters, index=module.first)
    assert keys() == before


RESULTS_3 = {name: row.digest for name, row in ROWS.items() if row.digest} | {
    "gaussian": "83805b37",
    "gaussian sums": "65dd3c9f",
    "bounded": "215274a4",
    "bounded sums": "1a4a92de",
    "leap 1e+07": "9d6d6b43",
    "leap 1e+12": "212bdad1",
}


def _digests():
    """A few bytes for everything that decides numbers."""
    coins = sa.Instance.bernoulli([0.8, 0.5, 0.2])
    for name, kind in sa.all_policies().items():
        policy = kind(n_arms=3, horizon=3000, noise_scale=0.5)
        yield name, sa.simulate(policy, coins, runs=3, seed=1).counts
    for instance in (sa.equal_gap(3, gap=0.1), sa.Instance.bounded([0.2, 0.5, 0.7])):
        policy = sa.SLEUCB(n_arms=3, horizon=400, constants="sharp")
        played = sa.simulate(policy, instance, runs=3, seed=2)
        yield instance.rewards, played.counts
        yield f"{instance.rewards} sums", sa.Laboratory().reward_moments(played).sums
    for horizon in (10**7, 10**12):
        policy = sa.SLEUCB(n_arms=3, horizon=horizon, constants="sharp")
        yield f"leap {horizon:.0e}", sa.simulate(policy, sa.equal_gap(3, gap=0.01), runs=3, seed=3).counts


def test_the_numbers_are_those_that_older_studies_have_stored():
    """A new policy needs its row. If an old row differs, raise RESULTS_VERSION before putting the new digest there."""
    now = {name: hashlib.sha256(rows.tobytes()).hexdigest()[:8] for name, rows in _digests()}
    assert RESULTS_VERSION == 3
    assert now == RESULTS_3
