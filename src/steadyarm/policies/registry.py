"""The policies that steadyarm knows, one line each, and how a user's own are found again."""

import os
import sys
from collections.abc import Mapping
from dataclasses import fields
from functools import cache
from importlib import import_module
from typing import Any

from steadyarm.errors import InvalidInput, InvalidType
from steadyarm.model import checks
from steadyarm.policies.core.play import Play
from steadyarm.policies.core.policy import Policy
from steadyarm.policies.mixed import Mixed
from steadyarm.policies.quotas import Quotas

POLICIES = (
    "own_history.sle_ucb:SLEUCB",
    "own_history.steady:Steady",
    "own_history.moss:MOSS",
    "own_history.ucb:UCB",
    "own_history.ucb_f:UCBf",
    "own_history.safe_ucb:SafeUCB",
    "own_history.kl_ucb_pp:KLUCBpp",
    "own_history.kl_ucb_switch:KLUCBSwitch",
    "own_history.round_robin:RoundRobin",
    "general.ucb1:UCB1",
    "general.asymptotic_ucb:AsymptoticUCB",
    "general.anytime_moss:AnytimeMOSS",
    "general.kl_ucb:KLUCB",
    "general.ucb_v:UCBV",
    "general.ada_ucb:AdaUCB",
    "general.oc_ucb:OCUCB",
    "general.gaussian_thompson:GaussianThompson",
    "general.beta_thompson:BetaThompson",
    "general.stable_thompson:StableThompson",
    "general.optimistic_thompson:OptimisticThompson",
    "general.tsallis_inf:TsallisINF",
    "general.exp3:Exp3",
    "general.epsilon_greedy:EpsilonGreedy",
    "general.explore_then_commit:ExploreThenCommit",
    "general.successive_elimination:SuccessiveElimination",
)
"""Where each policy is, in the order in which they are shown."""

MADE_OF_ANOTHER: dict[str, type[Policy]] = {"Mixed": Mixed, "Quotas": Quotas}
"""The policies that go by another one, which their dicts hold as `of`."""

OWN_POLICIES = "STEADYARM_POLICIES"
"""The environment's list of policies like my_module:MyPolicy that are imported where a saved record names them."""


@cache
def _registry() -> dict[str, type[Policy]]:
    places = (address.split(":") for address in POLICIES)
    return {name: getattr(import_module(f"steadyarm.policies.{module}"), name) for module, name in places}


def all_policies() -> dict[str, type[Policy]]:
    """Return the registry: name to class.

    >>> all_policies()["SLEUCB"].title
    'SLE-UCB'
    """
    return dict(_registry())


def policy_named(name: Any) -> type[Policy]:
    """Return a policy of steadyarm's, or a class of the user's own, my_module:MyPolicy.

    Of the latter only what is loaded is found, or listed in the environment: no file and no request imports a module.

    >>> policy_named("MOSS").title
    'MOSS'
    """
    kinds = _registry()
    if isinstance(name, str) and name in kinds:
        return kinds[name]
    if not isinstance(name, str) or ":" not in name:
        raise InvalidInput(
            f"a policy must be one of {', '.join(map(repr, kinds))}, or a class of your own, like "
            f"my_module:MyPolicy; got {name!r}."
        )
    module_name, _, path = name.partition(":")
    if name in os.environ.get(OWN_POLICIES, "").split():
        import_module(module_name)
    found: Any = sys.modules.get(module_name)
    for part in path.split("."):
        found = getattr(found, part, None)
    if not (isinstance(found, type) and issubclass(found, Policy)):
        raise InvalidInput(
            f"the policy {name} must be a class at the top of a module that is loaded. Import {module_name!r} first; "
            f"for `steadyarm live` give --policy {name}, or set {OWN_POLICIES}."
        )
    return found


def make_policy(
    name: str | type[Policy],
    *,
    n_arms: int,
    horizon: int,
    mean_bound: float | None = None,
    noise_scale: float | None = None,
    parameters: Mapping[str, Any] | None = None,
) -> Policy:
    """Make the policy that a name of the registry, or a class, stands for.

    M and σ go to a policy that has such a parameter; any of `parameters` that it has not is refused. None leaves the
    policy its default.

    >>> make_policy("SLEUCB", n_arms=2, horizon=100, mean_bound=2.0).mean_bound
    2.0
    >>> make_policy("MOSS", n_arms=2, horizon=100, mean_bound=2.0, parameters={"constant": 2.0}).constant
    2.0
    """
    kinds = all_policies()
    if isinstance(name, str):
        kind = kinds[checks.one_of(name, "a policy's name", tuple(kinds))]
    elif isinstance(name, type) and issubclass(name, Policy):
        kind = name
    else:
        raise InvalidType(f"a policy must be a record, a name or a class of policies; got {name!r}.")
    known = {field.name for field in fields(kind)}
    class_of_rewards = {"mean_bound": mean_bound, "noise_scale": noise_scale}
    given = {key: value for key, value in class_of_rewards.items() if key in known and value is not None}
    for key, value in (parameters or {}).items():
        if value is not None and key not in known:
            raise InvalidInput(
                f"{kind.__name__} has no parameter {key!r}; it has {', '.join(sorted(known))}."
            )
        if value is not None:
            given[key] = value
    return kind(n_arms=n_arms, horizon=horizon, **given)


def policy_from_dict(state: dict[str, Any]) -> Policy:
    """Make the policy that `to_dict` described.

    >>> import steadyarm as sa
    >>> policy = sa.SLEUCB(n_arms=2, horizon=100, alpha=3.0)
    >>> policy_from_dict(policy.to_dict()) == policy
    True
    """
    if not isinstance(state, dict):
        raise InvalidType(f"a saved policy must be a dict; got {state!r}.")
    parameters = dict(state)
    name = parameters.pop("policy", None)
    wraps = isinstance(name, str) and name in MADE_OF_ANOTHER
    kind: Any = MADE_OF_ANOTHER[name] if wraps else policy_named(name)
    try:
        if wraps:
            parameters["policy"] = policy_from_dict(parameters.pop("of", None))
        made: Policy = kind(**parameters)
    except TypeError as error:
        if isinstance(error, InvalidInput):
            raise
        raise InvalidInput(f"the parameters of {name} do not fit: {error}.") from None
    return made


def play_from_dict(state: dict[str, Any]) -> Play:
    """Go on with a play that was saved with `to_dict`, exactly as it would have gone on.

    >>> import steadyarm as sa
    >>> play = sa.SLEUCB(n_arms=2, horizon=10).start(seed=3)
    >>> play.tell(play.ask(), 0.25)
    >>> again = play_from_dict(play.to_dict())
    >>> again.ask() == play.ask()
    True
    """
    if not isinstance(state, dict) or not {"policy", "seed", "run", "priority"} <= state.keys():
        raise InvalidInput(f"a saved play must be a dict made by to_dict; got {state!r}.")
    policy = policy_from_dict(state["policy"])
    play = policy.start(seed=state["seed"], run=state["run"], priority=state["priority"])
    play._load(state)
    return play
