"""`cellway report`: a run or a study as one page that needs nothing else."""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

from cellway.cli.drawing import finished
from cellway.cli.exits import require_file, unwritable
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
            metavar="DIR|FILE",
            help="Folder of `cellway run` or `cellway study`, or a scenario or study file to run.",
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
    force: Force = False,
) -> None:
    """Write one page with the path, numbers, charts and warnings of a run or a study.

    The page is one file, works without a network, and asks for nothing. A scenario without
    [observe] records the default series.
    """
    target = out or _target(source, "md" if md else "html")
    marker = (markdown if md else html).GENERATOR.encode()
    require_file("--out", target, lambda content: marker in content, force=force)
    options = {"--set": sets, "--out": [] if out is None else [str(out)]}
    command = _command(source, options, {"--md": md, "--force": force})
    with of_any_width():
        page = _page(source, sets, command)
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
