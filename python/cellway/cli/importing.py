"""`cellway import`: a table of another tool's results as a study."""

from pathlib import Path
from typing import Annotated

from cellway.cli.exits import BadInputError, require_writable, unreadable
from cellway.cli.options import AsJson, Force
from cellway.cli.parameters import Argument, Option
from cellway.cli.study_results import report
from cellway.cli.text import complain, notes, say, say_json
from cellway.study.foreign import import_results
from cellway.study.foreign_tables import columns_left_out
from cellway.text.units import UNITS

File = Annotated[
    Path, Argument(metavar="FILE", help="CSV with a header, or Parquet: a row for each run.")
]
Factors = Annotated[
    list[str], Option("--factor", metavar="COLUMN", help="A column with levels. May be repeated.")
]
Responses = Annotated[
    list[str],
    Option("--response", metavar="COLUMN", help="A column with numbers. May be repeated."),
]
Units = Annotated[
    list[str],
    Option(
        "--unit",
        metavar="COLUMN=UNIT",
        help="The unit of a column, such as goodput=Mbit/s. Levels are written with it: 64 KiB. "
        'Another one is { name = "octet" }. May be repeated.',
    ),
]
Names = Annotated[
    list[str],
    Option(
        "--rename",
        metavar="COLUMN=NAME",
        help="Another name of a column, such as in the study to compare with. May be repeated.",
    ),
]


def importing(
    file: File,
    factors: Factors = [],
    responses: Responses = [],
    units: Units = [],
    names: Names = [],
    out: Annotated[
        Path | None,
        Option(metavar="DIR", help="Folder of the study, by default out/ and the file's name."),
    ] = None,
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Import a table of another tool's results as a study, to compare, analyse and draw it.

    Rows with equal levels are replications. Nothing is run. Intervals, analyses of variance,
    figures and reports are those of any study.
    """
    folder = out or Path("out") / file.stem
    require_writable("--out", folder)
    pairs = (
        dict(_pair("--unit", one) for one in units),
        dict(_pair("--rename", one) for one in names),
    )
    try:
        results = import_results(
            file, factors, responses, folder, units=pairs[0], names=pairs[1], force=force
        )
    except OSError as error:
        raise unreadable(Path(error.filename or file), error, "a table of results") from error
    others = columns_left_out(file, [*factors, *responses])
    said = [f"not imported, neither factor nor response: {', '.join(others)}"] if others else []
    said += [
        f"{one.name} is in {one.unit}, which is not converted: compared only with the same word"
        for one in results.study.responses
        if one.unit not in UNITS
    ]
    if as_json:
        say_json(results.as_data())
        for line in notes(said)[1:]:
            complain(line)
    else:
        say(*report(results), *notes(said), "", f"written to {folder}")


def _pair(option: str, text: str) -> tuple[str, str]:
    column, equals, value = text.partition("=")
    if not equals or not column.strip() or not value.strip():
        raise BadInputError(f"{option} {text}: not COLUMN=VALUE; expected for instance rate=Mbit/s")
    return column.strip(), value.strip()
