"""Complementary distributions of queues and delays."""

from collections.abc import Mapping, Sequence
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from cellway.plot.colours import COLOURS
from cellway.plot.style import figure, legend_beside, quiet, title
from cellway.runs.runs import Run
from cellway.text.units import per

MAX_CURVES = len(COLOURS)
"""Curves in a panel; if there are more, those with the largest 99 % quantiles are plotted."""

_FAR = 2.0
"""Smallest number, in spreads of all curves, from which the axis does not need the 0."""
_MARGIN = 0.1
"""Margin between the axis and the smallest number, as a part of the spread."""

Distributions = Mapping[str, Mapping[str, Any]]
"""Distributions by port or flow, as in the summary."""


def plot_distributions(run: Run, ports: Sequence[str] = (), flows: Sequence[str] = ()) -> Figure:
    """Queues, delays through ports and one-way delays of flows: a panel for each that was counted.

    Args:
        run: with distributions.
        ports: names of ports to plot.
        flows: names of flows to plot; without ports and flows, all of both.

    Raises:
        ValueError: no distribution was counted, or none at a port or flow that was asked for.
    """
    chosen = bool(ports or flows)
    queues = _asked(_of(run.ports, "queue_distribution"), ports, "port", chosen)
    delays = _asked(_of(run.ports, "delay"), ports, "port", chosen)
    ways = _asked(_of(run.flows, "one_way_delay"), flows, "flow", chosen)
    units = {name: run.ports[name]["unit"] for name in queues}
    panels = [
        *(
            (f"Queue, in {unit}s", _only(queues, units, unit), 1.0)
            for unit in dict.fromkeys(units.values())
        ),
        ("Delay through the port, in ms", delays, per("ms")),
        ("One-way delay of packets, in ms", ways, per("ms")),
    ]
    panels = [panel for panel in panels if panel[1]]
    if not panels:
        raise ValueError(
            "no distribution was counted; `observe.distributions` names ports and flows"
        )
    made = figure(10.0, 0.8 + 3.0 * len(panels))
    for axes, panel in zip(made.subplots(len(panels), 1, squeeze=False)[:, 0], panels, strict=True):
        _draw(axes, *panel)
    measured = f"measured from {run.summary['warm_up_s']:g} s to {run.summary['duration_s']:g} s"
    heading = f"{run.summary['scenario']}, seed {run.summary['seed']}: {measured}"
    made.suptitle(heading, x=0.01, ha="left", fontsize=11)
    return made


def _of(parts: Mapping[str, Mapping[str, Any]], kind: str) -> Distributions:
    """Distributions that were counted and have at least one sample."""
    return {
        name: part[kind]
        for name, part in parts.items()
        if part.get(kind, {}).get("p50") is not None
    }


def _asked(found: Distributions, names: Sequence[str], what: str, chosen: bool) -> Distributions:
    for name in names:
        if name not in found:
            known = ", ".join(found) or "none; `observe.distributions` names them"
            raise ValueError(f"no distribution was counted at {what} {name!r}; counted at: {known}")
    return {name: found[name] for name in names} if chosen else found


def _only(found: Distributions, units: Mapping[str, str], unit: str) -> Distributions:
    return {name: one for name, one in found.items() if units[name] == unit}


def _draw(axes: Axes, text: str, found: Distributions, scale: float) -> None:
    quiet(axes)
    shown = sorted(found, key=lambda name: (-found[name]["p99"], name))[:MAX_CURVES]
    note = (
        f" (the {MAX_CURVES} of {len(found)} with the maximum p99)"
        if len(found) > MAX_CURVES
        else ""
    )
    title(axes, f"{text}: part that is larger{note}")
    lowest, ends = 1.0, list[float]()
    # Not by size, which would swap the colours of flows between runs.
    colours = dict(zip((name for name in found if name in shown), COLOURS, strict=False))
    for name in shown:
        number, share = _tail(found[name]["above"])
        seen = [(scale * at, part) for at, part in zip(number, share, strict=True) if part > 0.0]
        lowest = min([lowest, *(part for _, part in seen)])
        quantiles = [
            f"{key} {scale * found[name][key]:.4g}" for key in ("p50", "p90", "p99", "p99.9")
        ]
        label = f"{name}:\n{', '.join(quantiles)}"
        # A curve holds its value until the next number, and is 0 behind the largest.
        end = scale * found[name]["max"]
        ends += [end, min((at for at, _ in seen), default=end)]
        axes.plot(
            [at for at, _ in seen] + [end],
            [part for _, part in seen] + [seen[-1][1] if seen else 1.0],
            color=colours[name],
            linewidth=1.2,
            drawstyle="steps-post",
            label=label,
        )
    axes.set_yscale("log")
    axes.set_ylim(lowest / 2.0, 1.5)
    spread = max(ends) - min(ends)
    # Near a smallest delay that is far above their spread, curves would be one vertical line.
    is_far = min(ends) > _FAR * spread > 0.0
    axes.set_xlim(min(ends) - _MARGIN * spread if is_far else 0.0)
    axes.set_ylabel("P(X > x)", fontsize=9)
    legend_beside(axes)


def _tail(
    above: Mapping[str, float] | Sequence[Sequence[float]],
) -> tuple[list[float], list[float]]:
    """Numbers and the part above each, from a mapping for queues or pairs for delays."""
    pairs = above.items() if isinstance(above, Mapping) else above
    numbers, parts = zip(*((float(at), part) for at, part in pairs), strict=True)
    return list(numbers), list(parts)
