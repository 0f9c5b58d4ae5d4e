"""From words on the command line to an instance and policies, the same in every command."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from dataclasses import fields
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from steadyarm.cli.options import numbers

if TYPE_CHECKING:
    from steadyarm.model import Instance
    from steadyarm.policies import Policy

FAMILIES = ("equal_gap", "one_better", "ladder", "equal_arms")

Means = Annotated[
    str | None, typer.Option("--means", help="The arms' means, like 0,-0.1,-0.1.", metavar="M1,M2,…")
]
Family = Annotated[
    str | None,
    typer.Option("--family", help=f"Instead of means: {', '.join(FAMILIES)}. Default: equal_gap."),
]
Gap = Annotated[float | None, typer.Option("--gap", help="The family's gap between arms. Default: 0.1.")]
Rewards = Annotated[str, typer.Option("--rewards", help="gaussian, bernoulli (0/1) or bounded.")]
Low = Annotated[float | None, typer.Option("--low", help="Smallest bounded reward. Default: 0.")]
High = Annotated[float | None, typer.Option("--high", help="Largest bounded reward. Default: 1.")]
Constants = Annotated[
    str | None, typer.Option("--constants", help="paper or sharp. Default: paper.", show_default=False)
]
Beta = Annotated[float | None, typer.Option("--beta", help="β by hand; carries no guarantee.")]
Parameters = Annotated[
    list[str] | None,
    typer.Option(
        "--parameter",
        help="A parameter of the policy, like constant=2; can be given several times.",
        metavar="NAME=VALUE",
    ),
]
OutsideClass = Annotated[
    bool, typer.Option("--outside-class", help="Run even if the instance is outside the policy's class.")
]


def build_instance(
    rewards: str,
    means: str | None,
    family: str | None,
    arms: int | None,
    gap: float | None,
    noise_scale: float | None,
    low: float | None,
    high: float | None,
) -> Instance:
    """Make the instance that the options describe."""
    import steadyarm as sa
    from steadyarm.errors import InvalidInput
    from steadyarm.model import checks
    from steadyarm.model.instance import LAWS

    checks.one_of(rewards, "--rewards", LAWS)
    noise = 1.0 if noise_scale is None else noise_scale
    if rewards != "bounded" and not (low is None and high is None):
        raise InvalidInput(f"--low and --high are for bounded rewards; these are {rewards}. Leave them out.")
    if means is not None:
        if family is not None or gap is not None:
            raise InvalidInput("--means says it all; leave --family and --gap out.")
        values = numbers(means)
        if arms is not None and arms != len(values):
            raise InvalidInput(f"--arms says {arms} but --means names {len(values)}. Leave one of them out.")
        if rewards == "gaussian":
            return sa.Instance.gaussian(values, noise)
        if rewards == "bernoulli":
            return sa.Instance.bernoulli(values)
        return sa.Instance.bounded(values, 0.0 if low is None else low, 1.0 if high is None else high)
    if rewards != "gaussian":
        raise InvalidInput(f"--family makes Gaussian arms; for {rewards} rewards give --means, like 0.6,0.5.")
    family = checks.one_of("equal_gap" if family is None else family, "--family", FAMILIES)
    n_arms = 2 if arms is None else arms
    if family == "equal_arms":
        if gap is not None:
            raise InvalidInput("--family equal_arms has no gap; leave --gap out.")
        return sa.equal_arms(n_arms, noise_scale=noise)
    build = {"equal_gap": sa.equal_gap, "one_better": sa.one_better, "ladder": sa.ladder}[family]
    return build(n_arms, 0.1 if gap is None else gap, noise_scale=noise)


def build_policy(
    name: str,
    n_arms: int,
    horizon: int,
    given: dict[str, Any],
    asked: dict[str, Any],
    option: str = "--policy",
) -> Policy:
    """Make the policy; `given` goes to those that have such a parameter, `asked` is refused by the others."""
    from steadyarm.errors import InvalidInput, SteadyarmError

    kind = policy_class(name, option)
    known = parameters_of(kind)
    parameters = {key: value for key, value in given.items() if key in known}
    for key, value in asked.items():
        if value is not None and key not in known:
            raise InvalidInput(f"{name} has no parameter {key!r}; it has {', '.join(sorted(known))}.")
        if value is not None:
            parameters[key] = value
    try:
        return kind(n_arms=n_arms, horizon=horizon, **parameters)
    except SteadyarmError:
        raise
    except Exception as error:  # whatever a user's own class does, in one line
        if ":" not in name:
            raise
        raise InvalidInput(f"{name} could not be made: {type(error).__name__}: {error}") from None


def build_policies(
    policies: str, instance: Instance, horizon: int, given: dict[str, Any], asked: dict[str, Any]
) -> list[Policy]:
    """Make the policies; a parameter that none of them has is refused."""
    import steadyarm as sa
    from steadyarm.errors import InvalidInput

    names = list(sa.all_policies()) if policies == "all" else [name.strip() for name in policies.split(",")]
    known = {name: parameters_of(policy_class(name, "--policies")) for name in names}
    for key, value in asked.items():
        whose, _, parameter = key.rpartition(".")
        if value is not None and not any(
            parameter in parameters and whose in ("", name) for name, parameters in known.items()
        ):
            raise InvalidInput(f"none of {', '.join(names)} has a parameter {key!r}. Leave it out.")
    records = []
    for name in names:
        own = {key: value for key, value in asked.items() if key in known[name]}
        own |= {
            key.removeprefix(f"{name}."): value for key, value in asked.items() if key.startswith(f"{name}.")
        }
        records.append(build_policy(name, instance.n_arms, horizon, given, own, "--policies"))
    return records


def able_policies(records: list[Policy], instance: Instance, outside_class: bool) -> list[Policy]:
    """Leave out, and name, the policies that cannot play the instance."""
    from steadyarm.study.contestants import refusal

    refused = {record.name: refusal(record, instance, outside_class) for record in records}
    for name, reason in refused.items():
        if reason:
            typer.echo(f"left out {name}: {reason}", err=True)
    return [record for record in records if not refused[record.name]]


def parameters_of(kind: type[Policy]) -> set[str]:
    """Return the names of a policy's parameters."""
    return {field.name for field in fields(kind)}


def policy_class(name: str, option: str = "--policy") -> type[Policy]:
    """Return a policy of the registry, or one of the user's own, named like my_module:MyPolicy."""
    import steadyarm as sa
    from steadyarm.errors import InvalidInput
    from steadyarm.policies import Policy

    kinds = sa.all_policies()
    if ":" not in name:
        if name not in kinds:
            raise InvalidInput(
                f"{option} must be one of {', '.join(map(repr, kinds))}, or a class of your own, like "
                f"my_module:MyPolicy; got {name!r}."
            )
        return kinds[name]
    module_name, _, class_name = name.partition(":")
    found = getattr(_module(module_name, name, option), class_name, None)
    if found is None:
        raise InvalidInput(
            f"{option} {name}: the module {module_name!r} has no {class_name!r}. Check the spelling."
        )
    if not (isinstance(found, type) and issubclass(found, Policy)):
        raise InvalidInput(
            f"{option} {name}: {class_name!r} is not a subclass of steadyarm.Policy. See docs/own-policy.md."
        )
    if not isinstance(getattr(found, "title", None), str):
        raise InvalidInput(f"{option} {name}: the class must have a title, like title = 'my policy'.")
    return found


def _module(module_name: str, name: str, option: str) -> Any:
    from steadyarm.errors import InvalidInput

    folder = str(Path.cwd())
    if folder not in sys.path:
        sys.path.insert(0, folder)
    try:
        return import_module(module_name)
    except Exception as error:  # the user's file may do anything
        missing = isinstance(error, ModuleNotFoundError) and error.name in (
            module_name,
            module_name.split(".")[0],
        )
        if missing or isinstance(error, ValueError | TypeError):
            raise InvalidInput(
                f"{option} {name}: there is no module {module_name!r} in this folder or on Python's path."
            ) from None
        reason = " ".join(f"{type(error).__name__}: {error}".split())
        raise InvalidInput(f"{option} {name}: importing {module_name!r} failed with {reason}") from None


def read_parameters(words: Sequence[str] | None) -> dict[str, Any]:
    """Read NAME=VALUE pairs; a value is a number where it reads like one."""
    from steadyarm.errors import InvalidInput

    parameters: dict[str, Any] = {}
    for word in words or ():
        name, equals, value = word.partition("=")
        if not equals or not name.strip() or not value.strip():
            raise InvalidInput(f"--parameter must be like constant=2; got {word!r}.")
        if name.strip() in parameters:
            raise InvalidInput(f"--parameter {name.strip()} stands twice. Leave one of them out.")
        try:
            parameters[name.strip()] = json.loads(value.strip())
        except ValueError:
            parameters[name.strip()] = value.strip()
    for name in ("n_arms", "horizon"):
        if name in parameters:
            raise InvalidInput(f"--parameter cannot set {name}; use --arms (or --means) and --horizon.")
    return parameters


def ask_for(parameters: dict[str, Any], options: dict[str, Any]) -> dict[str, Any]:
    """Join --parameter with options such as --alpha, which must not say the same thing twice."""
    from steadyarm.errors import InvalidInput

    for name in parameters:
        if options.get(name) is not None:
            raise InvalidInput(
                f"--{name} and --parameter {name}=… say the same thing. Leave one of them out."
            )
    return options | parameters
