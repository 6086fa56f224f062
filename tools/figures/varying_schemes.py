"""Schemes of today over a rate that varies: docs/varying-schemes.md."""

from cellway.cli.figure_files import save_figure
from cellway.plot.colours import COLOURS
from cellway.plot.style import figure, headline, legend_below, plain_logarithmic, quiet, title
from cellway.statistics.intervals import estimate
from figures.shared import FOLDER, results_of

PATHS = {
    "250 ms": "a step each 250 ms", "2 s": "a step each 2 s", "cellular": "trace, 20 ms",
}  # fmt: skip
MARKERS = "osD^vP*Xp><"
SHORTEST, LONGEST = 50.0, 2000.0
"""Delays that are shown, ms."""

Point = tuple[str, str]


def varying_schemes() -> None:
    """Draws goodput over capacity above the delay of nine of ten packets, a column per path."""
    found = _found()
    schemes = list(dict.fromkeys(scheme for scheme, _ in found))
    made = figure(11.0, 4.6)
    columns = made.subplots(1, len(PATHS), sharex=True, sharey=True)
    for axes, (path, words) in zip(columns, PATHS.items(), strict=True):
        for number, scheme in enumerate(schemes):
            delay, part = (
                estimate([run[quantity] for run in found[scheme, path]]) for quantity in (1, 0)
            )
            axes.errorbar(
                delay.mean, part.mean, part.half_width or 0.0, delay.half_width or 0.0,
                fmt=MARKERS[number], markersize=6, linewidth=1.0, capsize=2, label=scheme,
                color=COLOURS[number] if number < len(COLOURS) else "black",
            )  # fmt: skip
            print(path, scheme, f"{part.mean:.3f} {delay.mean:.4g}")
        title(axes, words)
        axes.set_xscale("log")
        plain_logarithmic(axes.xaxis, SHORTEST, LONGEST)
        axes.set_xlim(SHORTEST, LONGEST)
        axes.set_ylim(0.0, 1.0)
        axes.set_xlabel("one-way delay, nine of ten packets, ms", fontsize=9)
        quiet(axes)
    columns[0].set_ylabel("goodput over mean capacity", fontsize=9)
    legend_below(made, columns[0].get_legend_handles_labels()[0])
    headline(made, "A download over a radio link: who uses its rate, and how long packets wait")
    save_figure(made, FOLDER / "varying-schemes.svg", as_text=True)


def _found() -> dict[Point, list[tuple[float, float]]]:
    """Part of the capacity and delay of every run, by scheme and path."""
    found: dict[Point, list[tuple[float, float]]] = {}
    names = ("scheme", "path", "goodput", "capacity", "p90")
    for row in results_of("varying-schemes").to_polars().select(names).iter_rows():
        scheme, path, goodput, capacity, delay = row
        found.setdefault((str(scheme), str(path)), []).append((goodput / capacity, delay))
    return found
