"""Style of all figures: canvas, colours, and unobtrusive axes."""

import io
import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.text import Text
from matplotlib.ticker import FixedLocator, FuncFormatter, LogLocator, NullFormatter

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.backend_bases import RendererBase

MUTED = "#666666"
_WHOLE = (1e3, 1e9)
"""Range in which numbers have no digits behind the point."""
_SHORT = 300.0
"""Ratio of the ends below which a logarithmic axis also has numbers between powers of ten."""
_LETTERS = 11.5
"""Letters per inch of a headline."""
_LEGEND_LETTERS = 15.0
"""Letters per inch of a legend, whose lines and gaps are as wide as `_HANDLE` letters."""
_HANDLE = 9
_LEGEND_WRAP = 40
_LEGEND_LINE = 0.17
"""Inches that a line of the legend adds to a figure, so that panels keep their height."""


class AsWritten(Figure):
    """A figure that shows words as given: a ``$`` in a name begins no formula.

    Numbers at the ticks of logarithmic axes are formulas of Matplotlib, and stay so.
    """

    def draw(self, renderer: "RendererBase") -> None:
        """Draws the figure, with all words but the numbers of ticks taken literally."""
        formulas = set()
        for axes in self.findobj(Axes):
            assert isinstance(axes, Axes)  # noqa: S101
            for axis in (axes.xaxis, axes.yaxis):
                # Some ticks are made only when they are drawn; ticks with names all exist by now.
                named = isinstance(axis.get_major_locator(), FixedLocator)
                ticks = [*axis.minorTicks, *([] if named else axis.majorTicks)]
                axis.get_major_ticks(len(axis.get_majorticklocs()) if named else None)
                formulas |= {label for tick in ticks for label in (tick.label1, tick.label2)}
        for text in self.findobj(Text):
            assert isinstance(text, Text)  # noqa: S101
            text.set_parse_math(text in formulas)
        super().draw(renderer)

    def _repr_png_(self) -> bytes:
        """The figure as PNG, for notebooks."""
        plotted = io.BytesIO()
        self.savefig(plotted, format="png")
        return plotted.getvalue()


def figure(width: float, height: float) -> Figure:
    """An empty figure of the given inches, rendered by Agg."""
    made = AsWritten(figsize=(width, height), dpi=120, layout="constrained")
    FigureCanvasAgg(made)
    return made


def plain(number: float) -> str:
    """The number with four digits, without an exponent where whole digits will do."""
    return f"{number:.0f}" if _WHOLE[0] <= abs(number) < _WHOLE[1] else f"{number:.4g}"


def quiet(axes: Axes) -> None:
    """Hides the lines of axes that are not needed to read values."""
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(visible=True, color="#DDDDDD", linewidth=0.6)
    axes.set_axisbelow(True)
    axes.tick_params(labelsize=8)


def plain_logarithmic(axis: Axis, low: float, high: float) -> None:
    """Writes plain numbers on a logarithmic axis, and more of them where it is short."""
    few = high < _SHORT * low
    axis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0) if few else (1.0,)))
    axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    axis.set_minor_formatter(NullFormatter())


def title(axes: Axes, text: str) -> None:
    """Writes a title above the left end."""
    axes.set_title(text, loc="left", fontsize=9.5, fontweight="bold")


def headline(made: Figure, text: str) -> None:
    """Writes a title above everything, wrapped to the width of the figure."""
    letters = int(_LETTERS * made.get_figwidth())
    made.suptitle(textwrap.fill(text, letters), x=0.01, ha="left", fontsize=10.5)


def share_time(rows: Sequence[Axes], span: tuple[float, float], warm_up: float) -> None:
    """Gives panels above each other one time axis, in seconds."""
    for axes in rows:
        axes.set_xlim(span)
        axes.tick_params(labelbottom=axes is rows[-1])
        # Matplotlib leaves labels that begin with an underscore out of the legend.
        note = "warm-up, not measured" if axes is rows[0] else "_warm-up"
        if warm_up > span[0]:
            axes.axvspan(
                span[0], warm_up, color="black", alpha=0.07, linewidth=0.0, zorder=0, label=note
            )
    rows[-1].set_xlabel("time in s", fontsize=9)


def mark(
    marker: str,
    colour: str,
    label: str,
    *,
    line: Literal["none", "--"] = "none",
    open_inside: bool = False,
) -> Line2D:
    """A marker for a legend, on a line if one is given."""
    return Line2D(
        [],
        [],
        linestyle=line,
        linewidth=0.8,
        marker=marker,
        color=colour,
        markerfacecolor="white" if open_inside else colour,
        markersize=6,
        label=label,
    )


def legend_beside(axes: Axes, gap: float = 0.005) -> None:
    """Writes the names of curves to the right of their panel: `gap` is a part of its width."""
    place = (1.0 + gap, 1.04)
    axes.legend(
        loc="upper left", bbox_to_anchor=place, fontsize=8, frameon=False, borderaxespad=0.0
    )


def legend_below(made: Figure, handles: "Sequence[Artist]") -> None:
    """Draws one legend for all panels below them, in as many columns as its words leave room for.

    Long notes are wrapped.
    """
    if not handles:
        return
    labels = [textwrap.fill(str(one.get_label()), _LEGEND_WRAP) for one in handles]
    longest = max(len(line) for label in labels for line in label.split("\n"))
    room = int(_LEGEND_LETTERS * made.get_figwidth() / (longest + _HANDLE))
    columns = max(min(room, len(handles)), 1)
    made.set_figheight(made.get_figheight() + _LEGEND_LINE * -(-len(handles) // columns))
    made.legend(
        handles=list(handles),
        labels=labels,
        loc="outside lower center",
        ncols=columns,
        fontsize=8,
        frameon=False,
    )
