"""The options that describe an instance, and the instance they describe."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import typer

from steadyarm.cli.options.common import Arms, NoiseScale, given, numbers

if TYPE_CHECKING:
    from steadyarm.model import Instance

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


@dataclass(frozen=True)
class InstanceOptions:
    """Arms by their means, or a family of Gaussian ones."""

    arms: Arms = None
    means: Means = None
    family: Family = None
    gap: Gap = None
    rewards: Rewards = "gaussian"
    low: Low = None
    high: High = None
    noise_scale: NoiseScale = None

    def build(self) -> Instance:
        """Make the instance."""
        from steadyarm.errors import InvalidInput
        from steadyarm.model import checks
        from steadyarm.model.instance import LAWS

        checks.one_of(self.rewards, "--rewards", LAWS)
        if self.rewards != "bounded" and not (self.low is None and self.high is None):
            raise InvalidInput(
                f"--low and --high are for bounded rewards; these are {self.rewards}. Leave them out."
            )
        return (
            self._family()
            if self.means is None
            else self._with_means(numbers(self.means, "--means", "0,-0.1,-0.1"))
        )

    def scale(self, instance: Instance) -> float:
        """Return the σ that policies are told: the one given, or that of the instance."""
        return max(instance.noise_scales) if self.noise_scale is None else self.noise_scale

    def _with_means(self, means: list[float]) -> Instance:
        import steadyarm as sa
        from steadyarm.errors import InvalidInput

        if self.family is not None or self.gap is not None:
            raise InvalidInput("--means says it all; leave --family and --gap out.")
        if self.arms is not None and self.arms != len(means):
            raise InvalidInput(
                f"--arms says {self.arms} but --means names {len(means)}. Leave one of them out."
            )
        if self.rewards == "gaussian":
            return sa.Instance.gaussian(means, **given(noise_scale=self.noise_scale))
        if self.rewards == "bernoulli":
            return sa.Instance.bernoulli(means)
        return sa.Instance.bounded(means, **given(low=self.low, high=self.high))

    def _family(self) -> Instance:
        import steadyarm as sa
        from steadyarm.errors import InvalidInput
        from steadyarm.model import checks

        if self.rewards != "gaussian":
            raise InvalidInput(
                f"--family makes Gaussian arms; for {self.rewards} rewards give --means, like 0.6,0.5."
            )
        family = checks.one_of("equal_gap" if self.family is None else self.family, "--family", FAMILIES)
        n_arms = 2 if self.arms is None else self.arms
        noise = given(noise_scale=self.noise_scale)
        if family == "equal_arms":
            if self.gap is not None:
                raise InvalidInput("--family equal_arms has no gap; leave --gap out.")
            return sa.equal_arms(n_arms, **noise)
        build = {"equal_gap": sa.equal_gap, "one_better": sa.one_better, "ladder": sa.ladder}[family]
        return build(n_arms, 0.1 if self.gap is None else self.gap, **noise)
