"""A map of the points where a formula holds: a cell per point, coloured by the difference."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Patch, Rectangle

from cellway.statistics.intervals import Estimate

CLASSES = {0.05: "#1B7837", 0.10: "#7FBF7B", 0.25: "#FEE08B"}
"""Colours by the part of simulation within which the whole interval lies."""
BEYOND = "#D6604D"
NOTHING = "#EEEEEE"
"""Colour of a point where formula or simulation have no number to compare."""

Point = tuple[str, str]
"""Column and row of a point."""
Place = tuple[int, int]
"""Number of a column and of a row, from 0."""


@dataclass(frozen=True)
class Off:
    """Theory minus simulation, relative to simulation.

    Attributes:
        mean: over the mean of the runs.
        most: the largest over the 95 % interval of that mean, as a size.
    """

    mean: float
    most: float

    @classmethod
    def of(cls, theory: float, simulated: Estimate | None) -> "Off | None":
        """Difference of a theory from a mean; `None` without a mean above 0."""
        if simulated is None or simulated.mean <= 0:
            return None
        half = simulated.half_width or 0.0
        ends = (max(simulated.mean - half, 1e-300), simulated.mean + half)
        return cls(theory / simulated.mean - 1, max(abs(theory / end - 1) for end in ends))

    @property
    def colour(self) -> str:
        """Colour of the narrowest class that holds the whole interval."""
        return next((CLASSES[part] for part in CLASSES if self.most <= part), BEYOND)


@dataclass(frozen=True)
class Map:
    """Map of one formula beside one kind of simulation.

    Attributes:
        name: the formula, and the simulation.
        columns, rows: labels, from left to right and from the bottom up.
        across, up: their quantities.
        cells: by column and row.
    """

    name: str
    columns: Sequence[str]
    rows: Sequence[str]
    across: str
    up: str
    cells: Mapping[Point, Off | None]

    def within(self, part: float) -> int:
        """Points whose whole interval is within `part` of simulation."""
        return sum(1 for one in self.cells.values() if one is not None and one.most <= part)

    @property
    def compared(self) -> int:
        """Number of points that can be compared."""
        return sum(1 for one in self.cells.values() if one is not None)

    def line(self) -> str:
        """Row of a table: points, and the numbers of those within 5, 10 and 25 %."""
        counts = " | ".join(str(self.within(part)) for part in CLASSES)
        return f"| {self.name.replace(chr(10), ', ')} | {self.compared} | {counts} |"


def areas(colours: Mapping[Place, str]) -> Iterator[tuple[Place, Place]]:
    """Rectangles of one colour that cover all places: the first place, and width and height."""
    left = dict(colours)
    for x, y in sorted(colours):
        if (x, y) not in left:
            continue
        colour, width, height = left[x, y], 1, 1
        while left.get((x, y + height)) == colour:
            height += 1
        while all(left.get((x + width, up)) == colour for up in range(y, y + height)):
            width += 1
        for place in product(range(x, x + width), range(y, y + height)):
            del left[place]
        yield (x, y), (width, height)


def draw_map(axes: Axes, given: Map) -> None:
    """Draws the map as cells with numbers: + where theory is above simulation."""
    colours = dict[Place, str]()
    for (x, column), (y, row) in product(enumerate(given.columns), enumerate(given.rows)):
        one = given.cells.get((column, row))
        colours[x, y] = NOTHING if one is None else one.colour
        if one is not None:
            dark = colours[x, y] == CLASSES[0.05]
            axes.text(
                x + 0.5, y + 0.5, percents(one.mean), ha="center", va="center", fontsize=6.5,
                color="white" if dark else "black",
            )  # fmt: skip
    for place, (width, height) in areas(colours):
        axes.add_patch(Rectangle(place, width, height, facecolor=colours[place], linewidth=0))
    axes.vlines(range(1, len(given.columns)), 0, len(given.rows), colors="white", linewidths=1.0)
    axes.hlines(range(1, len(given.rows)), 0, len(given.columns), colors="white", linewidths=1.0)
    axes.set_xlim(0, len(given.columns))
    axes.set_ylim(0, len(given.rows))
    axes.set_xticks([x + 0.5 for x in range(len(given.columns))], given.columns, fontsize=7)
    axes.set_yticks([y + 0.5 for y in range(len(given.rows))], given.rows, fontsize=7)
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    axes.set_xlabel(given.across, fontsize=8)
    axes.set_ylabel(given.up, fontsize=8)
    axes.set_title(given.name, loc="left", fontsize=8, fontweight="bold")


def percents(part: float) -> str:
    """Percentage without decimals, with its sign; a factor from twice on."""
    if part >= 1:
        return f"×{part + 1:.2g}"
    whole = round(100 * part)
    return "0" if whole == 0 else f"{whole:+d}".replace("-", "−")


def legend(made: Figure) -> None:
    """Draws the meaning of the colours below all maps."""
    patches = [
        Patch(
            color=colour, label=f"within {100 * part:.0f} % of simulation, 95 % interval included"
        )
        for part, colour in CLASSES.items()
    ]
    made.legend(
        handles=[*patches, Patch(color=BEYOND, label="beyond, or not known so well")],
        loc="outside lower left", ncols=2, fontsize=8, frameon=False,
    )  # fmt: skip
