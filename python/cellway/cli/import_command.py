"""The command that makes a study of a table, where a table is given in place of a study."""

import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from cellway.cli.exits import BadInputError, unreadable
from cellway.cli.options import is_study
from cellway.cli.studies import read_study
from cellway.study.foreign_tables import read_table
from cellway.study.matching import letters
from cellway.study.tables import RESERVED
from cellway.text.units import UNITS

if TYPE_CHECKING:
    import polars as pl

    from cellway.study import Factor, Response, Study

_Named = TypeVar("_Named", "Factor", "Response")

ENDINGS = (".csv", ".parquet")
_COUNTS = {*RESERVED, "run"}
"""Names of columns that count runs."""


def refuse_table(command: str, sources: Sequence[Path]) -> None:
    """Refuses a table among `sources` of `command`, where studies are expected.

    Raises:
        BadInputError: there is one; the message has the commands that import it and go on.
    """
    tables = [one for one in sources if one.suffix.lower() in ENDINGS and one.is_file()]
    if not tables:
        return
    table = tables[0]
    beside = next((one for one in sources if one not in tables and is_study(one)), None)
    said = shlex.join(["cellway", "import", str(table), *_options(table, beside)])
    made = [str(Path("out") / one.stem) if one == table else str(one) for one in sources]
    then = f", and then `{shlex.join(['cellway', command, *made])}`" if beside else ""
    raise BadInputError(
        f"{table}: a table, not a study; expected what `{said}` makes of it{then}; check the units"
    )


def _options(file: Path, beside: Path | None) -> list[str]:
    """Options of `cellway import` for the columns of a table, as the study `beside` has them."""
    try:
        table = read_table(file)
    except OSError as error:
        raise unreadable(file, error, "a table of results") from error
    numbers = [one for one in table.columns if table[one].dtype.is_numeric()]
    if beside is None:
        return _plain([one for one in table.columns if one not in numbers], numbers)
    study = read_study(beside)
    options, factors = _factors(table, numbers, study)
    return options + _responses([one for one in numbers if one not in factors], study)


def _plain(words: Sequence[str], numbers: Sequence[str]) -> list[str]:
    factors = [text for one in words for text in ("--factor", one)]
    shown = [one for one in numbers if one not in _COUNTS] or ["COLUMN"]
    return factors + [text for one in shown for text in ("--response", one)]


def _factors(
    table: "pl.DataFrame", numbers: Sequence[str], study: "Study"
) -> tuple[list[str], list[str]]:
    """Options for the factors of the study, and their columns."""
    found = _named(table.columns, study.factors)
    left = [one for one in study.factors if one not in found.values()]
    words = [one for one in table.columns if one not in {*numbers, *found}]
    if len(left) == len(words) == 1:
        found[words[0]] = left[0]
    options = []
    for column, factor in found.items():
        unit = factor.unit if column in numbers else None
        options += _column("--factor", column, factor.name, unit or "")
    return options, [*found]


def _responses(numbers: Sequence[str], study: "Study") -> list[str]:
    """Options for the responses of the study; for all numbers if none has its name."""
    wanted = [one for one in study.responses if not one.explained]
    found = _named(numbers, wanted)
    left = [one for one in numbers if one not in _COUNTS]
    if not found and len(left) == len(wanted) == 1:
        found = {left[0]: wanted[0]}
    if not found:
        return _plain([], numbers)
    options = []
    for column, response in found.items():
        unit = response.unit if response.unit in UNITS else f'{{ name = "{response.unit}" }}'
        unit = "" if unit == "1" else unit
        options += _column("--response", column, response.name, unit)
    return options


def _named(columns: Sequence[str], wanted: "Sequence[_Named]") -> "dict[str, _Named]":
    """Columns that have the name of one of `wanted`, in the order of these."""
    known = {letters(column): column for column in reversed(columns)}
    return {known[key]: one for one in wanted if (key := letters(one.name)) in known}


def _column(option: str, column: str, name: str, unit: str) -> list[str]:
    options = [option, column]
    options += ["--unit", f"{column}={unit}"] if unit else []
    return options + ([] if column == name else ["--rename", f"{column}={name}"])
