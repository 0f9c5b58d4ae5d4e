"""The options that describe policies, and the policies they describe."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass, fields
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from steadyarm.cli.options.common import Alpha, MeanBound, given

if TYPE_CHECKING:
    from steadyarm.model import Instance
    from steadyarm.policies import Policy

PolicyName = Annotated[
    str,
    typer.Option(
        "--policy", help="Name of a policy (see `steadyarm policies`), or your own, like my_module:MyPolicy."
    ),
]
PolicyNames = Annotated[
    str,
    typer.Option(
        "--policies",
        help="Names separated by commas (see `steadyarm policies`), or your own, like my_module:MyPolicy; "
        "or all: those that can play the instance.",
        metavar="A,B,…",
    ),
]
Constants = Annotated[
    str | None, typer.Option("--constants", help="paper or sharp. Default: paper.", show_default=False)
]
Beta = Annotated[
    float | None, typer.Option("--beta", help="β of your choice; the guarantee is computed for it.")
]
Spread = Annotated[
    float | None,
    typer.Option(
        "--spread",
        help="Steady's knob: the instability to aim at, in pulls. Default: T/(10K).",
        show_default=False,
    ),
]
Parameters = Annotated[
    list[str] | None,
    typer.Option(
        "--parameter",
        help="A parameter of the policy, like constant=2; may be repeated.",
        metavar="NAME=VALUE",
    ),
]
OutsideClass = Annotated[
    bool, typer.Option("--outside-class", help="Run even if the instance is outside the policy's class.")
]


@dataclass(frozen=True)
class PolicyOptions:
    """What a policy is told of its class, and its parameters."""

    mean_bound: MeanBound = None
    alpha: Alpha = None
    constants: Constants = None
    beta: Beta = None
    spread: Spread = None
    parameter: Parameters = None

    @property
    def asked(self) -> dict[str, Any]:
        """The parameters by name, None where an option was left out; nothing may be said twice."""
        from steadyarm.errors import InvalidInput

        options = {"alpha": self.alpha, "constants": self.constants, "beta": self.beta, "spread": self.spread}
        parameters = read_parameters(self.parameter)
        for name in parameters:
            if options.get(name) is not None:
                raise InvalidInput(
                    f"--{name} and --parameter {name}=… say the same thing. Leave one of them out."
                )
        return options | parameters

    def build(self, name: str, n_arms: int, horizon: int, noise_scale: float | None) -> Policy:
        """Make one policy."""
        known = given(mean_bound=self.mean_bound, noise_scale=noise_scale)
        return build_policy(name, n_arms, horizon, known, self.asked)

    def build_several(
        self, names: str, instance: Instance, horizon: int, noise_scale: float, outside_class: bool
    ) -> list[Policy]:
        """Make the policies named, or all that can play the instance."""
        from steadyarm.study.runs.resolve_policies import able

        known = given(mean_bound=self.mean_bound, noise_scale=noise_scale)
        records = build_policies(names, instance, horizon, known, self.asked)
        if names != "all":
            return records
        found, left_out = able(records, [instance], horizon, outside_class)
        for name, reason in left_out.items():
            typer.echo(f"left out {name}: {reason}", err=True)
        return found


def build_policy(
    name: str,
    n_arms: int,
    horizon: int,
    known: dict[str, Any],
    asked: dict[str, Any],
    option: str = "--policy",
) -> Policy:
    """Make a policy, of the registry or the user's own: M and σ are `known`, parameters of its own are `asked` for."""
    from steadyarm.errors import InvalidInput, SteadyarmError
    from steadyarm.policies.registry import make_policy

    kind = policy_class(name, option)
    try:
        return make_policy(kind, n_arms=n_arms, horizon=horizon, **known, parameters=asked)
    except SteadyarmError:
        raise
    except Exception as error:  # whatever a user's own class does
        if ":" not in name:
            raise
        print_own_trace(error)
        raise InvalidInput(f"{name} could not be made: {type(error).__name__}: {error}") from error


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
    return found


def _module(module_name: str, name: str, option: str) -> Any:
    """Import a user's module; a missing one is told apart from one that fails, whatever it fails with."""
    from steadyarm.errors import InvalidInput

    folder = str(Path.cwd())
    if folder not in sys.path:
        sys.path.insert(0, folder)
    parts = module_name.split(".")
    module: Any = None
    for end in range(1, len(parts) + 1):  # a package before what is in it
        each = ".".join(parts[:end])
        if not (parts[end - 1] and _exists(each, module)):
            raise InvalidInput(
                f"{option} {name}: there is no module {module_name!r} in this folder or on Python's path."
            )
        try:
            module = import_module(each)
        except (Exception, SystemExit) as error:  # the user's file may do anything
            print_own_trace(error)
            reason = " ".join(f"{type(error).__name__}: {error}".split())
            raise InvalidInput(f"{option} {name}: importing {each!r} failed with {reason}") from error
    return module


def _exists(name: str, package: Any) -> bool:
    """Whether there is such a module, inside a package if one is given; nothing is imported."""
    inside = package is None or hasattr(package, "__path__")
    return name in sys.modules or (inside and find_spec(name) is not None)


def print_own_trace(error: BaseException) -> None:
    """Print an error as Python does, from the user's own files on."""
    from traceback import TracebackException

    trace = TracebackException.from_exception(error)
    while trace.stack and ("importlib" in trace.stack[0].filename or trace.stack[0].filename == __file__):
        del trace.stack[0]
    typer.echo("".join(trace.format()), err=True, nl=False)


def read_parameters(words: Sequence[str] | None) -> dict[str, Any]:
    """Read NAME=VALUE pairs; a value is a number where it reads like one."""
    from steadyarm.errors import InvalidInput

    parameters: dict[str, Any] = {}
    for word in words or ():
        name, equals, value = word.partition("=")
        if not equals or not name.strip() or not value.strip():
            raise InvalidInput(f"--parameter must be like constant=2; got {word!r}.")
        if name.strip() in parameters:
            raise InvalidInput(f"--parameter {name.strip()} is given twice. Leave one of them out.")
        try:
            parameters[name.strip()] = json.loads(value.strip())
        except ValueError:
            parameters[name.strip()] = value.strip()
    for name in ("n_arms", "horizon"):
        if name in parameters:
            raise InvalidInput(f"--parameter cannot set {name}; use --arms (or --means) and --horizon.")
    return parameters
