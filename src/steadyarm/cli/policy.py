"""`steadyarm policy new`: begin a policy of your own, with a test beside it."""

from __future__ import annotations

import keyword
import sys
from collections.abc import Callable
from importlib.machinery import PathFinder
from pathlib import Path
from typing import Annotated

import typer

from steadyarm.cli.options.common import say_written

KINDS = {
    "index": "an index of each arm's rewards and of the round",
    "state": "numbers of its own for each arm",
    "random": "random numbers",
}


def new(
    file: Annotated[Path, typer.Argument(help="The file to write, like my_policy.py.")],
    kind: Annotated[
        str,
        typer.Option("--kind", help=f"{'; '.join(f'{name}: {what}' for name, what in KINDS.items())}."),
    ] = "index",
) -> None:
    """Write a working policy to start from, and its test.

    The test checks everything that a policy must do.
    """
    from jinja2 import Environment, PackageLoader, StrictUndefined

    from steadyarm.errors import InvalidInput

    if kind not in KINDS:
        raise InvalidInput(f"--kind must be one of {', '.join(KINDS)}; got {kind!r}.")
    name = class_name(file)
    test = file.with_name(f"test_{file.name}")
    if not file.parent.is_dir():
        raise InvalidInput(
            f"the folder {file.parent} must be there; it is not. Make it with: mkdir -p {file.parent}"
        )
    for path in (file, test):
        if path.exists():
            raise InvalidInput(f"{path} exists and is not overwritten. Choose another name, or move it away.")
    loader = PackageLoader("steadyarm", "cli")
    environment = Environment(loader=loader, undefined=StrictUndefined, keep_trailing_newline=True)
    for path, template in ((file, "policy.py.jinja"), (test, "test_policy.py.jinja")):
        text = environment.get_template(template).render(
            name=name, module=file.stem, title=file.stem.replace("_", " ").strip(), kind=kind
        )
        path.write_text(text, encoding="utf-8")
    say_written([file, test])
    print("Next:")
    if file.parent != Path():
        print(f"  cd {file.parent}")
    print(f"  pytest {test.name}")
    print(f"  steadyarm compare --policies {file.stem}:{name},MOSS,Steady --arms 2 --gap 0.2 --horizon 1e4")


def class_name(file: Path) -> str:
    """Return the name of the class in a file.

    >>> class_name(Path("my_policy.py"))
    'MyPolicy'
    """
    from steadyarm.errors import InvalidInput
    from steadyarm.policies import all_policies

    module = file.stem
    name = "".join(part[:1].upper() + part[1:] for part in module.split("_"))
    if (
        file.suffix != ".py"
        or not module.isidentifier()
        or keyword.iskeyword(module)
        or not name.isidentifier()
    ):
        raise InvalidInput(
            "the file must have a name that Python can import: letters, digits and underscores, and .py, like "
            f"my_policy.py; got {file.name!r}."
        )
    if module in sys.stdlib_module_names or module == "steadyarm" or name in all_policies():
        raise InvalidInput(
            f"the file must have a name of its own; {module!r} is one of Python's or steadyarm's. Try "
            f"my_{module}.py."
        )
    where = _installed(module, file.parent)
    if where is not None:
        raise InvalidInput(
            f"the file must have a name of its own; {module!r} is a module that is installed ({where}), which nothing "
            f"in its folder could import any more. Try my_{module}.py."
        )
    return name


def _installed(module: str, folder: Path) -> str | None:
    """Return where a module of a name stands already, outside of the folder; None if it is free."""
    found = PathFinder.find_spec(
        module, [each for each in sys.path if Path(each).resolve() != folder.resolve()]
    )
    if found is None:
        return None
    return found.origin or next(iter(found.submodule_search_locations or ()), "a package")


COMMANDS: dict[str, Callable[..., None]] = {"new": new}
