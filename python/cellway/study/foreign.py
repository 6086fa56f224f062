"""Results of other tools as a study: a table of runs, whose columns are factors and responses.

The folder has `study.toml`, which names the columns with their units, and `table.csv`, their
content. Nothing in it can be run; intervals, analyses, comparisons and figures are those of any
study. Levels are kept as quoted text, so that they are the same when they are read again. A column
of texts that are all as Python writes numbers, or all true or false, has those as its levels. Runs
of another tool share no random numbers with ours, so that comparisons take all runs of
both and no pairs.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cellway.disk.files import require_name
from cellway.disk.folders import Marker, require_ours
from cellway.disk.replacement import replace_together
from cellway.errors import StudyError
from cellway.runs.models import OTHER_TOOL
from cellway.runs.quantity import Quantity
from cellway.scenario.scenario import Scenario, toml_literal
from cellway.study.database import only_writer
from cellway.study.design import Design, Listed
from cellway.study.factors import Factor
from cellway.study.foreign_tables import read_table
from cellway.study.foreign_units import units_of_columns
from cellway.study.own_files import STUDY
from cellway.study.plan import Condition
from cellway.study.record import Record
from cellway.study.responses import Response
from cellway.study.results import Results
from cellway.study.study import Study
from cellway.text.document import Table
from cellway.text.nearest import did_you_mean
from cellway.text.units import UNITS

if TYPE_CHECKING:
    import polars as pl

TABLE = "table.csv"
_NO_PATH = """\
[run]
duration = "1 s"
[host.a]
[host.b]
[link.none]
between = ["a", "b"]
rate = "TAXI-100"
delay = "1 ms"
"""
"""A scenario where a study needs one; nothing of it is run or shown."""
_MOST = 1 << 63
"""Bound of a level that is a number: tables have whole numbers of 64 bits."""


@dataclass(frozen=True)
class Column(Quantity):
    """Column of another tool's table, in place of a quantity of a summary."""

    def __post_init__(self) -> None:
        """Accepts any name: no path is read from it."""

    def __str__(self) -> str:
        return f"column {self.path}"


def import_results(  # noqa: PLR0913
    file: str | Path,
    factors: Sequence[str],
    responses: Sequence[str],
    out: str | Path,
    *,
    units: Mapping[str, str] | None = None,
    names: Mapping[str, str] | None = None,
    name: str | None = None,
    force: bool = False,
) -> Results:
    """Imports a table with one row per run as a study in the folder `out`.

    Args:
        file: CSV with a header, or Parquet.
        factors: columns with levels; rows with equal levels are replications, in their order.
        responses: columns of numbers; an empty cell is a number that the run lacks.
        out: missing, empty, or an earlier import of the same name.
        units: the unit of a column, as `cellway.study.foreign_units` accepts them. A level is then
            written with it, ``"64 KiB"``; the unit of a response is that of its tables.
        names: other names of columns in the study, such as those of a study to compare with.
        name: of the study; by default that of the file.
        force: use `out` even if it holds files of others, and replace those with our names.

    Raises:
        StudyError: a column that is missing, nested or has no numbers, a level that is missing or
            no finite number, an unknown unit, or a column or name that is given twice.
        StoreError: the folder cannot be used.
        OSError: a file cannot be read or written.
    """
    file, out = Path(file), Path(out)
    called = file.stem if name is None else name
    try:
        require_name(called)
    except ValueError as error:
        raise StudyError(f"the study's name is {called!r}, which {error}") from error
    known = units_of_columns(file, responses, units or {})
    columns = _Columns(tuple(factors), tuple(responses), known, dict(names or {}))
    table = _checked(read_table(file), columns, file)
    study = _study(table, columns.described(), called, file.name)
    results = _results(study, table, columns.described(), out)
    texts = {TABLE: table.write_csv(quote_style="non_numeric"), STUDY: _study_toml(study, columns)}
    marker = Marker("study", called)
    require_ours(out, marker, tuple(texts), force=force)
    out.mkdir(parents=True, exist_ok=True)
    with only_writer(out):
        require_ours(out, marker, tuple(texts), force=force)
        replace_together(out, marker, texts)
    results.export(out)
    return results


@dataclass(frozen=True)
class _Columns:
    """Columns as the user names them."""

    factors: tuple[str, ...]
    responses: tuple[str, ...]
    units: dict[str, str]
    names: dict[str, str]

    def described(self) -> "_Described":
        """Column and unit of each factor and response, by name."""
        return _Described(
            *(
                {self.names.get(one, one): (one, self.units.get(one, "")) for one in kind}
                for kind in (self.factors, self.responses)
            )
        )


@dataclass(frozen=True)
class _Described:
    """Column and unit of each factor and each response, by its name in the study."""

    factors: dict[str, tuple[str, str]]
    responses: dict[str, tuple[str, str]]


def _checked(table: "pl.DataFrame", columns: _Columns, file: Path) -> "pl.DataFrame":
    """The columns that are asked for: those of factors as text, those of responses as numbers."""
    import polars as pl  # noqa: PLC0415

    asked = [*columns.factors, *columns.responses]
    if not columns.responses:
        raise StudyError(
            f"{file}: no responses; a column with numbers is expected (--response), one of "
            f"{', '.join(table.columns)}"
        )
    for given in (*asked, *columns.units, *columns.names):
        if given not in table.columns:
            raise StudyError(
                f"{file}: no column {given!r}{did_you_mean(given, table.columns)}; there are "
                f"{', '.join(table.columns)}"
            )
        if asked.count(given) > 1:
            raise StudyError(f"{file}: column {given!r} is given twice; once is expected")
        if given not in asked:
            raise StudyError(f"{file}: column {given!r} is neither a factor nor a response")
        if table[given].dtype.is_nested():
            raise StudyError(
                f"{file}: column {given!r} has lists or structures; one value a row is expected"
            )
    _require_names(columns, file)
    if table.is_empty():
        raise StudyError(f"{file}: no rows; one per run is expected")
    _require_levels(table, columns.factors, file)
    levels = [
        pl.Series(name, [_text(v) for v in table[name].to_list()], dtype=pl.String)
        for name in columns.factors
    ]
    return pl.DataFrame(levels + [_numbers(table[name], file) for name in columns.responses])


def _require_names(columns: _Columns, file: Path) -> None:
    """Refuses two columns with one name in the study."""
    used: dict[str, str] = {}
    for column in (*columns.factors, *columns.responses):
        name = columns.names.get(column, column)
        if name in used:
            raise StudyError(
                f"{file}: columns {used[name]!r} and {column!r} are both named {name!r}; "
                "different names are expected"
            )
        used[name] = column


def _require_levels(table: "pl.DataFrame", factors: Sequence[str], file: Path) -> None:
    for name in factors:
        if table[name].has_nulls():
            row = int(table[name].is_null().arg_true()[0])
            raise StudyError(f"{file}: row {row + 2}: no level of {name}; one is expected")
        if table[name].dtype.is_float() and not table[name].is_finite().all():
            row = int((~table[name].is_finite()).arg_true()[0])
            raise StudyError(
                f"{file}: row {row + 2}: {name} is {table[name][row]!r}; a finite level is expected"
            )


def _numbers(column: "pl.Series", file: Path) -> "pl.Series":
    """The column as numbers; null where the run lacks one."""
    import polars as pl  # noqa: PLC0415

    numbers = column.cast(pl.Float64, strict=False)
    wrong = column.is_not_null() & ~numbers.is_finite().fill_null(value=False)
    if wrong.any():
        row = int(wrong.arg_true()[0])
        raise StudyError(
            f"{file}: row {row + 2}: {column.name} is {column[row]!r}; a number is expected"
        )
    return numbers


def _levels(table: "pl.DataFrame", column: str, unit: str) -> list[Any]:
    """The level of each row, as our tables write it."""
    texts = table[column].to_list()
    if unit:
        return [f"{text} {unit}" for text in texts]
    values = {text: _value(text) for text in texts}
    kinds = {type(value) for value in values.values()}
    alike = kinds <= {int, float} or len(kinds) == 1
    return [values[text] for text in texts] if alike else texts


def _text(level: Any) -> str:  # noqa: ANN401 - a cell of any table
    """A level as text, from which `_value` makes the same level again."""
    if isinstance(level, bool):
        return str(level).lower()
    return str(int(level) if isinstance(level, float) and level.is_integer() else level)


def _value(text: str) -> str | bool | int | float:
    """The level whose text this is."""
    if text in {"true", "false"}:
        return text == "true"
    for kind in (int, float):
        try:
            value = kind(text)
        except ValueError:
            continue
        if abs(value) < _MOST and _text(value) == text:
            return value
    return text


def _study(table: "pl.DataFrame", columns: _Described, name: str, source: str) -> Study:
    """The study whose runs are the rows of `table`."""
    factors, at = [], []
    for factor, (column, unit) in columns.factors.items():
        levels = _levels(table, column, unit)
        every = list(dict.fromkeys(levels))
        factors.append(Factor.of(factor, (), every))
        known = {level: number for number, level in enumerate(every)}
        at.append([known[level] for level in levels])
    rows = list(zip(*at, strict=True)) if at else [()] * table.height
    points = list(dict.fromkeys(rows))
    full = len(points) == Design().count(factors)
    counts = [rows.count(point) for point in points[:1]]
    return Study(
        Scenario(source, _NO_PATH.encode(), awaits_flows=True),
        tuple(factors),
        design=Design() if full else Listed(tuple(points)),
        replications=counts[0],
        responses=tuple(
            Response(response, Column(column), unit or "1")
            for response, (column, unit) in columns.responses.items()
        ),
        random_numbers="independent",
        name=name,
        imported=source,
    )


def imported_study(document: Table, folder: Path) -> Study:
    """The study of a folder with results of another tool.

    Raises:
        StudyError: its files are not as they were written.
        OSError: they cannot be read.
    """
    columns = _described(document)
    about = document.table("study")
    name, source = about.name("name"), about.text("imported")
    document.refuse()
    return _study(_kept(folder, columns), columns, name, source)


def imported_results(study: Study, document: Table, folder: Path) -> Results:
    """The results in a folder of another tool's results."""
    columns = _described(document)
    return _results(study, _kept(folder, columns), columns, folder)


def _kept(folder: Path, columns: _Described) -> "pl.DataFrame":
    import polars as pl  # noqa: PLC0415

    kinds = {column: pl.String for column, _ in columns.factors.values()}
    numbers = {column: pl.Float64 for column, _ in columns.responses.values()}
    return pl.read_csv((folder / TABLE).read_bytes(), schema_overrides={**kinds, **numbers})


def _described(document: Table) -> _Described:
    kinds = (document.named("factor") if document.has("factor") else (), document.named("response"))
    return _Described(
        *(
            {name: (table.text("column"), table.text("unit", "")) for name, table in kind}
            for kind in kinds
        )
    )


def _study_toml(study: Study, columns: _Columns) -> str:
    described = columns.described()
    lines = ["[study]", f"name = {toml_literal(study.name)}"]
    lines.append(f"imported = {toml_literal(study.imported)}")
    for kind, parts in (("factor", described.factors), ("response", described.responses)):
        for name, (column, unit) in parts.items():
            lines += ["", f"[{kind}.{toml_literal(name)}]", f"column = {toml_literal(column)}"]
            lines += [f"unit = {toml_literal(unit)}"] if unit else []
    return "\n".join([*lines, ""])


def _results(study: Study, table: "pl.DataFrame", columns: _Described, folder: Path) -> Results:
    conditions = study.conditions()
    places = {tuple(one.parameters.values()): at for at, one in enumerate(conditions)}
    levels = [_levels(table, column, unit) for column, unit in columns.factors.values()]
    numbers = {
        f"column {column}": (table[column].to_list(), UNITS.get(unit, 1.0))
        for column, unit in columns.responses.values()
    }
    runs: list[list[Record]] = [[] for _ in conditions]
    for row in range(table.height):
        at = places[tuple(column[row] for column in levels)]
        metrics = {
            name: None if values[row] is None else float(values[row]) * scale
            for name, (values, scale) in numbers.items()
        }
        runs[at].append(_record(conditions[at], len(runs[at]) + 1, metrics, study.imported))
    return Results(study, tuple(conditions), tuple(map(tuple, runs)), complete=True, folder=folder)


def _record(
    condition: Condition, replication: int, metrics: Mapping[str, float | None], source: str
) -> Record:
    made_by = f"{OTHER_TOOL}{source}"
    return Record(
        key=condition.key(replication, made_by),
        parameters=condition.parameters,
        replication=replication,
        seed=replication,
        scenario_hash=condition.scenario_hash,
        status="done",
        metrics=metrics,
        summary="",
        wall_seconds=0.0,
        cpu_seconds=0.0,
        model_version=made_by,
        host="",
        warnings=(),
    )
