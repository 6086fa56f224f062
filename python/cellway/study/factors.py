"""Factors of a study, each with levels or a span; a level sets keys of the scenario.

| written | means |
|---|---|
| ``levels = ["tail", { epd = { threshold = "9 cell" } }]`` | these values, variants too |
| ``range = { from = "1 ms", to = "9 ms", steps = 5 }`` | equal steps, both ends included |
| ``log_range = { from = "1 ms", to = "100 ms", steps = 5 }`` | equal ratios, both ends included |
| ``zip = { "link.a.delay" = [...], "link.b.delay" = [...] }`` | several keys that change together |
"""

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, Self

from cellway.scenario.scenario import toml_value
from cellway.text.units import SCALES, base_of

Sets = tuple[tuple[str, Any], ...]
"""Keys of a scenario and the values they are set to, in order."""

_QUANTITY = re.compile(r"\s*([+-]?(?:\d[\d_]*\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)\s*(.*?)\s*")
DIGITS = 6
"""Significant digits of a value between the ends of a range: readable, and not finer than the
picosecond, the unit of times."""


@dataclass(frozen=True)
class Level:
    """One value of a factor.

    Attributes:
        value: its name in tables: the value as written, or a label.
        sets: the keys that it sets.
    """

    value: Any
    sets: Sets

    @property
    def shown(self) -> str | int | float | bool:
        """`value` for tables: a variant with parameters as one line of TOML."""
        return self.value if isinstance(self.value, str | int | float) else toml_value(self.value)

    def __str__(self) -> str:
        return toml_value(self.value)


@dataclass(frozen=True)
class Span:
    """All values between two, in one unit.

    Attributes:
        low: the least, in `unit`.
        high: the greatest, in `unit`.
        unit: of the number, such as ``"ms"``; empty for a bare number.
        logarithmic: true if equal ratios are equally far apart.
        whole: true if only whole numbers are taken.
    """

    low: float
    high: float
    unit: str
    logarithmic: bool = False
    whole: bool = False

    @classmethod
    def between(
        cls, first: object, last: object, *, logarithmic: bool, whole: bool = False
    ) -> Self:
        """Makes a span from its ends as written.

        Raises:
            ValueError: not two numbers of the same unit, the first not below the last, or a
                logarithm of a number that is not positive.
        """
        ends = [_split(value) for value in (first, last)]
        if ends[0] is None or ends[1] is None:
            raise ValueError("`from` and `to` must be numbers, with a unit or without")
        (low, unit), (high, other) = ends[0], ends[1]
        if unit != other:
            raise ValueError(
                f"`from` is in {unit or 'no unit'} and `to` in {other or 'no unit'}; one unit is "
                "expected"
            )
        if not low < high:
            raise ValueError(f"`from` is {low:g} and `to` {high:g}; from less to more is expected")
        if logarithmic and low <= 0.0:
            raise ValueError(f"`from` is {low:g}; equal ratios need more than 0")
        return cls(low, high, unit, logarithmic, whole)

    def at(self, share: float) -> Any:  # noqa: ANN401
        """The value at `share`, from 0 (minimum) to 1 (maximum): with unit, or a bare number."""
        number = float(self._between(share))
        exact = round(number) if self.whole or number.is_integer() else number
        return f"{exact} {self.unit}" if self.unit else exact

    def _between(self, share: float) -> float:
        """The number at `share`, rounded unless it is an end, which remains as it was written."""
        if share in {0.0, 1.0}:
            return self.high if share else self.low
        if self.logarithmic:
            number = math.exp(
                math.log(self.low) + share * (math.log(self.high) - math.log(self.low))
            )
        else:
            number = self.low + share * (self.high - self.low)
        return min(max(float(f"{number:.{DIGITS}g}"), self.low), self.high)


@dataclass(frozen=True)
class Factor:
    """A factor of a study.

    Attributes:
        name: its name in tables and plots.
        levels: its values in order; for a span, its equal steps.
        span: all values between the ends, for designs that sample; `None` for `levels` alone.
        keys: of the scenario, all set to the same value.
    """

    name: str
    levels: tuple[Level, ...]
    span: Span | None = None
    keys: tuple[str, ...] = ()

    @classmethod
    def of(
        cls, name: str, keys: Sequence[str], values: Sequence[Any], labels: Sequence[str] = ()
    ) -> Self:
        """Factor whose levels set all `keys` to one of `values`; named by it or by `labels`."""
        levels = [_level(keys, value) for value in values]
        if labels:
            levels = [Level(label, level.sets) for label, level in zip(labels, levels, strict=True)]
        return cls(name, tuple(levels), keys=tuple(keys))

    @classmethod
    def spanning(cls, name: str, keys: Sequence[str], span: Span, steps: int) -> Self:
        """Factor that goes through `span` in `steps` steps, at least 2."""
        values = [span.at(step / (steps - 1)) for step in range(steps)]
        return cls(
            name, tuple(_level(keys, value) for value in dict.fromkeys(values)), span, tuple(keys)
        )

    @classmethod
    def zipped(
        cls, name: str, columns: Mapping[str, Sequence[Any]], labels: Sequence[str] = ()
    ) -> Self:
        """Factor whose n-th level sets each key to its n-th value; named by `labels` or key 1."""
        called: list[Any] = list(labels) or [
            _level((), value).shown for value in next(iter(columns.values()))
        ]
        rows = zip(*columns.values(), strict=True)
        return cls(
            name,
            tuple(
                Level(value, tuple(zip(columns, row, strict=True)))
                for value, row in zip(called, rows, strict=True)
            ),
        )

    def sampled(self, share: float) -> Level:
        """The level at `share`, from 0 to below 1: within the span, else one of the levels."""
        if self.span is None:
            return self.levels[min(int(share * len(self.levels)), len(self.levels) - 1)]
        return _level(self.keys, self.span.at(share))

    def as_data(self) -> dict[str, Any]:
        """Levels as they are written, and whether there is a span to sample from, for JSON."""
        levels = [level.value for level in self.levels]
        return {"name": self.name, "levels": levels, "sampled": self.span is not None}

    @cached_property
    def unit(self) -> str | None:
        """The unit of all levels; ``""`` for bare numbers, `None` if they are not all numbers.

        For units of one kind, such as kbit/s and Mbit/s, it is the largest.
        """
        parts = [_split(level.value) for level in self.levels]
        units = {one[1] if one else None for one in parts}
        if len(units) == 1:
            return units.pop()
        known = [one for one in parts if one and _scale(one[1])]
        if len(known) < len(parts) or len({_kind(unit) for _, unit in known}) > 1:
            return None
        return max(known, key=lambda one: one[0] * _scale(one[1]))[1]

    def number(self, value: object) -> float | None:
        """The number of a level's `value` in `unit`; `None` where levels are no numbers."""
        parts, unit = _split(value), self.unit
        if parts is None or unit is None:
            return None
        number, own = parts
        return number if own == unit else number * _scale(own) / _scale(unit)

    @property
    def numbers(self) -> list[float]:
        """Numbers of all levels, in `unit`, where they are numbers."""
        return [number for level in self.levels if (number := self.number(level.value)) is not None]

    @property
    def kind(self) -> Literal["number", "name"]:
        """`"number"` if the levels lie on a line, `"name"` if they only have names."""
        return "name" if self.unit is None else "number"


def in_base(value: object) -> tuple[str, Any]:
    """A level as its base unit and its number in that, or as it is where it is no number."""
    parts = _split(value)
    if parts is None:
        return "", value
    number, unit = parts
    scale = _scale(unit)
    return (_kind(unit), float(f"{number * scale:.12g}")) if scale else (unit, number)


def _scale(unit: str) -> float:
    """A unit, with its layer, as a multiple of its base; 0 where it is not known."""
    return SCALES.get(unit.partition(" ")[0], 0.0)


def _kind(unit: str) -> str:
    """Base unit with its layer, equal if units are comparable: ``"bit/s of line"``."""
    name, space, layer = unit.partition(" ")
    return f"{base_of(name)}{space}{layer}"


def _level(keys: Sequence[str], value: Any) -> Level:  # noqa: ANN401
    return Level(value, tuple((key, value) for key in keys))


def _split(value: object) -> tuple[float, str] | None:
    """A value as number and unit."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    found = _QUANTITY.fullmatch(str(value))
    return (float(found[1].replace("_", "")), found[2]) if found else None
