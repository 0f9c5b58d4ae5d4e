"""Parameters that are derived from the others unless they are set by hand."""

from abc import abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar

from steadyarm.model import checks
from steadyarm.policies.core.policy import Policy


class DerivedParameter(Policy):
    """A policy with one parameter whose default, None, stands for a value that follows from the others.

    The saved record leaves a derived value out, so that `replace(horizon=...)` derives it anew.
    """

    derived: ClassVar[str]
    """The parameter's name."""

    @property
    @abstractmethod
    def derived_value(self) -> Any:
        """What the parameter is if it is not set by hand."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if getattr(self, self.derived) is None:
            self._set(self.derived, self.derived_value)

    def to_dict(self) -> dict[str, Any]:
        """Return a plain dict; the derived parameter stands in it only if it was set by hand."""
        state = super().to_dict()
        if state[self.derived] == self.derived_value:
            del state[self.derived]
        return state


@dataclass(frozen=True, kw_only=True)
class ConfidenceLevel(DerivedParameter):
    """A policy with a chance δ that a mean lies beyond its bound, 1/T² unless it is set by hand."""

    derived: ClassVar[str] = "delta"

    delta: float = None  # type: ignore[assignment]

    def __post_init__(self) -> None:
        super().__post_init__()
        self._set("delta", checks.real(self.delta, "delta", at_least=1e-300, at_most=1.0))

    @property
    def derived_value(self) -> float:
        """Return δ = 1/T²."""
        return 1.0 / float(self.horizon) ** 2
