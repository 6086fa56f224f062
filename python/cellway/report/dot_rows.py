"""Rows of dots with their intervals as a table whose middle column is drawn.

The drawing has parts of its width as its unit, so that it fits every screen; the numbers stand
beside it.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from itertools import groupby

from cellway.report.blocks import Dot, Dots

_HEIGHT = 20
_RADIUS = 4.5
_MARGIN = 4.0
"""Percent of the width that stay free on both sides."""
_FEW_DECADES = 2
"""Decades up to which a logarithmic axis has ticks at 2 and 5, too."""
_TICKS = 4
"""Most distances between ticks of a linear axis."""


def dot_rows(block: Dots, escape: Callable[[str], str]) -> Iterator[str]:
    """Lines of HTML; `escape` makes texts of a page."""
    words = escape(block.caption)
    if not any(dot.value is not None for dot in block.dots):
        yield f"<p>{words}: no run has this number.</p>"
        return
    scale = _Scale(block)
    named = any(dot.name for dot in block.dots)
    yield f'<div class="wide" tabindex="0" role="group" aria-label="{words}">'
    yield f'<table class="dots"><caption>{words}</caption><thead><tr>'
    if block.factor:
        yield f'<th scope="col">{escape(block.factor)}</th>'
    if named:
        yield '<th scope="col">setting</th>'
    yield f'<th scope="col">{"log scale" if block.logarithmic else ""}{scale.axis()}</th>'
    yield '<th scope="col" class=n>value</th></tr></thead>'
    for group, those in groupby(block.dots, key=lambda dot: dot.group):
        yield "<tbody>"
        yield from _group(group, [*those], scale, escape, named=named)
        yield "</tbody>"
    yield "</table></div>"


def _group(
    group: str, dots: Sequence[Dot], scale: "_Scale", escape: Callable[[str], str], *, named: bool
) -> Iterator[str]:
    head = f'<th scope="rowgroup" rowspan="{len(dots)}">{escape(group)}</th>' if group else ""
    for dot in dots:
        name = f"<td>{_sign(dot.colour)}&nbsp;{escape(dot.name)}</td>" if named else ""
        yield f"<tr>{head}{name}<td>{scale.track(dot)}</td><td class=n>{escape(dot.text)}</td></tr>"
        head = ""


def _sign(colour: str) -> str:
    return (
        '<svg width="10" height="10" aria-hidden="true">'
        f'<circle cx="5" cy="5" r="4" fill="{_paint(colour)}"/></svg>'
    )


def _paint(colour: str) -> str:
    return f"var({colour})" if colour.startswith("--") else colour


class _Scale:
    """Places of numbers in percent of the width of a drawing."""

    def __init__(self, block: Dots) -> None:
        values = [one for dot in block.dots for one in (dot.value, *(dot.interval or ()))]
        values.append(block.reference)
        self._reference = block.reference
        known = [one for one in values if one is not None]
        self._log = block.logarithmic
        if self._log:
            positive = [one for one in known if one > 0.0]
            self._low, self._high = min(positive), max(positive)
        else:
            self._low, self._high = min(0.0, *known), max(0.0, *known)
        if self._high <= self._low:
            self._high = self._low + 1.0

    def _at(self, value: float) -> str:
        if self._log:
            # An end at 0 is beyond the axis.
            value = max(value, self._low)
            part = math.log(value / self._low) / math.log(self._high / self._low)
        else:
            part = (value - self._low) / (self._high - self._low)
        return f"{_MARGIN + (100.0 - 2.0 * _MARGIN) * part:.2f}%"

    def _ticks(self) -> list[float]:
        if self._log:
            first, last = math.floor(math.log10(self._low)), math.ceil(math.log10(self._high))
            steps = (1.0,) if last - first > _FEW_DECADES else (1.0, 2.0, 5.0)
            ticks = [step * 10.0**power for power in range(first, last + 1) for step in steps]
            return [tick for tick in ticks if self._low <= tick <= self._high]
        step = _round_up((self._high - self._low) / _TICKS)
        first = math.ceil(self._low / step - 1e-9)
        last = math.floor(self._high / step + 1e-9)
        return [step * number for number in range(first, last + 1)]

    def axis(self) -> str:
        """Numbers of the ticks."""
        texts = "".join(
            f'<text x="{self._at(tick)}" y="12">{tick:g}</text>' for tick in self._ticks()
        )
        return f'<svg class="track" width="100%" height="16">{texts}</svg>'

    def track(self, dot: Dot) -> str:
        """Drawing of a row; its number stands beside it."""
        middle = _HEIGHT / 2
        parts = [
            f'<line class="tick" x1="{at}" x2="{at}" y1="0" y2="{_HEIGHT}"/>'
            for at in map(self._at, self._ticks())
        ]
        colour = _paint(dot.colour)
        if self._reference is not None:
            at = self._at(self._reference)
            parts.append(f'<line class="reference" x1="{at}" x2="{at}" y1="0" y2="{_HEIGHT}"/>')
        if dot.interval is not None:
            low, high = map(self._at, dot.interval)
            parts.append(
                f'<line x1="{low}" x2="{high}" y1="{middle}" y2="{middle}" stroke="{colour}" '
                'stroke-width="2"/>'
            )
        if dot.value is not None:
            fill = "none" if dot.hollow else colour
            parts.append(
                f'<circle cx="{self._at(dot.value)}" cy="{middle}" r="{_RADIUS}" fill="{fill}" '
                f'stroke="{colour}" stroke-width="1.5"/>'
            )
        inside = "".join(parts)
        return (
            f'<svg class="track" width="100%" height="{_HEIGHT}" aria-hidden="true">{inside}</svg>'
        )


def _round_up(step: float) -> float:
    """The least of 1, 2, 5 times a power of ten that is not below `step`."""
    power = 10.0 ** math.floor(math.log10(step))
    return next(factor * power for factor in (1, 2, 5, 10) if factor * power >= step * (1 - 1e-9))
