"""`cellway report`: a run or a study as one page that needs nothing else."""

from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

from cellway.cli.drawing import finished
from cellway.cli.exits import BadInputError, require_file, unwritable
from cellway.cli.options import Force, Sets, is_study
from cellway.cli.parameters import Argument, Option
from cellway.cli.text import of_any_width, say
from cellway.disk.files import shortened, whole_file
from cellway.disk.replacement import note_figure
from cellway.report import html, markdown
from cellway.report.blocks import Page


def report(
    source: Annotated[
        Path,
        Argument(
            metavar="DIR|FILE|PAPER",
            help="Folder of `cellway run` or `cellway study`, a scenario or study file to run, or "
            "a paper of the catalogue to run again; `catalogue` is all papers on one page.",
        ),
    ],
    out: Annotated[
        Path | None,
        Option(
            metavar="FILE",
            help="By default report.html in DIR, or NAME-report.html in the current folder.",
        ),
    ] = None,
    md: Annotated[
        bool, Option("--md", help="Write Markdown, with the tables but no charts, instead.")
    ] = False,
    sets: Sets = [],
    quick: Annotated[
        bool, Option("--quick", help="For a paper: one run per row, as `cellway reproduce` has it.")
    ] = False,
    store: Annotated[
        Path | None,
        Option(metavar="DIR", help="For a paper: the folder that keeps its runs."),
    ] = None,
    pages: Annotated[
        Path | None,
        Option(
            metavar="DIR",
            help="For a paper: run nothing, but take the numbers that `cellway reproduce --pages` "
            "kept below this folder.",
        ),
    ] = None,
    force: Force = False,
) -> None:
    """Write one page with the path, numbers, charts and warnings of a run or a study.

    A paper has its published numbers beside ours.
    The page is one file, works without a network, and asks for nothing. A scenario without
    [observe] records the default series.
    """
    is_of_paper = _is_paper(source)
    asked = {"--quick": quick, "--store": store is not None, "--pages": pages is not None}
    for option, given in asked.items():
        if given and not is_of_paper:
            raise BadInputError(f"{option}: {source} is no paper of the catalogue")
    if pages is not None and (quick or store is not None):
        raise BadInputError(f"--pages {pages} runs nothing; expected no --quick and no --store")
    if sets and is_of_paper:
        raise BadInputError(f"--set {sets[0]}: {source} is a paper; expected a scenario")
    target = out or _target(source, "md" if md else "html")
    marker = (markdown if md else html).GENERATOR.encode()
    require_file("--out", target, lambda content: marker in content, force=force)
    options = {"--set": sets, "--out": _words(out)}
    options |= {"--store": _words(store), "--pages": _words(pages)}
    command = _command(source, options, {"--md": md, "--quick": quick, "--force": force})
    with of_any_width():
        if is_of_paper:
            # Only the command of the catalogue uses it; it may be left out.
            from cellway.cli.reproduction_report import paper_page  # noqa: PLC0415

            page = paper_page(str(source), command, store, pages, quick=quick)
        else:
            page = _page(source, sets, command)
    _write(page, source, target, md=md)


def _words(path: Path | None) -> list[str]:
    return [] if path is None else [str(path)]


def _is_paper(source: Path) -> bool:
    if source.exists() or find_spec("cellway.catalogue") is None:
        return False
    from cellway.cli.reproduction_report import is_paper  # noqa: PLC0415

    return is_paper(str(source))


def _write(page: Page, source: Path, target: Path, *, md: bool) -> None:
    text = markdown.markdown(page) if md else html.html(page)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with whole_file(target) as file:
            file.write(text.encode())
    except OSError as error:
        raise unwritable("--out", target, error) from error
    if source.is_dir() and target.parent.resolve() == source.resolve():
        note_figure(target)
    say(f"written to {target}")


def _page(source: Path, sets: list[str], command: list[str]) -> Page:
    if is_study(source):
        from cellway.cli.report_study import study_page  # noqa: PLC0415

        return study_page(source, sets, command)
    from cellway.cli.report_run import run_page  # noqa: PLC0415 - with Matplotlib

    return run_page(finished(source, sets), command)


def _target(source: Path, ending: str) -> Path:
    if source.is_dir():
        return source / f"report.{ending}"
    return Path(f"{shortened(f'{source.stem}-report')}.{ending}")


def _command(
    source: Path, options: Mapping[str, list[str]], switches: Mapping[str, bool]
) -> list[str]:
    """The command line that writes this page."""
    given = [word for name, values in options.items() for value in values for word in (name, value)]
    asked = [name for name, wanted in switches.items() if wanted]
    return ["cellway", "report", str(source), *given, *asked]
