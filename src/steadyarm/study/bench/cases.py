"""What is measured on a CPU, one case a figure, and how a simulation is compared with NumPy's draws."""

from __future__ import annotations

import math
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from steadyarm.engines import interface
from steadyarm.engines.choice import ENGINES
from steadyarm.engines.played.descent import CELLS_OF_STRETCHES, draw_stretches
from steadyarm.engines.simulate import simulate
from steadyarm.engines.source import source_of
from steadyarm.errors import NotSupported, OutsideClass
from steadyarm.model.families import equal_gap
from steadyarm.model.instance import Instance
from steadyarm.policies.core.own_history import OwnHistoryPolicy
from steadyarm.policies.core.policy import Policy
from steadyarm.policies.own_history.sle_ucb import SLEUCB
from steadyarm.policies.registry import all_policies
from steadyarm.study.bench.goals import GOALS
from steadyarm.study.bench.timing import Draws, Patience, Spread, Times, Work, alternate, repeats_for, spread
from steadyarm.theory.prediction import predict

ARMS = (2, 10, 100, 1000)
HORIZON = 10**6
LONG_HORIZONS = (10**6, 10**8, 10**12)
SEED = 1
OF_DRAWS = "× NumPy's draws"

_GAP, _RATE = 0.05, 0.5
_FEW_CELLS = 10**6
_MOST_INDICES = 10**7  # a rule looks at every arm in every round: fewer rounds where there are many arms


class Reading(NamedTuple):
    """A measured value with its range, the same value by the wall clock if it is one of time, and a remark."""

    spread: Spread
    wall: float | None
    detail: str = ""
    equal_counts: bool | None = None


@dataclass
class Setting:
    """How to measure: patience, threads, and the yardstick with the speeds that were seen of it."""

    patience: Patience
    threads: int = 1
    draw_rates: list[float] = field(default_factory=list)

    @cached_property
    def draws(self) -> Draws:
        """NumPy drawing rewards."""
        return Draws(self.threads, self.patience.call / 2.0)

    def clock(self, times: Times) -> float:
        """Return the seconds that count: CPU time of one thread, wall time of several."""
        return times.cpu if self.threads == 1 else times.wall


class Case(NamedTuple):
    """One figure: its key, which may have a goal, what it is, its unit, and how it is measured."""

    key: str
    what: str
    unit: str
    measure: Callable[[Setting], Reading]
    in_quick: bool = True

    @property
    def group(self) -> str:
        """The first word of the key: what `only` selects by."""
        return self.key.split("/")[0]


def cases_in_process() -> list[Case]:
    """Return the cases that are measured in this process."""
    found = [_played("step", sharp(n_arms)) for n_arms in ARMS]
    for name in ("MOSS", "UCB1", "GaussianThompson"):
        for n_arms in ARMS:
            judged = f"step/{name}/{n_arms}" in GOALS
            found.append(_played("step", _rival(name, n_arms), in_quick=judged or n_arms == 10))
    found += [_played("step", _rival(name, 10)) for name in ("KLUCB", "UCBV", "Exp3", "TsallisINF")]
    found += [_played("prefix", sharp(n_arms)) for n_arms in ARMS]
    found.append(Case("prefix/cells", "its rewards alone, the limit", OF_DRAWS, _cells_alone))
    for n_arms in (2, 10):
        found += [_leapt(n_arms, horizon) for horizon in LONG_HORIZONS]
        found.append(_leap_growth(n_arms))
    found.append(Case("fluid/10", f"a prediction, 10 arms, {power(10**12)} rounds", "ms", _predicted))
    found.append(_extra("prefix", "100 moments on the way", sharp(10), {"at": 100}))
    found.append(_extra("step", "rewards that come 1,000 rounds late", sharp(10, 10**5), {"delay": 1000}))
    for engine in ("step", "prefix"):
        found.append(_growth_in_horizon(engine))
        found.append(_growth_in_arms(engine))
    return found


def sharp(n_arms: int, horizon: int = HORIZON) -> SLEUCB:
    """Return SLE-UCB as users play it."""
    return SLEUCB(n_arms=n_arms, horizon=horizon, constants="sharp")


def instance_for(policy: Policy) -> Instance:
    """Return the instance on which rounds are played: one arm is better by a little; coins if the policy needs them.

    >>> instance_for(all_policies()["Exp3"](n_arms=3, horizon=100)).means
    (0.5, 0.45, 0.45)
    """
    instance = equal_gap(policy.n_arms, _GAP)
    try:
        policy.check_instance(instance)
    except (NotSupported, OutsideClass):
        return Instance.bernoulli([_RATE] + [_RATE - _GAP] * (policy.n_arms - 1))
    return instance


def power(number: int) -> str:
    """Write a power of ten as one.

    >>> power(10**12), power(20_000)
    ('10¹²', '20,000')
    """
    exponent = len(str(number)) - 1
    if number != 10**exponent or exponent < 4:
        return f"{number:,}"
    return "10" + str(exponent).translate(str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹"))


def rate_of(per_second: float) -> str:
    """Write a number a second.

    >>> rate_of(63.21e6), rate_of(32_100.0)
    ('63.2 M', '32.1 k')
    """
    return f"{per_second / 1e6:,.1f} M" if per_second >= 1e6 else f"{per_second / 1e3:,.1f} k"


def player(
    policy: Policy, instance: Instance, engine: str, runs: int, setting: Setting, **extra: Any
) -> Work:
    """Return work that plays so many runs."""
    return lambda: simulate(
        policy,
        instance,
        runs=runs,
        seed=SEED,
        engine=engine,
        threads=setting.threads,
        progress=False,
        **extra,
    )


def runs_for(policy: Policy, instance: Instance, engine: str, setting: Setting) -> int:
    """Return how many runs take the time of a call: as many a thread as the engine plays side by side, or more."""
    whole = interface.Setting(policy, instance, SEED, np.array([policy.horizon]))
    few = setting.threads * ENGINES[engine].prepare(whole).together
    return few * repeats_for(player(policy, instance, engine, few, setting), setting.patience.call)


def _rival(name: str, n_arms: int) -> Policy:
    kind = all_policies()[name]
    own_history = issubclass(kind, OwnHistoryPolicy)
    horizon = HORIZON if own_history else min(HORIZON, max(_MOST_INDICES // n_arms, 20 * n_arms))
    return kind(n_arms=n_arms, horizon=horizon)


def _played(engine: str, policy: Policy, *, in_quick: bool = True) -> Case:
    """Pulls a second over NumPy's draws a second."""
    instance = instance_for(policy)

    def measure(setting: Setting) -> Reading:
        runs, drawn, played = _beside_draws(policy, instance, engine, setting)
        pulls = runs * policy.horizon
        rate = spread([pulls / setting.clock(times) for times in played]).value
        ratio, wall = _compared(played, drawn, pulls / setting.draws.count, setting)
        return Reading(ratio, wall, f"{rate_of(rate)} pulls/s")

    what = f"{policy.title}, {policy.n_arms:,} arms, {power(policy.horizon)} rounds"
    return Case(f"{engine}/{policy.name}/{policy.n_arms}", what, OF_DRAWS, measure, in_quick)


def _cells_alone(setting: Setting) -> Reading:
    """What `prefix` draws, and nothing done with it, over NumPy's draws: it cannot be faster."""
    source = source_of(equal_gap(2, _GAP), SEED)
    few = _FEW_CELLS // CELLS_OF_STRETCHES
    times = few * repeats_for(lambda: draw_stretches(source, 0, few), setting.patience.call)

    def draw() -> None:
        with ThreadPoolExecutor(setting.threads) as pool:
            list(pool.map(lambda run: draw_stretches(source, run, times), range(setting.threads)))

    drawn, ours = alternate([setting.draws, draw], setting.patience)
    setting.draw_rates += [setting.draws.count / setting.clock(each) for each in drawn]
    cells = setting.threads * times * CELLS_OF_STRETCHES
    rate = spread([cells / setting.clock(each) for each in ours]).value
    ratio, wall = _compared(ours, drawn, cells / setting.draws.count, setting)
    return Reading(ratio, wall, f"{rate_of(rate)} rewards/s")


def _beside_draws(
    policy: Policy, instance: Instance, engine: str, setting: Setting
) -> tuple[int, list[Times], list[Times]]:
    """Alternate NumPy's draws with runs; return how many runs, and the times of both."""
    runs = runs_for(policy, instance, engine, setting)
    drawn, played = alternate(
        [setting.draws, player(policy, instance, engine, runs, setting)], setting.patience
    )
    setting.draw_rates += [setting.draws.count / setting.clock(times) for times in drawn]
    return runs, drawn, played


def _compared(below: list[Times], above: list[Times], scale: float, setting: Setting) -> tuple[Spread, float]:
    """Return scale · above / below turn by turn: by the clock that counts, and by the wall clock."""
    by_clock, by_wall = (
        spread([scale * clock(one) / clock(other) for other, one in zip(below, above, strict=True)])
        for clock in (setting.clock, lambda times: times.wall)
    )
    return by_clock, by_wall.value


def _hard(policy: SLEUCB) -> Instance:
    """The equal-gap instance at the gap β√(K/T), where the worst cases are."""
    return equal_gap(policy.n_arms, min(1.0, policy.beta * math.sqrt(policy.n_arms / policy.horizon)))


def _leapt(n_arms: int, horizon: int) -> Case:
    """One run in rewards that NumPy draws meanwhile."""
    policy = SLEUCB(n_arms=n_arms, horizon=horizon)
    instance = _hard(policy)

    def measure(setting: Setting) -> Reading:
        runs, drawn, played = _beside_draws(policy, instance, "leap", setting)
        milliseconds = spread([1e3 * setting.clock(times) / runs for times in played]).value
        cost, wall = _compared(drawn, played, setting.draws.count / runs, setting)
        return Reading(cost, wall, f"{milliseconds:.2f} ms a run")

    what = f"a run, {policy.title}, {n_arms} arms, {power(horizon)} rounds"
    return Case(f"leap/{n_arms}/1e{len(str(horizon)) - 1}", what, "draws", measure)


def _leap_growth(n_arms: int) -> Case:
    short, long = (SLEUCB(n_arms=n_arms, horizon=horizon) for horizon in (10**6, 10**12))

    def measure(setting: Setting) -> Reading:
        return _costlier("leap", (short, _hard(short)), (long, _hard(long)), per_pull=False, setting=setting)

    what = f"a run of {power(10**12)} rounds over one of {power(10**6)}, {n_arms} arms"
    return Case(f"leap/{n_arms}/growth", what, "×", measure)


def _growth_in_horizon(engine: str) -> Case:
    short, long = sharp(10, 10**5), sharp(10, 10**7)

    def measure(setting: Setting) -> Reading:
        ends = [(policy, instance_for(policy)) for policy in (short, long)]
        return _costlier(engine, *ends, per_pull=True, setting=setting)

    what = f"`{engine}`: a pull of {power(10**7)} rounds over one of {power(10**5)}, 10 arms"
    return Case(f"growth/{engine}/horizon", what, "×", measure, in_quick=engine == "prefix")


def _growth_in_arms(engine: str) -> Case:
    few, many = sharp(2), sharp(1000)

    def measure(setting: Setting) -> Reading:
        ends = [(policy, instance_for(policy)) for policy in (few, many)]
        return _costlier(engine, *ends, per_pull=True, setting=setting)

    what = f"`{engine}`: a pull with 1,000 arms over one with 2, {power(HORIZON)} rounds"
    return Case(f"growth/{engine}/arms", what, "×", measure, in_quick=engine == "prefix")


def _extra(engine: str, words: str, policy: Policy, extra: dict[str, Any]) -> Case:
    """A run with something extra over one without."""
    instance = instance_for(policy)

    def measure(setting: Setting) -> Reading:
        runs = runs_for(policy, instance, engine, setting)
        works = [player(policy, instance, engine, runs, setting, **each) for each in ({}, extra)]
        works[1]()  # compiled before it is timed
        plain, more = alternate(works, setting.patience)
        return Reading(*_compared(plain, more, 1.0, setting))

    [name] = extra
    what = f"`{engine}`: {words} over none, {policy.n_arms} arms, {power(policy.horizon)} rounds"
    return Case(f"extra/{engine}/{name}", what, "×", measure)


def _costlier(
    engine: str,
    less: tuple[Policy, Instance],
    more: tuple[Policy, Instance],
    *,
    per_pull: bool,
    setting: Setting,
) -> Reading:
    """How much more expensive a run, or a pull, is in the second setting than in the first."""
    counts = [runs_for(*end, engine, setting) for end in (less, more)]
    works = [player(*end, engine, runs, setting) for end, runs in zip((less, more), counts, strict=True)]
    units = [
        runs * (end[0].horizon if per_pull else 1) for end, runs in zip((less, more), counts, strict=True)
    ]
    cheap, expensive = alternate(works, setting.patience)
    return Reading(*_compared(cheap, expensive, units[0] / units[1], setting))


def _predicted(setting: Setting) -> Reading:
    policy = SLEUCB(n_arms=10, horizon=10**12)
    instance = _hard(policy)
    repeats = repeats_for(lambda: predict(policy, instance), setting.patience.call)

    def work() -> None:
        for _ in range(repeats):
            predict(policy, instance)

    [times] = alternate([work], setting.patience)
    milliseconds = [1e3 * one.cpu / repeats for one in times]  # it has no threads
    return Reading(spread(milliseconds), spread([1e3 * one.wall / repeats for one in times]).value)
