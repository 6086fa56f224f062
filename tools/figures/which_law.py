"""Laws of the window over seven paths: docs/which-congestion-control.md."""

from collections.abc import Iterable
from dataclasses import dataclass
from math import log2

from matplotlib.axes import Axes
from matplotlib.colors import to_rgb
from matplotlib.patches import Rectangle

from cellway.cli.figure_files import save_figure
from cellway.plot.colours import COLOURS
from cellway.plot.style import figure, headline
from cellway.statistics import Estimate, estimate
from cellway.study.results import Results
from figures.shared import FOLDER, results_of

LAWS = {
    "reno": "Reno", "cubic": "CUBIC", "vegas": "Vegas", "westwood": "Westwood+",
    "hybla": "Hybla", "copa": "Copa", "bbr1": "BBRv1", "bbr3": "BBRv3",
}  # fmt: skip
PROXY = "GEO, proxies"
PATHS = {
    "access": "access line: 20 Mbit/s, 30 ms",
    "LEO": "LEO: 50 Mbit/s, 28–44 ms, hand-overs",
    "GEO": "GEO: 20 Mbit/s, 560 ms, 10⁻⁴ lost",
    PROXY: "GEO between proxies",
    "noisy": "noisy: 20 Mbit/s, 60 ms, 1 % lost",
    "cellular": "cellular: a trace of 5 Mbit/s, 50 ms",
    "ATM": "ATM: 10 Mbit/s of cells, 40 ms",
}
"""Paths in their order, with what stands above their panels."""
GREEN, ORANGE = COLOURS[2], COLOURS[4]
SHADES, DARKEST = 6, 0.75
WIDE = 0.03
"""Half-width, of the mean, from which on the figure has it; the tables of the page have all."""
NEAR = 1.1
"""Ratio to the best within which a law counts as well as it."""
ALONE, SHARED = "●", "◆"

LEGEND = (
    f"{ALONE}  where the path is yours alone: goodput",
    "within 10 % of the best, and then the",
    "shortest delay of a call",
    f"{SHARED}  where CUBIC shares it: moreover neither",
    "has less than half of what a CUBIC flow",
    "has beside another",
    "green: good",
    "orange: CUBIC beside it loses more than",
    "a quarter of that",
)

Values = dict[tuple[str, str, str, str], list[float]]
"""Numbers of all runs by law, path, case and response."""


@dataclass(frozen=True)
class Measure:
    """A column of the panels: its name, digits, and numbers of each law on each path."""

    name: str
    digits: int
    found: dict[tuple[str, str], Estimate]

    def mean(self, law: str, path: str) -> float:
        """The mean alone."""
        return self.found[law, path].mean

    def is_wide(self, law: str, path: str) -> bool:
        """True if the interval is so wide that the figure shows it."""
        one = self.found[law, path]
        return (one.half_width or 0.0) >= WIDE * one.mean

    def written(self, law: str, path: str) -> tuple[str, str]:
        """Mean and half-width as they are shown; no half-width where it rounds to nothing."""
        one = self.found[law, path]
        digits = max(0, self.digits - (one.mean >= 100.0) - (one.mean >= 10.0))  # noqa: PLR2004
        half = f"{one.half_width or 0.0:.{digits}f}"
        return f"{one.mean:.{digits}f}", f"± {half}" if float(half) else ""


def values_of(studies: Iterable[tuple[Results, str | None]]) -> Values:
    """Numbers of the studies; a study without the factor `path` has the one that is given."""
    found: Values = {}
    for results, path in studies:
        paths = [path] * len(results.conditions) if path else results.column("path")
        points = zip(results.column("law"), paths, results.column("case"), strict=True)
        for at, (law, where, case) in enumerate(points):
            for response in ("goodput", "rival", "call_p99"):
                found[law, str(where), case, response] = results.values(response, at)
    return found


@dataclass(frozen=True)
class Table:
    """All columns, and the CUBIC flow beside: its goodput, of that which it has beside CUBIC."""

    laws: list[str]
    goodput: Measure
    delay: Measure
    share: Measure
    after: Measure
    left: dict[tuple[str, str], float]

    @property
    def measures(self) -> tuple[Measure, Measure, Measure, Measure]:
        """The columns in their order."""
        return self.goodput, self.delay, self.share, self.after

    def quickest(self, path: str, laws: Iterable[str]) -> set[str]:
        """Those of the laws with the shortest delays, out of those that use the path."""
        most = max(self.goodput.mean(law, path) for law in self.laws)
        using = {law for law in laws if NEAR * self.goodput.mean(law, path) >= most}
        least = min((self.delay.mean(law, path) for law in using), default=0.0)
        return {law for law in using if self.delay.mean(law, path) <= NEAR * least}

    def fair(self, path: str) -> list[str]:
        """The laws beside which neither has less than half of what CUBIC has beside CUBIC."""
        half = self.share.mean("cubic", path) / 2.0
        return [
            law for law in self.laws
            if self.share.mean(law, path) >= half and self.left[law, path] >= 0.5  # noqa: PLR2004
        ]  # fmt: skip

    def shade(self, column: int, law: str, path: str) -> tuple[str, float]:
        """Colour of a cell and its strength, 0 to 1: green is good, orange takes from CUBIC."""
        values = [self.measures[column].mean(each, path) for each in self.laws]
        value = self.measures[column].mean(law, path)
        taken = 1.0 - self.left[law, path]
        match column:
            case 0:
                return GREEN, 2.0 * value / max(values) - 1.0
            case 1:
                return GREEN, 1.0 - log2(value / min(values)) / 2.0
            case 2:
                return (ORANGE, taken) if taken > 0.25 else (GREEN, 2.0 * value)  # noqa: PLR2004
            case _:
                return GREEN, value / 100.0


def table_of(found: Values, laws: list[str]) -> Table:
    """The columns; shares and ratios are of runs with the same seed."""

    def made(name: str, digits: int, numbers: dict[tuple[str, str], list[float]]) -> Measure:
        return Measure(name, digits, {key: estimate(each) for key, each in numbers.items()})

    cells = [(law, path) for law in laws for path in PATHS]
    goodput = {cell: found[*cell, "alone", "goodput"] for cell in cells}
    delay = {cell: found[*cell, "alone", "call_p99"] for cell in cells}
    share, after = {}, {}
    for cell in cells:
        case = (*cell, "beside CUBIC")
        pairs = zip(found[*case, "goodput"], found[*case, "rival"], strict=True)
        share[cell] = [own / (own + rival) for own, rival in pairs]
        pairs = zip(found[*cell, "outage", "goodput"], goodput[cell], strict=True)
        after[cell] = [100.0 * one / usual for one, usual in pairs]
    rival = {cell: sum(found[*cell, "beside CUBIC", "rival"]) for cell in cells}
    return Table(
        laws,
        made("goodput,\nMbit/s", 2, goodput),
        made("call, 99 %,\nms", 2, delay),
        made("share beside\nCUBIC", 2, share),
        made("after an\noutage, %", 1, after),
        {(law, path): rival[law, path] / rival["cubic", path] for law, path in cells},
    )


def draw_path(axes: Axes, path: str, table: Table) -> None:
    """Draws the panel of a path: a row for each law, a column for each measure."""
    for column, measure in enumerate(table.measures):
        for row, law in enumerate(table.laws):
            colour, strength = table.shade(column, law, path)
            strength = round(SHADES * min(max(strength, 0.0), 1.0)) / SHADES
            if strength:
                place, light = (column - 0.5, row - 0.5), 1.0 - DARKEST * strength
                fill = [light + (1.0 - light) * part for part in to_rgb(colour)]
                axes.add_patch(Rectangle(place, 1, 1, facecolor=fill))
            mean, half = measure.written(law, path)
            half = half if measure.is_wide(law, path) else ""
            above = 0.14 if half else 0.0
            axes.text(column, row - above, mean, fontsize=8, ha="center", va="center")
            if half:
                axes.text(column, row + 0.27, half, fontsize=5.5, ha="center", va="center")
    axes.set_xlim(-0.5, len(table.measures) - 0.5)
    axes.set_ylim(len(table.laws) - 0.5, -0.5)
    axes.spines[:].set_visible(False)
    axes.tick_params(length=0)
    axes.xaxis.tick_top()
    names = [measure.name for measure in table.measures]
    axes.set_xticks(range(len(names)), names, fontsize=6)
    marks = {
        ALONE: table.quickest(path, table.laws),
        SHARED: table.quickest(path, table.fair(path)),
    }
    rows = [
        "".join(mark for mark, laws in marks.items() if law in laws) + f" {LAWS[law]}"
        for law in table.laws
    ]
    axes.set_yticks(range(len(rows)), rows, fontsize=8)
    axes.set_title(PATHS[path], fontsize=9, loc="left")


def print_tables(table: Table) -> None:
    """Prints the tables of the page, one for each measure."""
    for measure in table.measures:
        print(f"\n| {measure.name.replace(chr(10), ' ')} | {' | '.join(PATHS)} |")
        print("|---" * (len(PATHS) + 1) + "|")
        for law in table.laws:
            cells = (" ".join(filter(None, measure.written(law, path))) for path in PATHS)
            print(f"| {LAWS[law]} | {' | '.join(cells)} |")


def which_law() -> None:
    """Draws a panel for each path, and prints the tables of the page."""
    studies = (results_of("which-law"), None), (results_of("which-law-proxy"), PROXY)
    laws = list(dict.fromkeys(studies[0][0].column("law")))
    table = table_of(values_of(studies), laws)
    made = figure(14.0, 7.2)
    *panels, legend = made.subplots(2, 4).flat
    for axes, path in zip(panels, PATHS, strict=True):
        draw_path(axes, path, table)
    legend.axis("off")
    for row, line in enumerate(LEGEND):
        legend.text(0.0, 0.95 - 0.06 * row, line, fontsize=8.5, va="top")
    text = "Which law for which path: means of 5 runs, and 95 % intervals of 3 % or more of them"
    headline(made, text)
    save_figure(made, FOLDER / "which-law.svg", as_text=True)
    print_tables(table)
