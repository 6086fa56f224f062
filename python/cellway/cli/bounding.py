"""`cellway boundary`: where one alternative of a study begins to beat the other."""

from pathlib import Path
from typing import Annotated

from cellway.cli.exits import BadInputError, require_file, require_writable
from cellway.cli.figure_files import Size, fit, form_of, is_figure, save_figure
from cellway.cli.options import AsJson, Force
from cellway.cli.parameters import Argument, Option
from cellway.cli.progress import counting_bar
from cellway.cli.studies import read_study
from cellway.cli.text import say, say_json, table
from cellway.figures import draw
from cellway.study.boundary import WITHIN, Boundary, Line, Search

LEAST = 1e-4


def boundary(
    file: Annotated[Path, Argument(metavar="STUDY", help="A study file with `compare`.")],
    response: Annotated[
        str | None,
        Option(metavar="RESPONSE", help="The response to compare, by default the first."),
    ] = None,
    less: Annotated[bool, Option(help="Less of the response is better.")] = False,
    within: Annotated[
        float,
        Option(metavar="SHARE", help="Width of the interval to reach, as a share of the range."),
    ] = WITHIN,
    out: Annotated[
        Path | None,
        Option(
            metavar="DIR",
            help="Folder that keeps every run, by default out/NAME-boundary.",
        ),
    ] = None,
    workers: Annotated[
        int | None, Option(min=1, help="Runs at a time; by default one per core.")
    ] = None,
    plot: Annotated[
        Path | None, Option(metavar="FILE", help="Draw the boundary with its interval.")
    ] = None,
    size: Size = None,
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Find where one alternative begins to beat another, over one or two factors of a study.

    The first factor with a range is bisected, with replications until each difference is decided. A
    second factor is taken at its levels. The same command again makes missing runs only.
    """
    if not LEAST <= within < 1.0:
        raise BadInputError(f"--within {within:g}: a share from {LEAST:g} to below 1 is expected")
    if size is not None and plot is None:
        raise BadInputError(f"--size {size}: expected --plot FILE, which it is for")
    if plot is not None:
        form_of("--plot", plot)
        require_file("--plot", plot, is_figure, force=force)
    given = read_study(file)
    folder = out or Path("out") / f"{given.name}-boundary"
    require_writable("--out", folder)
    search = Search(given, response, within, less=less)
    with counting_bar(given.name) as progress:
        found = search.run(folder, workers, progress)
    if as_json:
        lines = [one.as_data() for one in found.lines]
        about = {"response": found.response.name, "unit": found.response.unit}
        about |= {"factor": found.factor.name}
        say_json({**about, "alternatives": list(found.levels), "lines": lines})
    else:
        say(*_said(found, less=less), "", f"written to {folder}")
    if plot is not None:
        figure = draw("boundary", found)
        fit(figure, size)
        save_figure(figure, plot)


def _said(found: Boundary, *, less: bool) -> list[str]:
    one, other = found.levels
    better = "less" if less else "more"
    along = f"{other} against {one} along {found.factor.name}"
    by = ", by the ratio of geometric means" if found.response.transform else ""
    lines = [f"{found.response.name}, {better} is better: {along}{by}"]
    header = [found.second.name] if found.second else []
    header += ["below", "boundary", "95 % interval", "above", "runs", ""]
    rows = [
        [*([str(line.level)] if found.second else []), *_row(found, line)] for line in found.lines
    ]
    ends = [said for line in found.lines if (said := _end(found, line))]
    lines += ["", *table(header, rows, align="<" * (len(header) - 2) + "><")]
    all_lines = (
        "the intervals of all lines hold together" if len(rows) > 1 else "the interval holds"
    )
    lines.append(f"{all_lines} at 95 % if a line has one boundary")
    return [*lines, *ends]


def _end(found: Boundary, line: Line) -> str:
    """Reason why the search along a line ended before its interval was as narrow as asked."""
    is_none = not line.exists and any(line.winners)
    if line.within or is_none or not (line.undecided or line.alike):
        return ""
    at = f"{found.second.name} = {line.level}: " if found.second else ""
    said = []
    if line.undecided:
        places = ", ".join(map(str, line.undecided))
        said.append(f"max, {found.most} runs each, left the difference undecided at {places}")
    if line.alike:
        places = ", ".join(map(str, line.alike))
        said.append(f"the difference is smaller than the rule asks to see at {places}")
    return f"{at}not as narrow as asked: {'; '.join(said)}"


def _row(found: Boundary, line: Line) -> list[str]:
    below, above = (one or "undecided" for one in line.winners)
    if not line.exists:
        return [below, "–", "–", above, str(line.runs), line.why_none]
    low, high = found.interval(line)
    crossing = found.rounded(line.crossing)
    return [below, crossing, f"{low} to {high}", above, str(line.runs), ""]
