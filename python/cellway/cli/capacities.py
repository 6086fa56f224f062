"""`cellway capacity`: the rates that a link has in a run, as a file that scenarios can name."""

from pathlib import Path
from typing import Annotated

from cellway.cli.exits import BadInputError, require_writable, unwritable
from cellway.cli.options import ScenarioFile, Seed, Sets, read_scenario
from cellway.cli.parameters import Option
from cellway.cli.text import say
from cellway.disk.files import is_replaceable, write_text
from cellway.scenario.capacity import CapacityPath, Format


def capacity(
    scenario: ScenarioFile,
    link: Annotated[
        str,
        Option(
            metavar="LINK", help='A link with `capacity`; the second direction of "x" is "x back".'
        ),
    ],
    to: Annotated[
        Path | None, Option(metavar="FILE", help="Write to this file instead of printing.")
    ] = None,
    kind: Annotated[
        Format,
        Option(
            "--format",
            help="csv: time and rate, exact, for capacity.steps; mahimahi: opportunities of 1500 "
            "bytes in milliseconds, for capacity.mahimahi and mahimahi's link emulator.",
        ),
    ] = "csv",
    sets: Sets = [],
    seed: Seed = None,
) -> None:
    """Print the rates of a link over a run, without the run."""
    path = _path_of(scenario, link, sets, seed)
    try:
        text = path.text(kind)
    except ValueError as error:
        raise BadInputError(f"--link {link}: {error}; expected a longer run or `csv`") from error
    if to is None:
        say(text.removesuffix("\n"))
        return
    require_writable("--to", to.parent)
    if not is_replaceable(to, lambda _: False):
        raise BadInputError(f"--to {to}: the file exists; expected the name of a new one")
    try:
        write_text(to, text)
    except OSError as error:
        raise unwritable("--to", to, error) from error
    say(f"written to {to}")


def _path_of(scenario: Path, link: str, sets: list[str], seed: int | None) -> CapacityPath:
    checked = read_scenario(scenario, sets, seed)
    path = checked.capacity(link)
    if path is None:
        varying = [name for name in checked.link_names() if checked.capacity(name) is not None]
        expected = f"one of {', '.join(varying)}" if varying else "one with `capacity`"
        raise BadInputError(f"--link {link}: no link of this name varies; expected {expected}")
    return path
