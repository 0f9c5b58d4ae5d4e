"""`steadyarm verify`: every claim of the paper, predicted and measured; exit code 1 if one fails."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

from steadyarm.cli.options.common import NoiseScale, OutputOptions, Seed, given, whole_number
from steadyarm.cli.options.groups import grouped
from steadyarm.cli.options.policy import PolicyOptions
from steadyarm.console import print_table
from steadyarm.defaults import CLAIM_ARMS, CLAIM_HORIZON
from steadyarm.words import counted, in_a_cell

if TYPE_CHECKING:
    from rich.console import Console

    from steadyarm.policies import Policy
    from steadyarm.study.adversary import Chain
    from steadyarm.study.verify.study import Verdict, Verification

_PIPE_WIDTH = 132
_HEADINGS = ("", "claim", "predicted", "measured", "margin", "verdict", "s")
_WIDE = (2, 46, 11, 28, 8, 7, 5)
_NARROW = (2, 23, 10, 16, 8, 7, 4)  # for terminals of 80 columns


@grouped
def verify(
    *,
    only: Annotated[
        list[str] | None,
        typer.Option("--only", help="Numbers of claims, like 13 or 8,13; may be repeated."),
    ] = None,
    thorough: Annotated[bool, typer.Option("--thorough", help="More runs and cases; takes minutes.")] = False,
    policy: Annotated[
        str | None,
        typer.Option(
            "--policy",
            help="Check this policy (or my_module:MyPolicy): what holds for every policy, and Theorem 1's chain.",
        ),
    ] = None,
    arms: Annotated[
        int | None,
        typer.Option(
            "--arms", help=f"Its number of arms, K. Default: {CLAIM_ARMS}.", parser=whole_number, metavar="K"
        ),
    ] = None,
    horizon: Annotated[
        int | None,
        typer.Option(
            "--horizon",
            help=f"Its number of rounds, T. Default: {CLAIM_HORIZON}.",
            parser=whole_number,
            metavar="T",
        ),
    ] = None,
    noise_scale: NoiseScale = None,
    parameters: PolicyOptions,
    runs: Annotated[
        int | None,
        typer.Option(
            "--runs",
            help="Runs of each check of that policy. Default: as many as the claim needs.",
            parser=whole_number,
            metavar="N",
        ),
    ] = None,
    seed: Seed = 0,
    output: OutputOptions,
) -> None:
    """Check every claim of the paper.

    Each has a prediction, a measurement, a margin and a verdict. The options from --arms to --runs describe the policy
    given by --policy, and need it.
    """
    import steadyarm as sa

    record = _policy(policy, arms, horizon, noise_scale, parameters, runs)
    console = _console()
    heading = [True]

    def told(verdict: Verdict) -> None:
        _say_on_a_terminal("")
        if not output.as_json:
            _print(console, verdict, heading=heading.pop() if heading else False)

    def progress(share: float) -> None:
        _say_on_a_terminal(f"{share:.0%} of the claims are checked …")

    progress(0.0)
    try:
        result = sa.verify(
            _numbers(only),
            thorough=thorough,
            seed=seed,
            policy=record,
            runs=runs,
            told=told,
            progress=progress,
            **given(mean_bound=parameters.mean_bound),
        )
    finally:
        _say_on_a_terminal("")
    output.show(result, lambda found: _print_outcome(console, found))
    if not result.holds:
        raise typer.Exit(1)


def _policy(
    name: str | None,
    arms: int | None,
    horizon: int | None,
    noise_scale: float | None,
    parameters: PolicyOptions,
    runs: int | None,
) -> Policy | None:
    from steadyarm.errors import InvalidInput

    described = {"arms": arms, "horizon": horizon, "mean-bound": parameters.mean_bound}
    described |= {"noise-scale": noise_scale, "runs": runs} | parameters.asked
    if name is None:
        for option, value in described.items():
            if value is not None:
                raise InvalidInput(
                    f"--{option} describes the policy given by --policy; give one, like --policy MOSS."
                )
        return None
    n_arms = CLAIM_ARMS if arms is None else arms
    return parameters.build(name, n_arms, CLAIM_HORIZON if horizon is None else horizon, noise_scale)


def _numbers(only: list[str] | None) -> list[int] | None:
    if only is None:
        return None
    words = [word for group in only for word in group.split(",")]
    try:
        return [int(word) for word in words]
    except ValueError:
        raise typer.BadParameter(
            f"{','.join(only)!r} is not a list of claims; write it like 13 or 8,13.", param_hint="'--only'"
        ) from None


def _console() -> Console:
    from rich.console import Console

    return Console(highlight=False, width=None if sys.stdout.isatty() else _PIPE_WIDTH)


def _say_on_a_terminal(words: str) -> None:
    """Say how far the work is, in a line that the next one takes the place of."""
    if sys.stderr.isatty():
        print(f"\x1b[2K{words}", end="\r", file=sys.stderr, flush=True)


def _print(console: Console, verdict: Verdict, *, heading: bool) -> None:
    """Print a table of one row, with columns of fixed width so that rows printed one by one stand in line."""
    from rich.padding import Padding
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, show_header=heading, padding=(0, 1, 0, 0), header_style="bold")
    widths = _WIDE if console.width >= sum(_WIDE) + len(_WIDE) else _NARROW
    for name, width in zip(_HEADINGS, widths, strict=True):
        left = name in ("claim", "verdict")
        table.add_column(name, width=width, justify="left" if left else "right", overflow="fold")
    finding = verdict.finding
    table.add_row(
        str(verdict.claim.id),
        verdict.claim.sentence,
        f"{finding.relation} {in_a_cell(finding.predicted)}",
        in_a_cell(finding.measured)
        if isinstance(finding.measured, float | int)
        else _estimate(finding.measured),
        _margin(finding.relation, finding.margin),
        "[green]holds[/green]" if verdict.holds else "[bold red]FAILS[/bold red]",
        f"{verdict.seconds:.1f}",
    )
    console.print(table)
    console.print(
        Padding(Text(finding.detail, style="dim" if verdict.holds else "red"), (0, 0, 0, 3), expand=False)
    )


def _estimate(estimate: Any) -> str:
    return f"{in_a_cell(estimate.value)} [{in_a_cell(estimate.low)}, {in_a_cell(estimate.high)}]"


def _margin(relation: str, margin: float) -> str:
    if relation == "=" and margin == 0.0:
        return "exact"
    return f"{margin:+.1%}" if abs(margin) < 10.0 else f"{margin:+,.0f} ×"


def _print_outcome(console: Console, result: Verification) -> None:
    if result.chain is not None:
        _print_chain(console, result.chain)
    count = len(result.verdicts)
    outcome = "all hold" if result.holds else f"failed: {', '.join(map(str, result.failed))}"
    console.print(
        f"{counted(count, 'claim')} in {result.seconds:.0f} s, seed {result.setting.seed}: {outcome}"
    )


def _print_chain(console: Console, chain: Chain) -> None:
    from rich import box
    from rich.table import Table

    from steadyarm.study.verify.study import chain_rows

    table = Table(
        box=box.SIMPLE_HEAD, title=f"Theorem 1's chain against {chain.policy.title}", title_justify="left"
    )
    for heading in ("gap", "suboptimal pulls", "instability", "KL to the next", "forced by the step"):
        table.add_column(heading, justify="right", no_wrap=True)
    for link, row in zip(chain.links, chain_rows(chain), strict=True):
        last = row["forced"] is None
        table.add_row(
            f"{link.gap:.4g}",
            _estimate(link.suboptimal_pulls),
            _estimate(link.instability),
            "" if last else f"{row['kl']:.2f}",
            "" if last else f"{row['forced']:.4g}",
        )
    print_table(console, table)
    step = chain.worst_step
    console.print(
        f"between gaps {chain.links[step].gap:.3g} and {chain.links[step + 1].gap:.3g} an instability of "
        f"{chain.forced[step]:.3g} is forced; the largest measured is {_estimate(chain.instability)}"
    )
