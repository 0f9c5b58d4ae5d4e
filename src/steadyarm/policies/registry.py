"""The policies that steadyarm knows, one line each, and how a user's own are found again."""

import os
import sys
from importlib import import_module
from typing import Any

from steadyarm.errors import InvalidInput, InvalidType
from steadyarm.policies.core.play import Play
from steadyarm.policies.core.policy import Policy
from steadyarm.policies.general.ada_ucb import AdaUCB
from steadyarm.policies.general.anytime_moss import AnytimeMOSS
from steadyarm.policies.general.asymptotic_ucb import AsymptoticUCB
from steadyarm.policies.general.beta_thompson import BetaThompson
from steadyarm.policies.general.epsilon_greedy import EpsilonGreedy
from steadyarm.policies.general.exp3 import Exp3
from steadyarm.policies.general.explore_then_commit import ExploreThenCommit
from steadyarm.policies.general.gaussian_thompson import GaussianThompson
from steadyarm.policies.general.kl_ucb import KLUCB
from steadyarm.policies.general.oc_ucb import OCUCB
from steadyarm.policies.general.optimistic_thompson import OptimisticThompson
from steadyarm.policies.general.stable_thompson import StableThompson
from steadyarm.policies.general.successive_elimination import SuccessiveElimination
from steadyarm.policies.general.tsallis_inf import TsallisINF
from steadyarm.policies.general.ucb1 import UCB1
from steadyarm.policies.general.ucb_v import UCBV
from steadyarm.policies.mixed import Mixed
from steadyarm.policies.own_history.kl_ucb_pp import KLUCBpp
from steadyarm.policies.own_history.kl_ucb_switch import KLUCBSwitch
from steadyarm.policies.own_history.moss import MOSS
from steadyarm.policies.own_history.round_robin import RoundRobin
from steadyarm.policies.own_history.safe_ucb import SafeUCB
from steadyarm.policies.own_history.sle_ucb import SLEUCB
from steadyarm.policies.own_history.steady import Steady
from steadyarm.policies.own_history.ucb import UCB
from steadyarm.policies.own_history.ucb_f import UCBf
from steadyarm.policies.quotas import Quotas

POLICIES: tuple[type[Policy], ...] = (
    SLEUCB,
    Steady,
    MOSS,
    UCB,
    UCBf,
    SafeUCB,
    KLUCBpp,
    KLUCBSwitch,
    RoundRobin,
    UCB1,
    AsymptoticUCB,
    AnytimeMOSS,
    KLUCB,
    UCBV,
    AdaUCB,
    OCUCB,
    GaussianThompson,
    BetaThompson,
    StableThompson,
    OptimisticThompson,
    TsallisINF,
    Exp3,
    EpsilonGreedy,
    ExploreThenCommit,
    SuccessiveElimination,
)

MADE_OF_ANOTHER: dict[str, type[Policy]] = {"Mixed": Mixed, "Quotas": Quotas}
"""The policies that go by another one, which their dicts hold as `of`."""

OWN_POLICIES = "STEADYARM_POLICIES"
"""The environment's list of policies like my_module:MyPolicy that are imported where a saved record names them."""


def all_policies() -> dict[str, type[Policy]]:
    """Return the registry: name to class.

    >>> all_policies()["SLEUCB"].title
    'SLE-UCB'
    """
    return {policy.__name__: policy for policy in POLICIES}


def policy_named(name: Any) -> type[Policy]:
    """Return a policy of steadyarm's, or a class of the user's own, my_module:MyPolicy.

    Of the latter only what is loaded is found, or listed in the environment: no file and no request imports a module.

    >>> policy_named("MOSS").title
    'MOSS'
    """
    kinds = all_policies()
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


def policy_from_dict(state: dict[str, Any]) -> Policy:
    """Make the policy that `to_dict` described.

    >>> policy = SLEUCB(n_arms=2, horizon=100, alpha=3.0)
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

    >>> play = SLEUCB(n_arms=2, horizon=10).start(seed=3)
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
