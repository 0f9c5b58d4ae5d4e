"""Traffic as a configuration declares it: quotas of arms, a holdout, strata, and what an experiment continues."""

from __future__ import annotations

from typing import Any

from steadyarm.errors import InvalidInput
from steadyarm.live.core.names import check_name, repeated, shown
from steadyarm.live.core.problems import Problem
from steadyarm.live.core.setup.setup import Stratum, stratum_seed
from steadyarm.model import checks
from steadyarm.policies import Policy, Quotas

MOST_STRATA = 50
MOST_PARTS = 1000  # arms times strata: all of it is looked at after every commit
LONGEST_STRATUM = 64  # characters of its name

_KINDS = ("at_least", "exactly", "at_most")


def quotas(given: Any, arms: list[str], policy: Policy) -> tuple[Quotas, dict[str, dict[str, float]]]:
    """Return a policy within the quotas of a configuration, and these in plain numbers.

    >>> import steadyarm as sa
    >>> policy = sa.MOSS(n_arms=2, horizon=100)
    >>> quotas({"old": {"at_least": 0.2}}, ["old", "new"], policy)[0].at_least
    (0.2, 0.0)
    """
    if not isinstance(given, dict) or not given:
        raise InvalidInput(
            f'traffic must name arms with their shares, like {{"control": {{"at_least": 0.2}}}}; got {shown(given)}. '
            "Leave traffic out if no arm has a share; members that are null count as left out."
        )
    floors, caps, plain = [0.0] * len(arms), [1.0] * len(arms), {}
    for name, said in given.items():
        if name not in arms:
            raise InvalidInput(
                f"traffic must name arms of the experiment; {shown(name)} is none of them. Name one of arms."
            )
        arm, plain[name] = arms.index(name), _shares(name, said)
        exactly = plain[name].get("exactly")
        floors[arm] = plain[name].get("at_least", 0.0) if exactly is None else exactly
        caps[arm] = plain[name].get("at_most", 1.0) if exactly is None else exactly
        if floors[arm] > caps[arm]:
            raise InvalidInput(
                f"at_least must not be more than at_most; arm {name!r} has {floors[arm]:g} and {caps[arm]:g}. Lower "
                "the one or raise the other."
            )
    return Quotas(policy, floors, caps), plain


def _shares(name: str, said: Any) -> dict[str, float]:
    if not isinstance(said, dict) or not said or said.keys() - set(_KINDS):
        raise InvalidInput(
            f"the traffic of arm {name!r} must be an object with {', '.join(_KINDS)}, or some of them; got "
            f"{shown(said)}. Leave an arm out that has no share; members that are null count as left out."
        )
    if "exactly" in said and len(said) > 1:
        raise InvalidInput(
            f"the traffic of arm {name!r} must be exactly a share, or at_least and at_most; got {shown(said)}. "
            "Leave one of these out."
        )
    return {kind: _share(share, f"{kind} of arm {name!r}", "rounds") for kind, share in said.items()}


def _share(value: Any, what: str, of: str) -> float:
    share = checks.real(value, what, above=0.0, at_most=1.0, remedy=f"It is a share of the {of}.")
    if round(share, 6) != share:
        raise InvalidInput(f"{what} must have six decimals at most; got {share!r}. Round it.")
    return share


def holdout(given: Any, arms: list[str]) -> dict[str, Any]:
    """Return the holdout of a configuration, {"share": 0.1} or with a stated arm; a number is a share.

    >>> holdout(0.1, ["old", "new"]), holdout({"share": 0.2, "arm": "old"}, ["old", "new"])
    ({'share': 0.1}, {'share': 0.2, 'arm': 'old'})
    """
    said = given if isinstance(given, dict) else {"share": given}
    if "share" not in said or said.keys() - {"share", "arm"}:
        raise InvalidInput(
            f'holdout must be a share, or like {{"share": 0.1, "arm": "control"}}; got {shown(given)}.'
        )
    if "arm" in said and said["arm"] not in arms:
        raise InvalidInput(
            f"the arm of a holdout must be an arm of the experiment; got {shown(said['arm'])}. Name one of arms."
        )
    share = _share(said["share"], "the share of a holdout", "units")
    if share == 1.0:
        raise InvalidInput(
            "the share of a holdout must be below 1, or no unit would get an arm; got 1. Give less."
        )
    return dict(said) | {"share": share}


def strata(given: Any, seed: int, policy: Policy) -> tuple[Stratum, ...]:
    """Return the strata of a configuration, each with the seed and the priorities of its play."""
    if not isinstance(given, list) or not 2 <= len(given) <= MOST_STRATA:
        raise InvalidInput(f"strata must be a list of 2 to {MOST_STRATA} names; got {shown(given)}.")
    for name in given:
        fine = isinstance(name, str) and 1 <= len(name) <= LONGEST_STRATUM and name.isprintable()
        if not fine or name.strip() != name:
            raise InvalidInput(
                f"a stratum's name must have 1 to {LONGEST_STRATUM} printable characters, without a space at its "
                f"beginning or end; got {shown(name)}."
            )
    if len(set(given)) != len(given):
        raise InvalidInput(
            f"strata must have distinct names; {shown(repeated(given))} appears twice. Rename one."
        )
    if len(given) * policy.n_arms > MOST_PARTS:
        raise InvalidInput(
            f"arms times strata must be at most {MOST_PARTS:,}; got {policy.n_arms:,} times {len(given)}. Create an "
            "experiment for each stratum."
        )
    seeds = {name: stratum_seed(seed, name) for name in given}
    return tuple(Stratum(name, each, tuple(policy.start(seed=each).priority)) for name, each in seeds.items())


def predecessor(given: Any) -> str:
    """Return the name of the experiment that one continues."""
    try:
        return check_name(given)
    except Problem as error:
        raise InvalidInput(f"continues must name an experiment: {error}") from None
