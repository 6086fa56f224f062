"""Files of the catalogue's pages, by their place below the root of a checkout."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from cellway.catalogue.appendix import appendix, has_scatter, is_appendix, scatter_figure
from cellway.catalogue.digest import HEAD, first_runs_text
from cellway.catalogue.entry import Entry, file_of, is_entry, kept
from cellway.catalogue.numbers_kept import needs_runs
from cellway.catalogue.page import is_page, page
from cellway.catalogue.published import Paper
from cellway.catalogue.runner import Reproduction
from cellway.catalogue.section import FOLDER
from cellway.catalogue.sheets import judged_figure, sheets
from cellway.catalogue.tables import has_results

if TYPE_CHECKING:
    from matplotlib.figure import Figure

PAGE = "REPRODUCED.md"
FIRST_RUNS = f"{FOLDER}/first-runs.txt"
Ours = Callable[[bytes], bool]


def texts(entries: Sequence[Entry]) -> dict[str, str]:
    """Texts of the page, an appendix and an entry per paper, and the first run of every row.

    Args:
        entries: of papers that have been run now, or before.
    """
    entries = sorted(entries, key=lambda one: one.paper.id)
    found = {PAGE: page(entries)}
    found |= {_appendix(one.paper): appendix(one) for one in entries}
    found |= {_entry(one.paper): one.text() for one in entries}
    return found | {FIRST_RUNS: first_runs_text([one.first_runs for one in entries])}


def entries_kept(folder: Path, papers: Sequence[Paper]) -> list[Entry]:
    """Entries of `papers` on the pages below `folder`.

    Raises:
        CatalogueError: a file differs from what was written there.
        OSError: it cannot be read.
    """
    return kept(folder / FOLDER, papers, folder / FIRST_RUNS)


def figures(reproduction: Reproduction) -> Mapping[str, "Callable[[], Figure]"]:
    """Functions that plot the figures of a paper, by file, with those of its `figures.toml`."""
    from cellway.catalogue.plots.figures import draw  # noqa: PLC0415 - with Matplotlib
    from cellway.catalogue.plots.reproductions import plot_reproduction  # noqa: PLC0415
    from cellway.catalogue.plots.scatter import plot_scatter  # noqa: PLC0415

    paper = reproduction.paper
    found: dict[str, Callable[[], Figure]] = {}
    if has_scatter(reproduction):
        found[scatter_figure(paper.id)] = partial(plot_scatter, reproduction)
    for sheet in sheets(paper):
        if has_results(sheet, reproduction):
            found[f"{judged_figure(paper.id, sheet)}.svg"] = partial(
                plot_reproduction, reproduction, sheet
            )
    for one in paper.figures:
        found[f"{one.code}.svg"] = partial(draw, one, reproduction)
    return {f"{FOLDER}/{name}": plotted for name, plotted in found.items()}


def figures_kept(one: Entry) -> Mapping[str, "Callable[[], Figure]"]:
    """Functions that plot an entry's figures from its kept numbers; some need more."""
    shown = one.shown
    left = {
        f"{FOLDER}/{figure.code}.svg" for figure in one.paper.figures if needs_runs(figure, shown)
    }
    return {name: plotted for name, plotted in figures(shown).items() if name not in left}


def files(papers: Sequence[Paper], is_figure: Ours) -> dict[str, Ours]:
    """Files that the pages of `papers` may have, each with the test that it is ours."""
    found: dict[str, Ours] = {
        PAGE: is_page,
        FIRST_RUNS: lambda content: content.startswith(HEAD.encode()),
    }
    for paper in papers:
        found[_appendix(paper)] = is_appendix
        found[_entry(paper)] = is_entry
        names = [scatter_figure(paper.id)]
        names += [f"{judged_figure(paper.id, sheet)}.svg" for sheet in sheets(paper)]
        names += [f"{one.code}.svg" for one in paper.figures]
        found |= dict.fromkeys((f"{FOLDER}/{name}" for name in names), is_figure)
    return found


def _entry(paper: Paper) -> str:
    return str(PurePosixPath(FOLDER) / file_of(paper))


def _appendix(paper: Paper) -> str:
    return str(PurePosixPath(FOLDER) / f"{paper.id}.md")
