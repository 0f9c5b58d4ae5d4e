"""What differences between arms say in words: which arm is better, and which can still be the best."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from steadyarm.inference.methods import TITLES
from steadyarm.notebook import Sheet, Shown
from steadyarm.printed import latex, printed

if TYPE_CHECKING:
    import pandas as pd

_LISTED = 5  # arms that a sentence names one by one
_WHEN = {"anytime": "at any time you look"}


@dataclass(frozen=True)
class Difference:
    """How much larger an arm's mean is than another's, with its interval, its p-values and what that decides.

    `p_value` goes with the interval and holds when that does; `anytime_p_value` holds whenever you look, and is None
    where there is none.

    >>> print(Difference("B", "A", 0.08, 0.015, 0.147, "wilson").decision)
    B is better than A, at the planned end
    """

    arm: Any
    other: Any
    value: float
    low: float
    high: float
    method: str
    p_value: float | None = None
    anytime_p_value: float | None = None

    @property
    def better(self) -> Any:
        """The arm that is shown to be better, or None."""
        return self.arm if self.low > 0.0 else self.other if self.high < 0.0 else None

    @property
    def decision(self) -> str:
        """The sentence that the interval allows."""
        if self.better is None:
            return "undecided"
        worse = self.other if self.better == self.arm else self.arm
        when = _WHEN.get(self.method, "at the planned end")
        return f"{_named(self.better)} is better than {_named(worse)}, {when}"

    def to_dict(self) -> dict[str, Any]:
        """Return a plain dict."""
        names = ("arm", "other", "value", "low", "high", "p_value", "anytime_p_value")
        return {name: getattr(self, name) for name in names} | {"decision": self.decision}


@dataclass(frozen=True, eq=False)
class Differences(Shown):
    """Differences between arms whose intervals hold together.

    Attributes:
        rows: one `Difference` for each pair.
        arms: the arms, by name or number.
        level: with which all intervals hold at once.
        method: that of the intervals.
        reason: why it was taken, as the end of "because …".
    """

    rows: tuple[Difference, ...]
    arms: tuple[Any, ...]
    level: float
    method: str
    reason: str

    def __iter__(self) -> Iterator[Difference]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, place: int) -> Difference:
        return self.rows[place]

    @property
    def best(self) -> tuple[Any, ...]:
        """The arms that can still be the best: those that no other one is shown to be better than."""
        worse = {
            row.other if row.better == row.arm else row.arm for row in self.rows if row.better is not None
        }
        return tuple(arm for arm in self.arms if arm not in worse)

    @property
    def words(self) -> str:
        """Which arms can still be the best, and by which intervals, as two sentences."""
        names = [_named(arm) for arm in self.best]
        names[0] = names[0] if isinstance(self.best[0], str) else names[0].capitalize()
        who = f"{names[0]} is the best" if len(names) == 1 else f"{self._some(names)} can still be the best"
        together = ""
        if len(self.rows) > 1:
            together = f", widened to hold for all {len(self.rows)} differences together (Bonferroni)"
        return f"{who}. {TITLES[self.method]} intervals{together}, because {self.reason}."

    @property
    def p_words(self) -> str:
        """What the p-values mean, and when, as two sentences."""
        adjusted = f", {len(self.rows)} times as large for so many differences" if len(self.rows) > 1 else ""
        first = (
            f"A p-value is below {1.0 - self.level:.6g} where the interval leaves out 0{adjusted}"
            if self.method == "anytime"
            else f"The p-value of the planned end is below {1.0 - self.level:.6g} where the interval leaves out 0"
            f"{adjusted}, and is for one look, when all rewards are in"
        )
        return f"{first}. The one for any time may be looked at whenever you like."

    def _some(self, names: list[str]) -> str:
        if len(names) > _LISTED:
            return f"{len(names)} of {len(self.arms)} arms"
        return f"{', '.join(names[:-1])} or {names[-1]}"

    @property
    def table(self) -> pd.DataFrame:
        """One row for each pair."""
        import pandas as pd

        return pd.DataFrame([row.to_dict() for row in self.rows])

    def to_latex(
        self, *, interval: str = "ends", caption: str | None = None, label: str | None = None
    ) -> str:
        """Return the table for LaTeX: each difference with its interval, 0.2 [0.1, 0.3], or 0.2 ± 0.1 as "half"."""
        return latex(self._named_rows(), interval=interval, caption=caption, label=label)

    def _named_rows(self) -> pd.DataFrame:
        return self.table.rename(columns={"value": "difference"})

    def _sheet(self) -> Sheet:
        heading = f"Differences between arms, intervals that hold together at {100 * self.level:.6g}%"
        return Sheet(heading, [printed(self._named_rows())], sentences=(self.words,))


def _named(arm: Any) -> str:
    return arm if isinstance(arm, str) else f"arm {arm}"
