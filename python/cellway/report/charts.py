"""Data of the charts of a run: the panels of its figure, as a script draws them.

Values are those that were recorded. Of a curve with more points than a chart shows, the first, the
last, the least and the greatest of each of `COLUMNS` stretches of time are kept, so that no peak
is lost.
"""

import base64
import gzip
import json
from collections.abc import Mapping
from typing import Any

import numpy as np

from cellway.plot.curves import Numbers, within
from cellway.plot.panels import Line, Panel
from cellway.report.frames import Frames

COLUMNS = 1000
"""Stretches of time that a long curve is thinned to."""
_DIGITS = 7
"""Significant digits of values, and of times in millionths of the run."""


def chart_data(
    panels: list[Panel], span: tuple[float, float], warm_up: float, path: Frames | None = None
) -> str:
    """Panels, and frames of the path, as base64 of compressed JSON; the same for equal ones."""
    shown = [_panel(one, span) for one in panels]
    return packed({"span": span, "warm_up": warm_up, "panels": shown, "path": path})


def packed(data: Mapping[str, Any]) -> str:
    """Data as base64 of compressed JSON; the same for equal ones."""
    text = json.dumps(data, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return base64.b64encode(gzip.compress(text.encode(), 9, mtime=0)).decode()


def is_thinned(panels: list[Panel], span: tuple[float, float]) -> bool:
    """True if a curve has more points than its chart."""
    curves = [within(line.series, span)[0] for panel in panels for line in panel.lines]
    return any(len(time) > 4 * COLUMNS for time in curves)


def _panel(panel: Panel, span: tuple[float, float]) -> dict[str, Any]:
    lines = [_line(line, span) for line in panel.lines]
    highest = max((one for line in lines for one in line["v"] if one is not None), default=0)
    is_beyond = panel.top is not None and highest > panel.top
    return {
        "title": panel.title + (f"; beyond this axis, to {highest:.4g} {panel.label}" * is_beyond),
        "unit": panel.label,
        "top": panel.top,
        "limits": [[name, height] for name, height in panel.limits],
        "lines": lines,
    }


def _line(line: Line, span: tuple[float, float]) -> dict[str, Any]:
    time, value = _kept(*within(line.series, span), span)
    return {
        # Matplotlib leaves a name with an underscore in front out of its legend.
        "unnamed": line.label.startswith("_"),
        "name": line.label.removeprefix("_").replace("\n", " "),
        "colour": line.colour,
        "dashed": line.dashed,
        "t": [short(one) for one in time.tolist()],
        "v": [short(one * line.scale) for one in value.tolist()],
    }


def _kept(time: Numbers, value: Numbers, span: tuple[float, float]) -> tuple[Numbers, Numbers]:
    """First, last, least and greatest point of each column; all points where they are few."""
    if len(time) <= 4 * COLUMNS:
        return time, value
    edges = np.linspace(span[0], span[1], COLUMNS + 1)[1:-1]
    parts = np.split(np.arange(len(time)), time.searchsorted(edges))
    kept: set[int] = set()
    for part in parts:
        if len(part):
            known = part[np.isfinite(value[part])]
            kept |= {int(part[0]), int(part[-1])}
            if len(known):
                kept |= {int(known[value[known].argmin()]), int(known[value[known].argmax()])}
    chosen = np.array(sorted(kept))
    return time[chosen], value[chosen]


def short(number: float) -> float | int | None:
    """The number with few digits, whole where it is; `None` where it is none."""
    if not np.isfinite(number):
        return None
    short = float(f"{number:.{_DIGITS}g}")
    return int(short) if short.is_integer() else short
