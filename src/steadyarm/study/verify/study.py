"""`verify`: the paper and what goes beyond it, executed. Every claim is checked, and can fail."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from steadyarm.defaults import CLAIM_ARMS, CLAIM_HORIZON
from steadyarm.engines.progress import Report, progress_bar
from steadyarm.errors import InvalidInput
from steadyarm.model import checks
from steadyarm.policies.core.policy import Policy
from steadyarm.policies.registry import make_policy
from steadyarm.study.adversary import Chain
from steadyarm.study.plotting.style import save_figure
from steadyarm.study.runs.tables import save_json
from steadyarm.study.verify.claims import ABOUT_EVERY_POLICY, CLAIMS, Claim, Finding, Setting
from steadyarm.study.verify.claims.lower_bound import chains
from steadyarm.study.verify.claims.registry import ABOUT_CHAINS
from steadyarm.theory.lemmas import history_divergence
from steadyarm.words import counted


@dataclass(frozen=True)
class Verdict:
    """A claim, what was found about it, and how long that took."""

    claim: Claim
    finding: Finding
    seconds: float

    @property
    def holds(self) -> bool:
        """Whether the claim held in every case."""
        return self.finding.holds

    def to_dict(self) -> dict[str, Any]:
        """Return a plain dict, fit for JSON."""
        claim = {"id": self.claim.id, "where": self.claim.where, "claim": self.claim.sentence}
        return claim | self.finding.to_dict() | {"seconds": round(self.seconds, 3)}


@dataclass(frozen=True)
class Verification:
    """All verdicts; it holds if all of them do."""

    verdicts: tuple[Verdict, ...]
    setting: Setting
    chain: Chain | None = None
    """Theorem 1's chain, where one policy was checked."""

    @property
    def holds(self) -> bool:
        """Whether every claim held."""
        return not self.failed

    @property
    def failed(self) -> tuple[int, ...]:
        """The numbers of the claims that failed."""
        return tuple(verdict.claim.id for verdict in self.verdicts if not verdict.holds)

    @property
    def seconds(self) -> float:
        """How long all of it took."""
        return sum(verdict.seconds for verdict in self.verdicts)

    def to_dict(self) -> dict[str, Any]:
        """Return a plain dict, fit for JSON."""
        return {
            "claims": [verdict.to_dict() for verdict in self.verdicts],
            "holds": self.holds,
            "failed": list(self.failed),
            "thorough": self.setting.thorough,
            "seed": self.setting.seed,
            "seconds": round(self.seconds, 3),
        } | self._chain()

    def _chain(self) -> dict[str, Any]:
        if self.chain is None:
            return {}
        return {"policy": self.chain.policy.to_dict(), "chain": chain_rows(self.chain)}

    def save(self, folder: str | Path) -> list[Path]:
        """Write the verdicts as JSON, and the picture of the chain if there is one, into a folder."""
        folder = Path(folder)
        pictures = [] if self.chain is None else save_figure(self.chain.plot(), folder, "chain")
        return [save_json(self.to_dict(), folder, "verify"), *pictures]


def verify(
    only: int | Sequence[int] | None = None,
    *,
    thorough: bool = False,
    seed: int = 0,
    policy: str | Policy | None = None,
    mean_bound: float = 1.0,
    runs: int | None = None,
    told: Callable[[Verdict], object] | None = None,
    progress: bool | Report | None = None,
) -> Verification:
    """Check the claims of the paper, and those beyond it.

    Args:
        only: the number of a claim, or several; all by default.
        thorough: more runs and cases.
        seed: names the reward table; the verdicts depend on nothing else.
        policy: check what holds for every policy (claims 19 to 23, 27, 28, 33) on this one instead of the registry's,
            and keep Theorem 1's chain against it in `.chain`. A name stands for three arms, 2,000 rounds and σ = 1.
        mean_bound: M, where that policy has none of its own.
        runs: of each check of that policy; by default as many as the claim needs.
        told: takes each verdict as soon as it is known.
        progress: True or False for a bar, a function of the finished share, or None: a bar on a terminal.

    >>> import steadyarm as sa
    >>> found = sa.verify(only=[2, 26])
    >>> found.holds, [verdict.claim.id for verdict in found.verdicts]
    (True, [2, 26])
    """
    record = (
        make_policy(policy, n_arms=CLAIM_ARMS, horizon=CLAIM_HORIZON) if isinstance(policy, str) else policy
    )
    setting = setting_for(thorough=thorough, seed=seed, policy=record, mean_bound=mean_bound, runs=runs)
    claims = claims_for(only, record)
    verdicts = []
    with progress_bar(progress, counted(len(claims), "claim")) as report:
        for verdict in judge(claims, setting):
            verdicts.append(verdict)
            if told is not None:
                told(verdict)
            report(len(verdicts) / len(claims))
    chained = record is not None and any(claim.id in ABOUT_CHAINS for claim in claims)
    return Verification(tuple(verdicts), setting, chain_of(setting) if chained else None)


def setting_for(
    *,
    thorough: bool = False,
    seed: int = 0,
    policy: Policy | None = None,
    mean_bound: float = 1.0,
    runs: int | None = None,
) -> Setting:
    """Return the setting in which claims are checked, with the library's own parts."""
    if policy is not None:
        checks.instance_of(policy, Policy, "policy")
    if runs is not None:
        runs = checks.integer(runs, "runs", at_least=10, remedy="Intervals of fewer say nothing.")
    return Setting(
        thorough=checks.boolean(thorough, "thorough"),
        seed=checks.seed(seed),
        policies=() if policy is None else (policy,),
        mean_bound=checks.real(mean_bound, "mean_bound", above=0.0, remedy="Means lie in [-M, M]."),
        runs=runs,
    )


def claims_for(only: int | Sequence[int] | None, policy: Policy | None = None) -> list[Claim]:
    """Return the claims with these numbers, or all; those about every policy if one is given."""
    known = {claim.id: claim for claim in CLAIMS if policy is None or claim.id in ABOUT_EVERY_POLICY}
    if only is None:
        return list(known.values())
    numbers = [only] if isinstance(only, int) else list(only)
    for number in numbers:
        if isinstance(number, bool) or number not in known:
            about = "claims are" if policy is None else "claims about every policy are"
            raise InvalidInput(f"{about} {ranges(list(known))}; got {number!r}.")
    if not numbers:
        raise InvalidInput("only must name at least one claim; got none. Leave it out for all.")
    return [known[number] for number in dict.fromkeys(numbers)]


def ranges(numbers: Sequence[int]) -> str:
    """Return whole numbers in words, neighbours together.

    >>> ranges([19, 20, 21, 27, 28, 33])
    '19 to 21, 27, 28 and 33'
    """
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    words = [word for run in runs for word in ([f"{run[0]} to {run[-1]}"] if len(run) > 2 else map(str, run))]
    return " and ".join([", ".join(words[:-1]), words[-1]]) if len(words) > 1 else words[0]


def judge(claims: Sequence[Claim], setting: Setting) -> Iterator[Verdict]:
    """Check claims one by one."""
    for claim in claims:
        begun = time.perf_counter()
        finding = claim.check(setting)
        yield Verdict(claim, finding, time.perf_counter() - begun)


def chain_of(setting: Setting) -> Chain:
    """Return Theorem 1's chain against the setting's one policy."""
    return chains(setting)[0][0]


def chain_rows(chain: Chain) -> list[dict[str, Any]]:
    """Return the chain link by link: what was measured there, and what the step to the next one forces."""
    rows = []
    for place, link in enumerate(chain.links):
        row: dict[str, Any] = {
            "gap": link.gap,
            "suboptimal_pulls": link.suboptimal_pulls.to_dict(),
            "instability": link.instability.to_dict(),
            "kl": None,
            "forced": None,
        }
        if place < len(chain.forced):
            step = chain.links[place + 1].gap - link.gap
            row["kl"] = history_divergence(link.suboptimal_pulls.value, step, chain.policy.noise_scale)
            row["forced"] = chain.forced[place]
        rows.append(row)
    return rows
