"""What a stored number is a function of, as plain JSON: the key by which it is found again."""

from __future__ import annotations

import hashlib
import json
import sys
from dataclasses import fields
from functools import cache
from importlib import import_module
from pathlib import Path
from types import FunctionType
from typing import Any

import numpy as np

from steadyarm.errors import InvalidType, NotSupported
from steadyarm.model.instance import Instance
from steadyarm.policies.core.fingerprints import is_ours
from steadyarm.policies.core.policy import Policy
from steadyarm.policies.rules.rule import rule_of
from steadyarm.policies.rules.rule_policy import RulePolicy

RESULTS_VERSION = 3
"""Raised whenever the reward table, an engine or a policy gives other numbers than before, so that parts
stored by an older steadyarm are not taken for new ones. A test with the digest of many counts keeps watch."""


def own_version() -> str:
    """Return the version of this steadyarm."""
    return str(import_module("steadyarm").__version__)


def describe(policy: Policy, instance: Instance, seed: int, engine: str) -> dict[str, Any]:
    """Return all that the counts of a run depend on, besides the number of the run.

    >>> import steadyarm as sa
    >>> sorted(describe(sa.MOSS(n_arms=2, horizon=100), sa.equal_arms(2), 0, "prefix"))
    ['engine', 'instance', 'numbers', 'policy', 'seed']
    """
    description: dict[str, Any] = {
        "numbers": RESULTS_VERSION,
        "policy": policy.to_dict(),
        "instance": instance.to_dict(),
        "seed": seed,
        "engine": engine,
    }
    code = {kind.__module__: _source_digest(kind) for kind in own_classes(policy)}
    functions = own_functions(policy)
    code |= {function.__module__: _source_digest(function) for function in functions}
    names = [f"{each.__module__}.{each.__qualname__}:{each.__code__.co_firstlineno}" for each in functions]
    return description | ({"code": code} if code else {}) | ({"rule": names} if names else {})


def digest(description: dict[str, Any]) -> str:
    """Return the SHA-256 of a description's canonical JSON."""
    return hashlib.sha256(canonical(description).encode()).hexdigest()


def canonical(value: Any) -> str:
    """Return the one JSON text of a plain value: sorted keys, no spaces, shortest exact numbers.

    >>> canonical({"b": (1, np.float64(0.5)), "a": None})
    '{"a":null,"b":[1,0.5]}'
    """
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, default=_plain)


def own_classes(policy: Policy) -> list[type]:
    """Return the classes of the user's own that a policy, or one inside it, is made of."""
    kinds = [kind for kind in type(policy).__mro__ if not _is_known(kind.__module__)]
    for inner in _inner(policy):
        kinds += own_classes(inner)
    return kinds


def own_functions(policy: Policy) -> list[FunctionType]:
    """Return the functions of the rules of the user's own that a policy, or one inside it, follows."""
    found: list[Any] = []
    if isinstance(policy, RulePolicy) and not is_ours(type(policy.parameters)):
        rule = rule_of(policy.parameters)
        found += [each for each in (rule.index, rule.choose, rule.update, rule.keep) if each is not None]
    for inner in _inner(policy):
        found += own_functions(inner)
    return found


def _inner(policy: Policy) -> list[Policy]:
    values = (getattr(policy, field.name) for field in fields(policy))
    return [value for value in values if isinstance(value, Policy)]


def _is_known(module: str) -> bool:
    root = module.partition(".")[0]
    return root == "steadyarm" or (root in sys.stdlib_module_names and root != "__main__")


def source_file(kind: type | FunctionType) -> str | None:
    """Return the file that a class or function was defined in; None for what was typed in."""
    return getattr(sys.modules.get(kind.__module__), "__file__", None)


@cache  # by class or function: the file may be edited while what is in memory stays what it was
def _source_digest(kind: type | FunctionType) -> str:
    """Return the digest of the file that a class or function was defined in: its code may change, its name stays."""
    file = source_file(kind)
    if file is None or not Path(file).is_file():
        raise NotSupported(
            f"a study cannot be kept of {kind.__name__}, which was typed in: nothing would tell when its code "
            "changes. Put it into a file, like my_module.py, and import it from there."
        )
    return hashlib.sha256(Path(file).read_bytes()).hexdigest()


def _plain(value: Any) -> Any:
    if isinstance(value, np.generic | np.ndarray):
        return value.tolist()
    raise InvalidType(
        f"what is stored must be described by numbers, words, lists and dicts; got {value!r}. "
        "Give the policy a to_dict that returns these."
    )
