"""What a formula says of a part of a scenario, and what it assumes."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

Unit = Literal["1", "s", "bit/s", "bit", "cell", "packet", "segment"]
"""A fraction has `"1"`."""


@dataclass(frozen=True)
class Predicted:
    """A number that a formula gives.

    Attributes:
        name: in words.
        value: in the base unit `unit`.
        unit: of `value`.
        path: where the summary of a run has the same number; `None` if it has none.
    """

    name: str
    value: float
    unit: Unit
    path: str | None = None


@dataclass(frozen=True)
class Assumption:
    """What a formula takes for granted.

    Attributes:
        text: in words.
        holds: whether the scenario is so; `None` if it does not say.
        why: what in the scenario shows it, or `""`.
    """

    text: str
    holds: bool | None
    why: str = ""


@dataclass(frozen=True)
class Prediction:
    """What one formula says of one port or flow.

    Attributes:
        model: its name.
        of: the port or flow, as ``"port multiplexer.trunk"``.
        source: who published it.
        numbers: what it gives.
        assumptions: what it takes for granted.
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
    """A port or flow of which no formula says anything.

    Attributes:
        of: the port or flow.
        reason: what is outside the range of the formulas, and what they accept.
    """

    of: str
    reason: str


@dataclass(frozen=True)
class Theory:
    """What formulas say of a scenario.

    Attributes:
        scenario: its name.
        predictions: by port and flow; one may have several.
        refusals: ports and flows of which nothing is said.
        parts: names of all flows and ports, under `"flows"` and `"ports"`.
    """

    scenario: str
    predictions: tuple[Prediction, ...]
    refusals: tuple[Refusal, ...]
    parts: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def as_data(self) -> dict[str, Any]:
        """As plain dictionaries and lists, for JSON."""
        return {
            "scenario": self.scenario,
            "predictions": [asdict(one) for one in self.predictions],
            "refusals": [asdict(one) for one in self.refusals],
        }
