"""Reports of papers: published numbers beside ours, of one paper or of the whole catalogue."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from cellway import catalogue
from cellway.catalogue.answer import answer, counts_of
from cellway.catalogue.appendix import scatter_figure
from cellway.catalogue.beside import beside_rows
from cellway.catalogue.entry import Entry, entry
from cellway.catalogue.markup import NONE, QUICK_SAID, cited
from cellway.catalogue.page import WORDS
from cellway.catalogue.pages import entries_kept, figures, figures_kept
from cellway.catalogue.runner import Reproduction
from cellway.catalogue.section import cells_of, differences_on, in_paper_order, notes_on
from cellway.cli.beside import beside_lines
from cellway.cli.exits import INTERRUPTED, BadInputError
from cellway.cli.figure_files import figure_content
from cellway.cli.parameters import ExitError
from cellway.cli.progress import bar
from cellway.cli.report_blocks import blocks_of, how_section, warnings_section
from cellway.cli.reproduction_text import report
from cellway.cli.text import visible
from cellway.errors import CellwayError
from cellway.plot.studies import plot_study
from cellway.report.blocks import Block, Page, Picture, Section, Table, Text

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    Plots = Mapping[str, Callable[[], Figure]]

ALL = "catalogue"
"""Name that stands for all papers."""
_MARKUP = re.compile(r"\\(.)|[*`]|\[([^]]*)\]\([^)]*\)")


def is_paper(name: str) -> bool:
    """True if the catalogue has a paper of this name, or the name stands for all."""
    return name == ALL or name in catalogue.paper_ids()


def paper_page(
    name: str, command: Sequence[str], store: Path | None, pages: Path | None, *, quick: bool
) -> Page:
    """The page of a paper, or of all, whose missing runs are done first; `command` writes it.

    Args:
        name: of the paper, or `ALL`.
        command: the words that ask for this page.
        store: folder that keeps the runs.
        pages: folder of the numbers that `cellway reproduce --pages` kept, instead of runs.
        quick: one run of each row.

    Raises:
        BadInputError: `pages` has no numbers of a paper.
        ExitError: it was stopped; nothing is shown of a part.
    """
    papers = [catalogue.paper(one) for one in (catalogue.paper_ids() if name == ALL else [name])]
    if pages is not None:
        entries = entries_kept(pages, papers)
        if len(entries) < len(papers):
            raise BadInputError(f"--pages: {pages} lacks numbers of {name}")
        return page_of_all([(one, figures_kept(one)) for one in entries], command)
    done = [_run(one, store, quick=quick) for one in papers]
    if name == ALL:
        return page_of_all([(entry(one), figures(one)) for one in done], command)
    return page_of(done[0], command)


def _run(paper: catalogue.Paper, store: Path | None, *, quick: bool) -> Reproduction:
    with bar(paper.id) as progress:
        done = catalogue.reproduce(paper, quick=quick, store=store, on_done=progress)
    if not done.complete:
        raise ExitError(INTERRUPTED)
    return done


def page_of(done: Reproduction, command: Sequence[str] = ()) -> Page:
    """The page of a reproduction; `command` writes it, if one does."""
    paper = done.paper
    head, *lines = report(done)
    beside = beside_lines((row.code, compared) for row, compared in beside_rows(done))
    sections = [
        warnings_section([QUICK_SAID] if done.quick else []),
        Section("Published beside ours", [*_published(done)]),
        Section("Pictures", [*_pictures(figures(done)), *_studies(done)]),
        Section("Formulas beside our numbers", [*blocks_of(beside)]),
        Section("Everything that was judged", [*blocks_of(lines)]),
        how_section(command, {"paper": paper.id}),
    ]
    return Page(visible(paper.title), [visible(head)], sections)


def page_of_all(entries: Sequence[tuple[Entry, "Plots"]], command: Sequence[str]) -> Page:
    """The page of several papers with their figures; `command` writes it."""
    whole = [one for one, _ in entries]
    asked, said, *_ = answer(whole)
    titles, rows = counts_of(whole)
    counts = Table(
        [[_plain(cell) for cell in row] for row in rows],
        "<" + ">" * (len(titles) - 1),
        [_plain(title) for title in titles],
    )
    sections = [
        warnings_section([QUICK_SAID] if any(one.counted.quick for one in whole) else []),
        Section("All papers", [counts, Text(_plain(WORDS.replace("\n", " ")))]),
        *(
            Section(one.paper.id, [*_about(one), *_pictures(_chosen(one.paper, plots))])
            for one, plots in entries
        ),
        how_section(command, {}),
    ]
    return Page("Published results, reproduced", [_plain(asked), _plain(said)], sections)


def _chosen(paper: catalogue.Paper, plots: "Plots") -> "Plots":
    """Figures beside published points, without those of single tables, which the text has."""
    kept = {scatter_figure(paper.id), *(f"{one.code}.svg" for one in paper.figures)}
    return {name: plot for name, plot in plots.items() if PurePosixPath(name).name in kept}


def _about(one: Entry) -> Iterator[Block]:
    """A paper's citation, its table, and what the table leaves out."""
    yield Text(_plain(cited(one.paper)))
    yield from _published(one.shown)
    for text in (*notes_on(one), *differences_on(one)):
        yield from (Text(_plain(line)) for line in text.splitlines())


def _published(shown: Reproduction) -> Iterator[Table]:
    """Each published number, in the order of the paper, beside ours and the measured one."""
    found = [cells_of(one, shown.paper) for one in in_paper_order(shown)]
    if not found:
        return
    names = [name for name in found[0] if any(one[name] != NONE for one in found)]
    rows = [[visible(one[name]) for name in names] for one in found]
    titles = ["simulated" if name == "ours" else name for name in names]
    numbers = {"published", "ours", "measured"}
    sides = "".join(">" if name in numbers else "<" for name in names)
    yield Table(rows, sides, titles)


def _plain(text: str) -> str:
    """Text of Markdown without its marks."""
    plain = _MARKUP.sub(lambda found: found[1] or found[2] or "", text)
    return visible(plain.removeprefix("- "))


def _pictures(plots: "Plots") -> Iterator[Block]:
    """The figures, and a line for each whose rows are in a table that was not run."""
    for name, plot in plots.items():
        try:
            content = figure_content(plot(), "svg", as_text=True)
        except ValueError as error:
            if isinstance(error, CellwayError):
                raise
            yield Text(visible(f"No picture of {error}"))
            continue
        yield Picture(content, f"Published numbers and ours, {PurePosixPath(name).stem}")


def _studies(done: Reproduction) -> Iterator[Picture]:
    for of, results in done.studies:
        if results.records:
            yield Picture(
                figure_content(plot_study(results), "svg", as_text=True), visible(of.text)
            )
