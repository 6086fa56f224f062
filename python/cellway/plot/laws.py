"""State of laws of the window over time: a panel for each value that a law names."""

from collections.abc import Mapping
from dataclasses import replace

from cellway.plot.curves import max_value
from cellway.plot.panels import Line, Panel
from cellway.plot.throughput import rate_unit
from cellway.runs.runs import Run
from cellway.runs.series import Series
from cellway.text.units import SCALES, per

_UNITS = {"s": ("ms", per("ms")), "B": ("KiB", 1.0 / SCALES["KiB"]), "1": ("", 1.0)}
"""Units of an axis, and the factor to them; rates get the one that fits."""


def law_panels(run: Run, colours: Mapping[str, str]) -> dict[str, Panel]:
    """Panels by the name of their value, with a curve for each flow in `colours` that records it.

    Values of one name in several units have no common axis: the first unit is plotted.

    Args:
        run: with recorded series.
        colours: of flows, by name.
    """
    found: dict[str, dict[str, Series]] = {}
    for flow in colours:
        for name in run.series_names:
            if name.startswith(f"{flow}.law.") and len(run.series(name)):
                quantity = name.rpartition(".")[2]
                # Elsewhere the name of a series without its last part is that of its owner.
                found.setdefault(quantity, {})[flow] = replace(
                    run.series(name), name=f"{flow}.{quantity}"
                )
    return {quantity: _panel(quantity, several, colours) for quantity, several in found.items()}


def _panel(quantity: str, several: Mapping[str, Series], colours: Mapping[str, str]) -> Panel:
    unit = next(iter(several.values())).unit
    alike = {flow: series for flow, series in several.items() if series.unit == unit}
    label, scale = _UNITS.get(unit, (unit, 1.0))
    if unit == "bit/s":
        label = rate_unit(max(map(max_value, alike.values())))
        scale = per(label)
    lines = [Line(series, flow, colours[flow], scale) for flow, series in alike.items()]
    return Panel(f"{quantity} of the law of the window", label, lines)
