"""The rules of a journal's first entry, from which an experiment is made: its parts are there, and fit together.

What a configuration may ask for is stated in `configuration`, which knows the limits of today. Here it was asked for
already, maybe under other limits; so what is checked is that everything can be played, and that the policy is the one
of the configuration.
"""

from __future__ import annotations

import re
from typing import Any

from steadyarm.errors import SteadyarmError
from steadyarm.live.core.experiment import VERSION, VERSIONS, Experiment
from steadyarm.live.core.journal import Broken, Chain, Row, moment
from steadyarm.live.core.names import check_name, check_text
from steadyarm.live.core.setup.configuration import LARGEST_SEED, arms_of, attribution_of, steered
from steadyarm.live.core.setup.setup import Setup, Stratum, declared_class
from steadyarm.live.core.setup.traffic import holdout
from steadyarm.model import checks
from steadyarm.policies import Mixed, Policy, Quotas, policy_named

_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", re.ASCII).fullmatch
_HASH = re.compile("[0-9a-f]{64}").fullmatch
_APART = ("policy", "rewards")  # a policy's own names for these are others
_ODD = (SteadyarmError, KeyError, TypeError, ValueError, AttributeError, OverflowError, RecursionError)


def begin(identity: int, name: str, first: Row) -> Experiment:
    """Return the experiment that a journal's first entry creates."""
    chain = Chain(name)
    entry = chain.check(first)
    version = entry.get("version")
    if entry["kind"] != "created" or type(version) is not int or version not in VERSIONS:
        raise chain.broken(1, f"a journal begins with an entry 'created' of version 1 or {VERSION}")
    if "unit" in entry:
        raise chain.broken(1, "a journal begins with an entry about no unit")
    check_origin(name, entry, version)
    try:
        setup = Setup.from_entry(entry)
        _check(entry, setup)
        experiment = Experiment(identity, name, setup, entry["at"], version)
        experiment.continues = _link(entry)
    except _ODD as error:
        reason = error if str(error) else type(error).__name__
        raise chain.broken(1, f"its configuration cannot be played ({reason})") from None
    experiment.chain = chain
    return experiment


def check_origin(name: str, entry: dict[str, Any], version: int) -> None:
    """Refuse an entry, the first or a later one, that does not say when it was made, by what and by whom."""
    try:
        if not _TIME(entry["at"]):
            raise ValueError
        moment(entry["at"])
    except (KeyError, TypeError, ValueError):
        raise Broken(name, entry["seq"], "it does not say when it was made") from None
    if version > 1 and not (
        isinstance(entry.get("software"), str) and isinstance(entry.get("actor", ""), str)
    ):
        rule = "it does not say by whom and by which version of the software it was made"
        raise Broken(name, entry["seq"], rule)


def _check(entry: dict[str, Any], setup: Setup) -> None:
    configuration, seed = entry["configuration"], entry["seed"]
    if not isinstance(entry["requested"], dict):
        raise TypeError("what was asked for must be an object")
    if not isinstance(seed, int) or isinstance(seed, bool) or not 0 <= seed <= LARGEST_SEED:
        raise ValueError(f"a seed must be a whole number from 0 to {LARGEST_SEED}")
    if configuration.get("seed", seed) != seed:
        raise ValueError("it has another seed than it was asked to have")
    arms = arms_of(configuration["arms"])
    for said, priority in [("", setup.priority), *((each.name, each.priority) for each in setup.strata)]:
        if sorted(priority) != [*range(len(arms))]:
            raise ValueError(f"the priorities {said!r} must have every arm once")
    if any(each.keys() != set(Stratum._fields) for each in entry.get("strata", ())):
        raise ValueError("a stratum has a name, a seed and priorities, and nothing else")
    _check_policy(configuration, setup.policy)
    checks.real(configuration["noise_scale"], "noise_scale", above=0.0)
    declared_class(configuration)
    if "description" in configuration:
        check_text(configuration["description"], "description")
    if "attribution" in configuration and configuration["attribution"] != attribution_of(
        configuration["attribution"], setup
    ):
        raise ValueError("attribution must be in seconds, with a reward")
    if "holdout" in configuration and configuration["holdout"] != holdout(configuration["holdout"], arms):
        raise ValueError("a holdout must be a share, maybe with an arm")


def _check_policy(configuration: dict[str, Any], policy: Policy) -> None:
    """Refuse a policy that is another than the configuration says, by as much as that says."""
    inner = policy.policy if isinstance(policy, Mixed | Quotas) else policy
    said = inner.to_dict() | {"n_arms": len(configuration["arms"]), "horizon": configuration["horizon"]}
    said |= {name: configuration[name] for name in said.keys() & configuration.keys() - set(_APART)}
    if said != inner.to_dict() or steered(inner, dict(configuration)) != policy:
        raise ValueError("its policy is not the one of its configuration")
    if "policy" in configuration and policy_named(configuration["policy"]) is not type(inner):
        raise ValueError("its policy has another name than in its configuration")


def _link(entry: dict[str, Any]) -> dict[str, Any] | None:
    """Return the entry of another journal that a first entry follows on."""
    link, named = entry.get("continues"), entry["configuration"].get("continues")
    if (link is None) != (named is None):
        raise ValueError("it must say which entry of which experiment it continues")
    if link is None:
        return None
    if (link["experiment"], type(link["seq"]), type(link["hash"])) != (check_name(named), int, str):
        raise ValueError("it continues another experiment than it was asked to")
    if link["seq"] < 1 or not _HASH(link["hash"]):
        raise ValueError("the entry that it continues after cannot exist")
    return dict(link)
