"""Figures of the course, drawn from its laboratories: docs/courses/."""

from matplotlib.axes import Axes

import cellway
from cellway.cli.figure_files import save_figure
from cellway.course import cells
from cellway.course.setting import run_of
from cellway.plot.colours import COLOURS
from cellway.plot.style import figure, legend_beside, quiet, share_time, title
from figures.shared import FOLDER

SEGMENT = 1460.0
PER_MEGABIT = 1e-6
NAMES = {"tail": "tail drop", "ppd": "PPD", "epd": "EPD"}


def course() -> None:
    """Draws a figure for each unit that has one of its own."""
    sawtooth()
    queues()
    whole_frames()
    capacity()


def sawtooth() -> None:
    """Draws window and queue of unit 2."""
    run = run_of("slow-start", ("observe.interval", '"200 ms"'))
    made = figure(9.0, 4.2)
    rows = made.subplots(2, 1, sharex=True)
    _step(rows[0], run, "bulk.cwnd", 1.0 / SEGMENT, "cwnd")
    rows[0].axhline(84.3, color="black", linewidth=0.8, linestyle="--", label="path")
    rows[0].set_ylim(0.0, 115.0)
    _step(rows[1], run, "router.line.queue", 1.0, "waiting", colour=COLOURS[1])
    _finish(list(rows), ("Window, segments", "Queue, packets"), (0.0, 40.0))
    save_figure(made, FOLDER / "course-sawtooth.svg", as_text=True)


def queues() -> None:
    """Draws the queue of unit 3 under two policies."""
    made = figure(9.0, 2.6)
    axes = made.subplots()
    for colour, (policy, name) in zip(
        COLOURS, {"tail": "tail drop", "codel": "CoDel"}.items(), strict=False
    ):
        sets = (("switch.router.drop", f'"{policy}"'), ("observe.interval", '"200 ms"'))
        _step(axes, run_of("queues", *sets), "router.line.queue", 1.0, name, colour=colour)
    _finish([axes], ("Queue, packets of 200",), (0.0, 60.0))
    save_figure(made, FOLDER / "course-queues.svg", as_text=True)


def whole_frames() -> None:
    """Draws data of whole frames in unit 6."""
    made = figure(7.0, 1.8)
    axes = made.subplots()
    data = [cells.delivered(policy) * PER_MEGABIT for policy in NAMES]
    places = range(len(NAMES))
    axes.barh(places, data, color=COLOURS[0], height=0.6)
    for place, value in zip(places, data, strict=True):
        axes.text(value - 1.0, place, f"{value:.0f}", va="center", ha="right", color="white")
    axes.axvline(134.5, color="black", linewidth=0.8, linestyle="--", label="the trunk carries")
    axes.set_yticks([*places], [*NAMES.values()])
    axes.invert_yaxis()
    title(axes, "Data of whole frames, Mbit/s")
    quiet(axes)
    legend_beside(axes)
    save_figure(made, FOLDER / "course-cells.svg", as_text=True)


def capacity() -> None:
    """Draws capacity and queue of unit 8."""
    run = run_of("capacity")
    made = figure(9.0, 4.2)
    rows = made.subplots(2, 1, sharex=True)
    _step(rows[0], run, "bottleneck.capacity", PER_MEGABIT, "of cells")
    rows[0].set_ylim(0.0, 9.0)
    _step(rows[1], run, "router.bottleneck.queue", 1.0, "waiting", colour=COLOURS[1])
    _finish(list(rows), ("Capacity, Mbit/s", "Queue, cells of 1400"), (20.0, 40.0))
    save_figure(made, FOLDER / "course-capacity.svg", as_text=True)


def _step(  # noqa: PLR0913
    axes: Axes, run: cellway.Run, name: str, scale: float, label: str, *, colour: str = COLOURS[0]
) -> None:
    series = run.series(name)
    axes.step(
        series.time, series.value * scale, where="post", color=colour, linewidth=1.0, label=label
    )


def _finish(rows: list[Axes], titles: tuple[str, ...], span: tuple[float, float]) -> None:
    for axes, text in zip(rows, titles, strict=True):
        title(axes, text)
        quiet(axes)
        legend_beside(axes)
    share_time(rows, span, 0.0)
