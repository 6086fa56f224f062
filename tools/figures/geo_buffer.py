"""Goodput over the buffer of a geostationary hop: docs/geo-buffer.md."""

from typing import TYPE_CHECKING

from cellway.cli.figure_files import save_figure
from cellway.plot.colours import COLOURS
from cellway.plot.style import figure, headline, quiet, title
from figures.shared import FOLDER, draw_line, results_of

if TYPE_CHECKING:
    from cellway.statistics.intervals import Estimate


def geo_buffer() -> None:
    """Draws goodput over the buffer: a panel for each residual loss, a line for each TCP."""
    results = results_of("geo-buffer")
    found: dict[tuple[str, str], dict[float, Estimate]] = {}
    columns = (results.column(name) for name in ("loss", "tcp", "buffer"))
    for (loss, tcp, buffer), estimate in zip(
        zip(*columns, strict=True), results.estimates("goodput"), strict=True
    ):
        assert estimate is not None, (loss, tcp, buffer)
        found.setdefault((str(loss), str(tcp)), {})[float(buffer)] = estimate
    made = figure(12.5, 3.8)
    losses = list(dict.fromkeys(loss for loss, _ in found))
    for axes, loss in zip(made.subplots(1, len(losses), sharey=True), losses, strict=True):
        lines = {tcp: points for (at, tcp), points in found.items() if at == loss}
        for colour, (tcp, points) in zip(COLOURS, lines.items(), strict=False):
            draw_line(axes, points, colour, tcp)
        axes.set_xscale("log")
        ticks = sorted(points)
        axes.xaxis.set_ticks(ticks, [f"{tick:g}" for tick in ticks])
        axes.xaxis.set_ticks([], minor=True)
        axes.set_ylim(0.0, 31.0)
        axes.set_xlabel("buffer, parts of what fills the path", fontsize=9)
        title(axes, f"{loss} of the frames lost" if float(loss) else "no residual loss")
        quiet(axes)
    axes.legend(fontsize=8, frameon=False)
    headline(made, "Fifteen flows over a geostationary hop at 34 Mbit/s: goodput, Mbit/s")
    save_figure(made, FOLDER / "geo-buffer.svg", as_text=True)
