"""`cellway export`: a run in the format of another tool."""

import gzip
import json
from pathlib import Path
from typing import Annotated, Literal

from cellway.cli.drawing import finished
from cellway.cli.exits import BadInputError, require_writable, unwritable
from cellway.cli.options import Sets
from cellway.cli.parameters import Argument, Option
from cellway.cli.text import say
from cellway.disk.files import is_replaceable, whole_file
from cellway.export import flent, iperf3
from cellway.export.sampled import NotRecordedError

Format = Literal["iperf3", "flent"]
_DOCUMENTS = {"iperf3": iperf3.document, "flent": flent.document}


def export(
    kind: Annotated[
        Format,
        Argument(
            metavar="FORMAT",
            help="iperf3: the JSON of `iperf3 --json`; flent: a data file of Flent, compressed if "
            "its name ends in .gz.",
        ),
    ],
    source: Annotated[
        Path,
        Argument(metavar="DIR|SCENARIO", help="Folder of `cellway run`, or a scenario to run."),
    ],
    to: Annotated[
        Path | None, Option(metavar="FILE", help="Write to this file instead of printing.")
    ] = None,
    interval: Annotated[
        float | None,
        Option(metavar="S", help="Length of intervals; by default 1 s, for flent 0.2 s."),
    ] = None,
    sets: Sets = [],
) -> None:
    """Write the flows of a run with TCP in the format of another tool.

    A scenario without [observe] records the default series.
    """
    length = interval if interval is not None else {"iperf3": 1.0, "flent": 0.2}[kind]
    if not length > 0:
        raise BadInputError(f"--interval {length:g}: expected a number above 0")
    if to is not None:
        require_writable("--to", to.parent)
        if not is_replaceable(to, lambda _: False):
            raise BadInputError(f"--to {to}: the file exists; expected the name of a new one")
    run = finished(source, sets)
    try:
        document = _DOCUMENTS[kind](run, length)
    except NotRecordedError as error:
        raise BadInputError(f"{source}: {error}") from error
    text = json.dumps(document, indent="\t" if kind == "iperf3" else None)
    if to is None:
        say(text)
        return
    # No time of the day: equal runs have equal files.
    content = text.encode() + b"\n"
    content = gzip.compress(content, mtime=0) if to.suffix == ".gz" else content
    try:
        with whole_file(to) as file:
            file.write(content)
    except OSError as error:
        raise unwritable("--to", to, error) from error
    say(f"written to {to}")
