"""Predictions of formulas for parts of a scenario, and their assumptions."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

Unit = Literal["1", "s", "bit/s", "bit", "cell", "packet", "segment"]
"""Unit of a number; a fraction has `"1"`."""


@dataclass(frozen=True)
class Predicted:
    """A number that a formula gives.

    Attributes:
        name: in words.
        value: in the base unit `unit`.
        unit: of `value`.
        path: path of the same number in the summary of a run; `None` if there is none.
    """

    name: str
    value: float
    unit: Unit
    path: str | None = None


@dataclass(frozen=True)
class Assumption:
    """Assumption of a formula.

    Attributes:
        text: in words.
        holds: true if it holds in the scenario; `None` if that is not known.
        why: the part of the scenario that shows it, or `""`.
    """

    text: str
    holds: bool | None
    why: str = ""


@dataclass(frozen=True)
class Prediction:
    """Prediction of one formula for one port or flow.

    Attributes:
        model: its name.
        of: the port or flow, as ``"port multiplexer.trunk"``.
        source: its publication.
        numbers: its results.
        assumptions: its assumptions.
    """

    model: str
    of: str
    source: str
    numbers: tuple[Predicted, ...]
    assumptions: tuple[Assumption, ...]

    @property
    def violated(self) -> tuple[Assumption, ...]:
        """The assumptions that do not hold."""
        return tuple(one for one in self.assumptions if one.holds is False)


@dataclass(frozen=True)
class Refusal:
    """A port or flow to which no formula applies.

    Attributes:
        of: the port or flow.
        reason: the property that is outside the range of the formulas, and the accepted range.
    """

    of: str
    reason: str


@dataclass(frozen=True)
class Theory:
    """Predictions of all formulas for a scenario.

    Attributes:
        scenario: its name.
        predictions: by port and flow; one may have several.
        refusals: ports and flows without a prediction.
        parts: names of all flows and ports, under `"flows"` and `"ports"`.
    """

    scenario: str
    predictions: tuple[Prediction, ...]
    refusals: tuple[Refusal, ...]
    parts: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def as_data(self) -> dict[str, Any]:
        """The predictions as plain dictionaries and lists, for JSON."""
        return {
            "scenario": self.scenario,
            "predictions": [asdict(one) for one in self.predictions],
            "refusals": [asdict(one) for one in self.refusals],
        }
