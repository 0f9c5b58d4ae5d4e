"""The app: its commands, and what becomes of an error.

Command modules import the library inside their functions, so that `steadyarm --help` answers at once.
"""

import sys
from collections.abc import Callable
from functools import wraps

import typer

from steadyarm.cli.bench import bench
from steadyarm.cli.compare import compare
from steadyarm.cli.coverage import coverage
from steadyarm.cli.frontier import frontier
from steadyarm.cli.live import COMMANDS as LIVE
from steadyarm.cli.options.groups import in_options
from steadyarm.cli.plan import plan
from steadyarm.cli.policies import policies
from steadyarm.cli.policy import COMMANDS as POLICY
from steadyarm.cli.scaling import scaling
from steadyarm.cli.simulate import simulate
from steadyarm.cli.trial import trial
from steadyarm.cli.verify import verify
from steadyarm.cli.worst_case import worst_case

app = typer.Typer(
    name="steadyarm",
    help="Multi-armed bandits whose allocations you can reproduce: "
    "regret, instability and the frontier between them.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _careful(command: Callable[..., None], extra: str | None = None) -> Callable[..., None]:
    """Turn a refused input or a missing extra into one line and exit code 2, and Ctrl-C into one and exit code 130."""

    @wraps(command)
    def run(*words: object, **options: object) -> None:
        from steadyarm.errors import SteadyarmError

        try:
            command(*words, **options)
        except KeyboardInterrupt as interruption:
            print(f"steadyarm: {str(interruption) or 'stopped'}", file=sys.stderr)
            raise typer.Exit(130) from None
        except ModuleNotFoundError as missing:
            if extra is None or (missing.name or "").startswith("steadyarm"):
                raise
            print(
                f"steadyarm: this command needs {missing.name!r}. Install it with: pip install 'steadyarm[{extra}]'",
                file=sys.stderr,
            )
            raise typer.Exit(2) from None
        except SteadyarmError as error:
            print(f"steadyarm: {in_options(str(error), command)}", file=sys.stderr)
            raise typer.Exit(2) from None
        except OSError as error:
            print(f"steadyarm: {error}", file=sys.stderr)
            raise typer.Exit(2) from None
        except MemoryError as error:
            what = f": {error}" if str(error) else ""  # Python's own is empty, NumPy's has a size
            print(f"steadyarm: not enough memory{what}. Ask for fewer runs or arms.", file=sys.stderr)
            raise typer.Exit(2) from None

    return run


for _command in (
    frontier, plan, simulate, compare, worst_case, scaling, coverage, trial, verify, policies, bench,
):  # fmt: skip
    app.command()(_careful(_command))

for _name, _help, _parts, _extra in (
    ("policy", "Start a policy of your own.", POLICY, None),
    (
        "live",
        "Run an experiment that never loses a decision.",
        LIVE,
        "live",
    ),
):
    _group = typer.Typer(help=_help, no_args_is_help=True)
    for _member, _part in _parts.items():
        _group.command(_member)(_careful(_part, extra=_extra))
    app.add_typer(_group, name=_name)


@app.callback(invoke_without_command=True)
def _root(version: bool = typer.Option(False, "--version", help="Print the version and exit.")) -> None:
    if version:
        from steadyarm import __version__

        print(__version__)
        raise typer.Exit


def main() -> None:
    """Run the command line."""
    app()
