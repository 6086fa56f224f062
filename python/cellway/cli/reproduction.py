"""`cellway reproduce`: published results, re-run and judged."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cellway import catalogue
from cellway.catalogue.beside import beside_rows
from cellway.catalogue.entry import entry
from cellway.catalogue.markdown import is_markdown, markdown
from cellway.catalogue.pages import entries_kept, figures, figures_kept, files, texts
from cellway.catalogue.runner import Reproduction
from cellway.catalogue.sheets import Sheet, judged_figure, sheets
from cellway.catalogue.tables import has_results
from cellway.cli.beside import beside_lines
from cellway.cli.exits import (
    FAILED,
    INTERRUPTED,
    BadInputError,
    require_file,
    require_writable,
    unwritable,
)
from cellway.cli.figure_files import Size, fit, is_figure, save_figure
from cellway.cli.options import AsJson, ByExecutor, Force, WithTheory
from cellway.cli.parameters import Argument, ExitError, Option
from cellway.cli.progress import bar
from cellway.cli.reproduction_list import list_papers
from cellway.cli.reproduction_measured import measured
from cellway.cli.reproduction_text import report, total
from cellway.cli.text import say, say_json
from cellway.disk.files import shortened, write_text
from cellway.figures import SizeName
from cellway.study.executors import AUTO, require_word

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["report", "reproduce"]


def reproduce(
    paper: Annotated[
        str | None, Argument(help="Identifier of a paper; without it the papers are listed.")
    ] = None,
    tables: Annotated[
        str | None,
        Argument(
            metavar="TABLE",
            help="One table, or one row, claim, figure or sensitivity entry by its code.",
        ),
    ] = None,
    every: Annotated[bool, Option("--all", help="Run all papers, one after the other.")] = False,
    quick: Annotated[
        bool, Option("--quick", help="One run per row instead of the stated replications.")
    ] = False,
    sensitivity: Annotated[
        bool,
        Option("--sensitivity", help="Also run the alternatives to what the paper leaves open."),
    ] = False,
    as_json: AsJson = False,
    workers: Annotated[
        int | None, Option(min=1, help="Runs at a time; by default one per core.")
    ] = None,
    executor: ByExecutor = AUTO,
    store: Annotated[
        Path | None,
        Option(
            metavar="DIR", help="Folder that keeps every run; the next time only missing ones run."
        ),
    ] = None,
    pages: Annotated[
        Path | None,
        Option(
            metavar="DIR",
            help="Write REPRODUCED.md and docs/reproduced/ with their figures below this folder.",
        ),
    ] = None,
    markdown_file: Annotated[
        Path | None,
        Option("--markdown", metavar="FILE", help="Write everything as one Markdown text."),
    ] = None,
    plots: Annotated[
        Path | None,
        Option(
            metavar="DIR",
            help="Draw the judged numbers into this folder: PAPER-judged.png, or, if that is "
            "taller than a page, PAPER-judged-TABLE.png; and each study as PAPER-CODE.png. With "
            "the code of a figure, that figure alone, as PAPER-CODE.png.",
        ),
    ] = None,
    size: Size = None,
    redraw: Annotated[
        bool,
        Option(
            "--redraw",
            help="Run nothing: make the pages and figures below --pages of the numbers kept there.",
        ),
    ] = False,
    theory: WithTheory = False,
    measure: Annotated[
        bool,
        Option(
            "--measure",
            help="Measure instead, in real time and with this machine's TCP, the rows for which "
            "the paper's measured.toml has senders. It needs Linux and root.",
        ),
    ] = False,
    paths: Annotated[int, Option(min=1, max=1000, help="Measured runs side by side.")] = 1,
    force: Force = False,
) -> None:
    """Re-run published results and judge them: agrees; undecided; differs, because; differs.

    Without a paper it lists them with their runs and CPU time, which several cores divide. Ctrl-C
    prints the finished part; --store keeps it for the next time.
    """
    if paper is None and not every and not redraw:
        given = {"--quick": quick, "--sensitivity": sensitivity, "--store": store, "--pages": pages}
        given |= {"--markdown": markdown_file, "--plots": plots, "--theory": theory}
        list_papers({**given, "--measure": measure}, as_json=as_json)
        return
    papers = _papers(paper, every=every)
    for chosen in papers:
        chosen.select(tables)
    _refuse_parts(tables, pages, size, plots)
    if measure:
        measured(papers, tables, store, paths=paths, as_json=as_json)
        return
    require_word(executor)
    wanted = _Files(pages, markdown_file, plots, size, tables)
    wanted.require(papers, force=force)
    if redraw:
        _redraw(papers, pages)
        return
    if store is not None:
        require_writable("--store", store)
    runs = partial(
        catalogue.reproduce,
        table=tables,
        quick=quick,
        sensitivity=sensitivity,
        workers=workers,
        store=store,
        force=force,
        executor=executor,
    )
    done = _all(papers, runs, theory=theory, quiet=as_json)
    if as_json:
        say_json({"papers": [_as_data(reproduction, theory=theory) for reproduction in done]})
    elif len(done) > 1:
        say("", *total(done))
    written = wanted.write(done)
    if not as_json:
        say(*(f"written to {file}" for file in written))
    _require_all(done)


def _papers(paper: str | None, *, every: bool) -> list[catalogue.Paper]:
    """The paper, or all of them without one."""
    if paper is not None and every:
        raise BadInputError(f"--all: expected without a paper, or {paper} without --all")
    return [catalogue.paper(name) for name in ([paper] if paper else catalogue.paper_ids())]


def _refuse_parts(
    tables: str | None, pages: Path | None, size: SizeName | None, plots: Path | None
) -> None:
    """Refuses options that go with whole papers, or with figures, alone."""
    if pages is not None and tables is not None:
        raise BadInputError(f"--pages: {tables} is a part of a paper; a page covers whole papers")
    if size is not None and plots is None:
        raise BadInputError(f"--size {size}: expected --plots DIR, which it is for")


def _require_all(done: list[Reproduction]) -> None:
    if not all(reproduction.complete for reproduction in done):
        raise ExitError(INTERRUPTED)
    if not all(reproduction.passed for reproduction in done):
        raise ExitError(FAILED)


def _all(
    papers: list[catalogue.Paper], runs: Callable[..., Reproduction], *, theory: bool, quiet: bool
) -> list[Reproduction]:
    """Runs paper after paper, prints each unless `quiet`; stops after an interrupted one."""
    done: list[Reproduction] = []
    for paper in papers:
        with bar(paper.id) as progress:
            reproduction = runs(paper, on_done=progress)
        if not quiet:
            beside = ["", *_beside(reproduction)] if theory else []
            say(*([""] if done else []), *report(reproduction), *beside)
        done.append(reproduction)
        if not reproduction.complete:
            break
    return done


def _beside(reproduction: Reproduction) -> list[str]:
    """Predictions of formulas beside the numbers of a paper's rows."""
    lines = beside_lines((row.code, compared) for row, compared in beside_rows(reproduction))
    return (
        ["theory beside means", *lines] if lines else ["theory: no formula gives a number of a row"]
    )


def _as_data(reproduction: Reproduction, *, theory: bool) -> dict[str, Any]:
    if not theory:
        return reproduction.as_data()
    said = [{"code": row.code, **one.as_data()} for row, one in beside_rows(reproduction)]
    return {**reproduction.as_data(), "theory": said}


@dataclass(frozen=True)
class _Files:
    """Outputs: the pages below a folder, one Markdown file, and figures in a folder."""

    pages: Path | None
    markdown: Path | None
    plots: Path | None
    size: SizeName | None
    part: str | None

    def require(self, papers: list[catalogue.Paper], *, force: bool) -> None:
        """Refuses files that cannot be written or are somebody else's, before time is spent.

        Raises:
            BadInputError: one cannot be used; the option and the file stand in front.
        """
        if self.markdown is not None:
            require_file("--markdown", self.markdown, is_markdown, force=force)
        if self.pages is not None:
            require_writable("--pages", self.pages)
            for name, ours in files(papers, is_figure).items():
                require_file("--pages", self.pages / name, ours, force=force)
        if self.plots is not None:
            require_writable("--plots", self.plots)
            for file in (f for paper in papers for f in _figures(paper, self.plots, self.part)):
                require_file("--plots", _sized(file, self.size), is_figure, force=force)

    def write(self, done: list[Reproduction]) -> list[Path]:
        """Writes the outputs; no text after an interrupt, because it would look complete."""
        written: list[Path] = []
        whole = all(reproduction.complete for reproduction in done)
        if self.markdown is not None and whole:
            written.append(_text("--markdown", self.markdown, markdown(done)))
        if self.pages is not None and whole:
            written += _pages(done, self.pages)
        for reproduction in done if self.plots is not None else ():
            written += _draw(reproduction, self.plots or Path(), self.size, self.part)
        return written


def _text(option: str, file: Path, text: str) -> Path:
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        write_text(file, text)
    except OSError as error:
        raise unwritable(option, file, error) from error
    return file


def _pages(done: list[Reproduction], folder: Path) -> list[Path]:
    """Writes the pages, figures first: a page never names one that is missing."""
    written = []
    for reproduction in done:
        for name, plotted in figures(reproduction).items():
            save_figure(plotted(), folder / name, as_text=True)
            written.append(folder / name)
    left = sorted({*catalogue.paper_ids()} - {one.paper.id for one in done})
    entries = entries_kept(folder, [catalogue.paper(name) for name in left])
    content = texts([*map(entry, done), *entries])
    return [*written, *(_text("--pages", folder / name, text) for name, text in content.items())]


def _redraw(papers: list[catalogue.Paper], folder: Path | None) -> None:
    """Makes pages and figures that exist again, and names the figures that would need runs.

    Raises:
        BadInputError: no folder, or no pages there.
    """
    if folder is None:
        raise BadInputError("--redraw: expected --pages DIR, the folder of the pages")
    entries = entries_kept(folder, [catalogue.paper(name) for name in catalogue.paper_ids()])
    for paper in papers:
        if paper.id not in {one.paper.id for one in entries}:
            raise BadInputError(
                f"--redraw: {folder} has no pages of {paper.id}; cellway reproduce {paper.id} "
                f"--pages {folder} writes them"
            )
    for one in (one for one in entries if one.paper in papers):
        plotted = figures_kept(one)
        for name, made in plotted.items():
            save_figure(made(), folder / name, as_text=True)
            say(f"written to {folder / name}")
        left = [figure.code for figure in one.paper.figures if not _is_among(figure.code, plotted)]
        if left:
            say(f"{one.paper.id}: not redrawn, because they need runs: {', '.join(left)}")
    for name, text in texts(entries).items():
        say(f"written to {_text('--pages', folder / name, text)}")


def _is_among(code: str, names: Iterable[str]) -> bool:
    return any(Path(name).stem == code for name in names)


def _draw(
    reproduction: Reproduction, plots: Path, size: SizeName | None, part: str | None
) -> list[Path]:
    """Draws the figure called `part`, if one is; else the judged numbers and each study."""
    from cellway.catalogue.plots.figures import draw  # noqa: PLC0415 - with Matplotlib

    asked = reproduction.paper.figure(part)
    if asked is None:
        drawn = _judged_figures(reproduction, plots)
    else:
        drawn = {_study_figure(reproduction.paper, plots, asked.code): draw(asked, reproduction)}
    for file, figure in drawn.items():
        fit(figure, size)
        save_figure(figure, _sized(file, size))
    return [_sized(file, size) for file in drawn]


def _judged_figures(reproduction: Reproduction, plots: Path) -> dict[Path, "Figure"]:
    """Figures of the rows and claims that have results, and one of each study, by file."""
    from cellway.catalogue.plots.reproductions import plot_reproduction  # noqa: PLC0415
    from cellway.plot.studies import plot_study  # noqa: PLC0415

    figures = {
        _figure(reproduction.paper, plots, sheet): plot_reproduction(reproduction, sheet)
        for sheet in sheets(reproduction.paper)
        if has_results(sheet, reproduction)
    }
    for study, results in reproduction.studies:
        if results.records:
            figures[_study_figure(reproduction.paper, plots, study.code)] = plot_study(results)
    return figures


def _sized(file: Path, size: SizeName | None) -> Path:
    """A file of its own for a figure in a size."""
    return file if size is None else file.with_stem(f"{file.stem}-{size}")


def _figures(paper: catalogue.Paper, plots: Path, part: str | None) -> list[Path]:
    """Names of every figure that a paper may have, or of the one that is called `part`."""
    if (asked := paper.figure(part)) is not None:
        return [_study_figure(paper, plots, asked.code)]
    return [
        *(_figure(paper, plots, sheet) for sheet in sheets(paper)),
        *(_study_figure(paper, plots, entry.code) for entry in paper.studies),
    ]


def _figure(paper: catalogue.Paper, plots: Path, sheet: Sheet) -> Path:
    return plots / f"{shortened(judged_figure(paper.id, sheet))}.png"


def _study_figure(paper: catalogue.Paper, plots: Path, code: str) -> Path:
    return plots / f"{shortened(f'{paper.id}-{code}')}.png"
