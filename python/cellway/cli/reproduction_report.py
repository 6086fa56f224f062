"""Report of a paper: its published numbers beside ours."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from cellway import catalogue
from cellway.catalogue.beside import beside_rows
from cellway.catalogue.plots.reproductions import plot_reproduction
from cellway.catalogue.runner import Reproduction
from cellway.catalogue.sheets import sheets
from cellway.catalogue.tables import has_results
from cellway.cli.beside import beside_lines
from cellway.cli.exits import INTERRUPTED
from cellway.cli.figure_files import figure_content
from cellway.cli.parameters import ExitError
from cellway.cli.progress import bar
from cellway.cli.report_blocks import blocks_of, how_section, warnings_section
from cellway.cli.reproduction_text import report
from cellway.cli.text import visible
from cellway.plot.studies import plot_study
from cellway.report.blocks import Block, Page, Picture, Section


def is_paper(name: str) -> bool:
    """True if the catalogue has a paper of this name."""
    return name in catalogue.paper_ids()


def paper_page(name: str, command: Sequence[str], store: Path | None, *, quick: bool) -> Page:
    """The page of a paper, whose missing runs are done first; `command` writes it.

    Raises:
        ExitError: it was stopped; nothing is shown of a part.
    """
    with bar(name) as progress:
        done = catalogue.reproduce(
            catalogue.paper(name), quick=quick, store=store, on_done=progress
        )
    if not done.complete:
        raise ExitError(INTERRUPTED)
    return page_of(done, command)


def page_of(done: Reproduction, command: Sequence[str]) -> Page:
    """The page of a reproduction; `command` writes it."""
    paper = done.paper
    head, *lines = report(done)
    beside = beside_lines((row.code, compared) for row, compared in beside_rows(done))
    sections = [
        warnings_section([_QUICK] if done.quick else []),
        Section("Published beside ours", [*blocks_of(lines)]),
        Section("Pictures", [*_pictures(done)]),
        Section("Formulas beside our numbers", [*blocks_of(beside)]),
        how_section(command, {"paper": paper.id}),
    ]
    return Page(visible(paper.title), [visible(head)], sections)


_QUICK = "one run of each row, not as many as the catalogue asks for: no interval, and no verdict"


def _pictures(done: Reproduction) -> Iterator[Block]:
    for sheet in sheets(done.paper):
        if has_results(sheet, done):
            words = f"Published numbers and ours, {sheet.name or 'all tables'}"
            yield Picture(
                figure_content(plot_reproduction(done, sheet), "svg", as_text=True), words
            )
    for entry, results in done.studies:
        if results.records:
            content = figure_content(plot_study(results), "svg", as_text=True)
            yield Picture(content, visible(entry.text))
