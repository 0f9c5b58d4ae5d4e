"""The report of a frontier: one page of HTML that needs nothing else, in light and in dark."""

from __future__ import annotations

import platform
from html import escape
from importlib import import_module
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

from steadyarm.errors import InvalidInput
from steadyarm.policies.registry import all_policies
from steadyarm.study.frontier.notes import message
from steadyarm.study.worst_case.budget import usual_rival
from steadyarm.theory.estimates import Estimate

if TYPE_CHECKING:
    from steadyarm.study.frontier.study import Frontier, FrontierStudy

_LIBRARIES = ("numpy", "numba", "scipy", "pandas", "matplotlib")

_STYLE = """
:root { color-scheme: light dark; --ink: #1c1c1c; --soft: #5a5a5a; --paper: #ffffff; --line: #d9d9d9; --tint: #f4f6f8; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #ececec; --soft: #b3b3b3; --paper: #16181b; --line: #3a3d42; --tint: #202328; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.55 system-ui, sans-serif; }
main { max-width: 68rem; margin: 0 auto; padding: 2rem 1.25rem 4rem; }
h1 { font-size: 1.6rem; line-height: 1.25; margin: 0 0 .5rem; } h2 { font-size: 1.15rem; margin: 2.2rem 0 .6rem; }
p, li { max-width: 46rem; } .soft { color: var(--soft); }
figure { margin: 1.4rem 0; padding: .75rem; background: #ffffff; border: 1px solid var(--line); border-radius: .5rem; }
figure svg { display: block; width: 100%; height: auto; }
.wide { overflow-x: auto; } table { border-collapse: collapse; font-size: .9rem; width: 100%; }
th, td { padding: .35rem .6rem; text-align: right; border-bottom: 1px solid var(--line); white-space: nowrap;
  font-variant-numeric: tabular-nums; }
th { background: var(--tint); white-space: normal; } th:first-child, td:first-child { text-align: left; }
td small { display: block; color: var(--soft); }
code { background: var(--tint); padding: .1rem .3rem; border-radius: .25rem; }
dt { font-weight: 600; margin-top: .6rem; } dd { margin: 0; max-width: 46rem; }
"""

_HOW_TO_READ = (
    (
        "Each point is a policy.",
        "To the right stands its worst-case regret, the expected reward that it loses on the worst instance "
        "found; upwards its worst-case instability, the largest standard deviation of an arm's number of pulls on "
        "the instance that is worst for that. Left and low is good. Both axes are logarithmic.",
    ),
    (
        "The two curves are SLE-UCB along α.",
        "A larger α buys a steadier allocation with more regret. The paper's constants are those of its proof; sharp "
        "constants keep the guarantee with a much smaller β.",
    ),
    (
        "The shaded region is excluded by Theorem 1.",
        "No policy whose worst-case regret is at most MT/8 is in it. To the right of its edge the theorem says "
        "nothing.",
    ),
    (
        "The dashed curves are guaranteed by Theorem 2.",
        "SLE-UCB's true worst cases lie to the left of and below them. Where a dashed line runs straight down, the "
        "regret bound is trivial: it is 2MT, which nobody exceeds.",
    ),
    (
        "The thin diagonals are equal products.",
        "Regret times instability over T^1.5 is a constant along them. Theorem 1 says that no policy of small regret "
        "gets below a constant; Theorem 2 that SLE-UCB stays below log K times one, for every α from 1 on.",
    ),
)


def report(frontier: Frontier, svg: str) -> str:
    """Return the page, with the picture inside."""
    study = frontier.study
    table = frontier.table
    picture = svg[svg.index("<svg") :]
    reading = "".join(f"<dt>{_text(head)}</dt><dd>{_text(words)}</dd>" for head, words in _HOW_TO_READ)
    notes = "".join(f"<li>{_text(note)}</li>" for note in frontier.notes)
    left_out = "".join(
        f"<li><b>{escape(name)}</b>: {escape(reason)}</li>" for name, reason in frontier.left_out.items()
    )
    rows = "".join(_row(row) for _, row in table.iterrows())
    libraries = ", ".join(f"{name} {version(name)}" for name in _LIBRARIES)
    own = import_module("steadyarm").__version__
    made = f"steadyarm {own}, Python {platform.python_version()}, {libraries}"
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Regret against instability: {study.n_arms} arms, {study.horizon:,} rounds</title>
<style>{_STYLE}</style>
</head>
<body>
<main>
<h1>{_text(message(frontier))}</h1>
<p class="soft">{study.n_arms} Gaussian arms, {study.horizon:,} rounds, means in
[−{study.mean_bound:g}, {study.mean_bound:g}], noise σ = {study.noise_scale:g}.
{len(table)} policies, up to {frontier.runs:,} runs on each of their worst instances,
seed {study.seed}, intervals at {100 * study.level:.6g}%.</p>
<figure role="img" aria-label="Worst-case regret against worst-case instability; the table below has the numbers">
{picture}
</figure>
<h2>How to read it</h2>
<dl>{reading}</dl>
<h2>What to know</h2>
<ul>{notes}</ul>
<h2>The numbers</h2>
<div class="wide"><table>
<thead><tr><th>policy</th><th>worst-case regret</th><th>worst-case instability</th>
<th>R·S / T<sup>1.5</sup></th><th>runs</th>
<th>regret guaranteed</th><th>instability guaranteed</th></tr></thead>
<tbody>{rows}</tbody>
</table></div>
<p class="soft">In small print: intervals. Two numbers of runs: for regret and for instability.
Theorem 1 keeps R·S / T<sup>1.5</sup> above {frontier.product_lower_bound:.3g} for every policy
whose worst-case regret is at most MT/8 = {study.mean_bound * study.horizon / 8.0:,.0f}.</p>
{f"<h2>Left out</h2><ul>{left_out}</ul>" if left_out else ""}
<h2>To get the same numbers</h2>
<p><code>{escape(_command(frontier))}</code></p>
<p class="soft">{escape(made)}. The result depends on the seed and on these parameters, not on threads
or on the order of the work. The worst instances themselves are in frontier.csv.</p>
</main>
</body>
</html>
"""


def _text(words: str) -> str:
    """Return words fit for HTML, with T^1.5 set as a power."""
    return escape(words).replace("T^1.5", "T<sup>1.5</sup>")


def _command(frontier: Frontier) -> str:
    """Return what gives the same numbers: a command, or a call in Python where options cannot say it all."""
    study = frontier.study
    usual = type(study)()
    names = _names(study)
    if names is None or study.level != usual.level:
        rivals = study.rivals if isinstance(study.rivals, str) else list(study.rivals)
        return (
            f"steadyarm.frontier(n_arms={study.n_arms}, horizon={study.horizon}, mean_bound={study.mean_bound}, "
            f"noise_scale={study.noise_scale}, alphas={list(study.alphas)}, rivals={rivals!r}, "
            f"runs={frontier.runs}, seed={study.seed}, level={study.level}, patience={study.patience})"
        )
    words = (
        f"steadyarm frontier --arms {study.n_arms} --horizon {study.horizon} --mean-bound {study.mean_bound} "
        f"--noise-scale {study.noise_scale} --alphas {','.join(map(str, study.alphas))} --rivals {names} "
        f"--runs {frontier.runs} --seed {study.seed}"
    )
    return words if study.patience == usual.patience else f"{words} --patience {study.patience}"


def _names(study: FrontierStudy) -> str | None:
    """Return the rivals as --rivals takes them; None if one has parameters that it does not stand for."""
    if isinstance(study.rivals, str):
        return study.rivals
    names = []
    for rival in study.rivals:
        kind = type(rival)
        try:
            usual = usual_rival(kind, study.space, study.horizon, study.mean_bound)
        except (TypeError, InvalidInput):  # a class that cannot be made of these parameters alone
            return None
        if usual != rival:
            return None
        known = all_policies().get(rival.name) is kind
        names.append(rival.name if known else f"{kind.__module__}:{kind.__name__}")
    return ",".join(names) or "none"


def _row(row: Any) -> str:
    def measured(quantity: str) -> str:
        value, low, high = (float(row[f"{quantity}{end}"]) for end in ("", "_low", "_high"))
        if quantity == "product":
            return f"{value:.3g} <small>[{low:.3g}, {high:.3g}]</small>"
        words, _, interval = str(Estimate(value, low, high, int(row["runs"]))).partition(" ")
        return f"{words} <small>{interval}</small>"

    def promised(name: str) -> str:
        return f"{row[name]:,.0f}" if row[name] == row[name] else "–"

    runs = (
        f"{row['runs']:,}"
        if row["runs"] == row["regret_runs"]
        else f"{row['regret_runs']:,} / {row['runs']:,}"
    )
    cells = [measured("regret"), measured("instability"), measured("product"), runs]
    cells += [promised("regret_bound"), promised("instability_bound")]
    return f"<tr><td>{escape(row['policy'])}</td>" + "".join(f"<td>{cell}</td>" for cell in cells) + "</tr>\n"
