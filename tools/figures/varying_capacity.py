"""Users of a capacity that varies, and the delays of their data: docs/varying-capacity.md."""

from cellway.cli.figure_files import save_figure
from cellway.plot.colours import COLOURS
from cellway.plot.style import figure, headline, quiet, title
from cellway.statistics.intervals import estimate
from figures.shared import FOLDER, results_of

PATHS = {"psi 1": "ψ = 1", "psi 10": "ψ = 10", "psi 100": "ψ = 100", "cellular": "cellular"}
BUFFERS = {"0.2": "a fifth of what fills the path", "1": "all of what fills the path"}

Point = tuple[str, str, str]


def varying_capacity() -> None:
    """Draws efficiency above mean one-way delay; a column per buffer, a line per scheme."""
    found = _found()
    schemes = list(dict.fromkeys(scheme for scheme, _, _ in found))
    made = figure(11.0, 6.0)
    rows = made.subplots(2, len(BUFFERS), sharex=True, sharey="row")
    for column, (buffer, words) in enumerate(BUFFERS.items()):
        for colour, scheme in zip(COLOURS, schemes, strict=False):
            runs = [found[scheme, path, buffer] for path in PATHS]
            for axes, quantity in zip(rows[:, column], (0, 1), strict=True):
                spread = [estimate([run[quantity] for run in of_path]) for of_path in runs]
                axes.errorbar(
                    range(len(PATHS)),
                    [one.mean for one in spread],
                    [one.half_width or 0.0 for one in spread],
                    fmt="o-", markersize=3, linewidth=1.0, capsize=2, color=colour, label=scheme,
                )  # fmt: skip
                means = (f"{one.mean:.3g}" for one in spread)
                print(("efficiency", "delay")[quantity], buffer, scheme, *means)
        top, bottom = rows[:, column]
        title(top, f"buffer: {words}")
        top.set_ylim(0.0, 1.0)
        bottom.set_yscale("log")
        bottom.set_xticks(range(len(PATHS)), list(PATHS.values()))
        quiet(top)
        quiet(bottom)
    rows[0, 0].set_ylabel("goodput over mean capacity", fontsize=9)
    rows[1, 0].set_ylabel("one-way delay, ms", fontsize=9)
    rows[0, -1].legend(fontsize=8, frameon=False, ncols=2)
    headline(made, "A download over a varying capacity: 100 ms, at most 8 Mbit/s, or a trace")
    save_figure(made, FOLDER / "varying-capacity.svg", as_text=True)


def _found() -> dict[Point, list[tuple[float, float]]]:
    """Efficiency and delay of every run, by scheme, path and buffer."""
    found: dict[Point, list[tuple[float, float]]] = {}
    names = ("scheme", "path", "buffer", "goodput", "capacity", "delay")
    for row in results_of("varying-capacity").to_polars().select(names).iter_rows():
        scheme, path, buffer, goodput, capacity, delay = row
        point = (str(scheme), str(path), str(buffer))
        found.setdefault(point, []).append((goodput / capacity, delay))
    return found
