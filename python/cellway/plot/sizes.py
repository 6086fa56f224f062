"""Sizes of figures for a talk and for print: slide, column, page.

A figure is laid out again: its letters and its grid of panels fit the width, and legends beside
panels come between a panel and its title, where they are as wide as the figure lets them be.
Colours stay those of the flows.
"""

import textwrap
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain
from types import MappingProxyType
from typing import Any, TypeGuard
from weakref import WeakSet

from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg, RendererAgg
from matplotlib.cbook import Grouper
from matplotlib.figure import Figure
from matplotlib.legend import Legend
from matplotlib.text import Text

from cellway.figures import SizeName


@dataclass(frozen=True)
class Size:
    """A preset.

    Attributes:
        width: inches.
        height: inches; `None` leaves it to the panels.
        letters: size of letters as a part of their usual one.
        panels: height of a panel as a part of its usual one.
        columns: most panels beside each other.
    """

    width: float
    height: float | None
    letters: float
    panels: float
    columns: int


SIZES: Mapping[SizeName, Size] = {
    "slide": Size(40.0 / 3.0, 7.5, 1.4, 1.0, 3),
    "column": Size(3.5, None, 0.8, 0.68, 1),
    "page": Size(7.2, None, 0.9, 0.8, 2),
}
"""A slide of 16 × 9, and the widths of a column and of a page of two columns of a journal."""

_FITTED: WeakSet[Figure] = WeakSet()
"""Figures that have been laid out: a second time would scale their letters again."""
_SMALLER = {3: 0.78}
"""Letters of a slide with so many panels above each other, or more, as a part of usual ones."""
_TALLEST = 9.5
"""Inches of the text of a page, which a figure for print has at most if its panels allow it."""
_FLATTEST = 0.6
"""Least height of panels for that, as a part of what they have otherwise."""
_GAP = 0.15
"""Inches between panels, and to the edges of the figure."""
_RIGHT = 0.25
"""Inches of the label of an axis on the right."""
_POINTS = 72.0
_LABELS, _TICKS = 9.0, 8.0
"""Points of labels and numbers of a figure of usual size."""
_CLOSE = MappingProxyType({"handlelength": 1.3, "handletextpad": 0.5, "columnspacing": 1.2})
"""Lengths in a legend, in letters."""
_ABOVE_LEGEND = 3.0
"""Points between a legend and the title above it."""
_LEAST = 12
"""Letters to which words are wrapped at least."""


def fit(made: Figure, name: SizeName) -> None:
    """Lays out a figure for `name`.

    Raises:
        ValueError: there is no such size, or the figure has been laid out before.
    """
    if name not in SIZES:
        raise ValueError(f"no size {name!r}; expected one of {', '.join(SIZES)}")
    if made in _FITTED:
        raise ValueError("the figure has a size already; draw it again for another one")
    _FITTED.add(made)
    size = SIZES[name]
    for axes in [axes for axes in made.axes if _is_empty(axes)]:
        axes.remove()
    rows, columns, height = _arranged(made, size)
    tall = size.height is not None and rows >= min(_SMALLER)
    scale = size.letters * (_SMALLER[min(_SMALLER)] if tall else 1.0)
    made.set_size_inches(size.width, size.height or height)
    for axes in made.axes:
        _scale(axes, scale)
    room = size.width / columns - _left(made) - _GAP
    added = [_fit_panel(axes, room, scale) for axes in made.axes]
    of_rows: dict[int, float] = {}
    for axes, more in zip(made.axes, added, strict=True):
        spec = axes.get_subplotspec()
        row = spec.rowspan.start if spec is not None else 0
        of_rows[row] = max(of_rows.get(row, 0.0), more)
    below = _fit_whole(made, size.width, scale)
    if size.height is None:
        more = sum(of_rows.values()) + below
        made.set_figheight(max(min(height + more, _TALLEST), _FLATTEST * height + more))
    made.align_ylabels()


def _is_empty(axes: Axes) -> bool:
    """True for a place of the grid that no panel needs."""
    drawn = axes.has_data() or axes.texts or axes.tables or axes.axison
    return not axes.get_visible() or not drawn


def _arranged(made: Figure, size: Size) -> tuple[int, int, float]:
    """Rows and columns of panels in the size, and the height of the figure without legends."""
    specs = [spec for axes in made.axes if (spec := axes.get_subplotspec()) is not None]
    grid = specs[0].get_gridspec()
    rows, columns = grid.get_geometry()
    each = made.get_figheight() / rows
    if any(spec.get_gridspec() is not grid for spec in specs):
        return rows, columns, size.panels * each * rows
    cells = sorted({(spec.num1, spec.num2) for spec in specs})
    if size.height is None:
        wanted = min(columns, size.columns)
    else:
        wanted = max(columns, min(-(-len(cells) // 3), size.columns))
    if wanted == columns:
        return rows, columns, size.panels * each * rows
    new_rows = -(-len(cells) // wanted)
    _move(made, cells, new_rows, wanted)
    return new_rows, wanted, size.panels * each * new_rows


def _move(made: Figure, cells: Sequence[tuple[int, int]], rows: int, columns: int) -> None:
    """Moves panels into another grid: down its columns if there are more of them than before."""
    grid = made.add_gridspec(rows, columns)
    # Labels that were aligned down one column would push those of the others aside.
    groups: dict[str, Grouper[Axes]] = vars(made)["_align_label_groups"]
    groups["y"] = Grouper()
    for axes in made.axes:
        spec = axes.get_subplotspec()
        if spec is None:
            continue
        at, before = cells.index((spec.num1, spec.num2)), spec.get_gridspec().ncols
        down = before < columns
        row, column = (at % rows, at // rows) if down else (at // columns, at % columns)
        axes.set_subplotspec(grid[row, column])
        is_right = axes.yaxis.get_ticks_position() == "right"
        if not down and not is_right:
            axes.tick_params(labelbottom=True, labelleft=True)
        elif row == rows - 1 and not is_right:
            axes.tick_params(labelbottom=True)
            labels = [one.get_xlabel() for one in made.axes[made.axes.index(axes) :]]
            axes.set_xlabel(next(filter(None, labels), ""))


def _left(made: Figure) -> float:
    """Inches beside a panel for its numbers and labels, which are aligned."""
    drawn, numbers, labels = _renderer(made), 0.0, 0.0
    for axis in [axes.yaxis for axes in made.axes]:
        label = 0.0
        if axis.label.get_text():
            label = axis.label.get_window_extent(drawn).width + axis.labelpad * made.dpi / _POINTS
        whole = axis.get_tightbbox(drawn)
        numbers = max(numbers, whole.width - label) if whole is not None else numbers
        labels = max(labels, label)
    return (numbers + labels) / made.dpi


def _scale(axes: Axes, scale: float) -> None:
    """Scales what is in a panel but its title and its legend."""
    for one in (axes, *axes.child_axes):
        one.tick_params(labelsize=_TICKS * scale)
        for text in (one.xaxis.label, one.yaxis.label):
            text.set_fontsize(_LABELS * scale)
        for axis in (one.xaxis, one.yaxis):
            axis.get_offset_text().set_fontsize(_TICKS * scale)
    for text in axes.texts:
        text.set_fontsize(_points(text) * scale)
    if scale > 1.0:
        for line in axes.lines:
            line.set_linewidth(line.get_linewidth() * scale)
            line.set_markersize(line.get_markersize() * scale)


def _fit_panel(axes: Axes, room: float, scale: float) -> float:
    """Fits title, label and legend of a panel; inches that they need above what they had."""
    legend = axes.get_legend()
    above = 0.0
    if legend is not None:
        above = _legend_above(axes, legend, room, scale)
    added = above
    for text in _titles(axes):
        text.set_fontsize(_points(text) * scale)
        lines = _wrap(text, room)
        added = max(added, above + (lines - 1) * _points(text) * 1.2 / _POINTS)
    below = _wrap(axes.xaxis.label, room) if axes.get_xlabel() else 1
    return added + (below - 1) * _points(axes.xaxis.label) * 1.2 / _POINTS


def _titles(axes: Axes) -> Iterator[Text]:
    """The title at the left of a panel, if it has words."""
    words = axes.get_title(loc="left")
    yield from (text for text in axes.get_children() if _is(text, words))


def _is(text: object, words: str) -> TypeGuard[Text]:
    return isinstance(text, Text) and words != "" and text.get_text() == words


def _legend_above(axes: Axes, legend: Legend, room: float, scale: float) -> float:
    """Puts a legend that is beside its panel above it; inches of its height."""
    inside = axes.transAxes.inverted().transform(legend.get_bbox_to_anchor().get_points())
    for text in legend.get_texts():
        text.set_fontsize(_TICKS * scale)
    if inside[0][0] < 1.0:
        return 0.0
    handles, labels = legend.legend_handles, [text.get_text() for text in legend.get_texts()]
    place = {"loc": "lower left", "bbox_to_anchor": (0.0, 1.0), "borderaxespad": 0.2}
    # The label of an axis on the right may be taller than its panel.
    room -= _RIGHT if axes.child_axes else 0.0
    legend.remove()
    made = axes.get_figure(root=True)
    assert made is not None  # noqa: S101
    words: dict[str, Any] = {"fontsize": _TICKS * scale, "frameon": False, **_CLOSE, **place}
    new = _widest(partial(axes.legend, handles=handles, **words), labels, room * made.dpi, made)
    height = new.get_window_extent(_renderer(made)).height / made.dpi
    for text in _titles(axes):
        # A title keeps its style only if it is set with it.
        axes.set_title(
            text.get_text(),
            loc="left",
            pad=height * _POINTS + _ABOVE_LEGEND,
            fontsize=text.get_fontsize(),
            fontweight=text.get_fontweight(),
        )
    return float(height)


def _fit_whole(made: Figure, width: float, scale: float) -> float:
    """Scales the headline and the legend of the whole figure; inches that they need in addition."""
    room, more = (width - 0.15) * made.dpi, 0.0
    for text in [one for one in made.get_children() if isinstance(one, Text)]:
        text.set_fontsize(_points(text) * scale)
        usual = text.get_text().count("\n") + 1
        again = text.get_text() == made.get_suptitle()
        lines = _wrap(text, room / made.dpi, again=again)
        more += (lines - usual) * _points(text) * 1.2 / _POINTS
    for legend in [*made.legends]:
        handles = legend.legend_handles
        labels = [text.get_text() for text in legend.get_texts()]
        before = legend.get_window_extent(_renderer(made)).height
        legend.remove()
        words: dict[str, Any] = {"fontsize": _TICKS * scale, "frameon": False, **_CLOSE}
        place = partial(made.legend, handles=handles, loc="outside lower center", **words)
        new = _widest(place, labels, room, made)
        more += (new.get_window_extent(_renderer(made)).height - before) / made.dpi
    return max(more, 0.0)


def _widest(
    place: Callable[..., Legend], labels: Sequence[str], room: float, made: Figure
) -> Legend:
    """The legend with most columns that is not wider than `room`; words of one are wrapped."""
    words = [label.replace("\n", " ") for label in labels]
    letters = range(max(map(len, words), default=0), _LEAST - 1, -1)
    wrapped = (([textwrap.fill(word, most) for word in words], 1) for most in letters)
    tries = [((words, columns) for columns in range(len(words), 0, -1)), wrapped]
    legend: Legend | None = None
    for shown, columns in chain.from_iterable(tries):
        if legend is not None:
            legend.remove()
        legend = place(labels=shown, ncols=columns)
        _literally(legend)
        if legend.get_window_extent(_renderer(made)).width <= room:
            break
    assert legend is not None  # noqa: S101
    return legend


def _literally(legend: Legend) -> None:
    for text in legend.get_texts():
        text.set_parse_math(False)


def _points(text: Text) -> float:
    return float(text.get_fontsize())


def _wrap(text: Text, room: float, *, again: bool = False) -> int:
    """Wraps each line of words to `room` inches, or all together `again`; number of lines."""
    made = text.get_figure(root=True)
    assert made is not None  # noqa: S101
    words = [" ".join(text.get_text().split())] if again else text.get_text().split("\n")
    text.set_parse_math(False)
    for letters in range(max(_LEAST, *map(len, words)), _LEAST - 1, -1):
        text.set_text("\n".join(textwrap.fill(line, letters) for line in words))
        if text.get_window_extent(_renderer(made)).width <= room * made.dpi:
            break
    return text.get_text().count("\n") + 1


def _renderer(made: Figure) -> RendererAgg:
    canvas = made.canvas
    assert isinstance(canvas, FigureCanvasAgg)  # noqa: S101
    drawn: RendererAgg = canvas.get_renderer()  # type: ignore[no-untyped-call]
    return drawn
