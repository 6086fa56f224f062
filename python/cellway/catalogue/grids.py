"""Rows of `published.toml`: a `[[rows]]` table is one row, or a grid of rows.

    [[rows]]   the keys that its rows share, columns, values
    columns    a key of a row, such as "code", "published.simulated" or "set.link.path.delay";
               a list of keys takes the same value for each
    values     a list of cells for each row, in the order of `columns`
    numbers    keys by name, for a column "number": a cell there is such a name

A cell `""` leaves its key out, and a row may end before the last columns. A cell replaces a shared
value, which at least one row keeps. Rows that share `compare` all have a published number. Faults
have the place of the cell, or of the shared key.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from cellway.text.document import Step, Table, in_backticks

ROWS = "rows"
_COLUMNS, _VALUES, _NUMBERS, _NUMBER = "columns", "values", "numbers", "number"
_COMPARE = "compare"
_TABLES = ("published", "set", "weights")
"""Keys of a row that are tables: `set.KEY` in `columns` is a key inside."""
Origin = tuple[Step, ...]
"""Path of a value, from the table of its grid."""


def read_rows(document: Table) -> Iterator[Table]:
    """Tables of all rows, in the order of the file."""
    for grid in document.tables(ROWS):
        if grid.has(_COLUMNS):
            yield from _rows_of(grid)
        else:
            yield grid


@dataclass
class _Row:
    """A row that is put together: its values, and the path that each is written at."""

    values: dict[str, Any] = field(default_factory=dict)
    origins: dict[Origin, Origin] = field(default_factory=dict)

    def put(self, key: str, value: object, origin: Origin) -> None:
        """Sets `key`, a name or `set.KEY`, to a value that is written at `origin`."""
        table, _, inside = key.partition(".")
        if not inside or table not in _TABLES:
            self.values[key] = value
            self.origins[(key,)] = origin
            return
        self.values[table] = {**self.values.get(table, {}), inside: value}
        self.origins[table, inside] = origin

    def put_all(self, shared: Mapping[str, Any], origin: Origin) -> None:
        """Sets every key of `shared`, whose table is at `origin`."""
        for key, value in shared.items():
            if key in _TABLES and isinstance(value, dict):
                for inside, one in value.items():
                    self.put(f"{key}.{inside}", one, (*origin, key, inside))
            else:
                self.put(key, value, (*origin, key))


def _rows_of(grid: Table) -> Iterator[Table]:
    columns = _columns(grid)
    numbers = grid.value(_NUMBERS, (dict,), "a table of tables", optional=True) or {}
    about = (_COLUMNS, _VALUES, _NUMBERS)
    shared = {key: value for key, value in grid.content.items() if key not in about}
    used: set[Origin] = set()
    for at, cells in enumerate(grid.value(_VALUES, (list,), "a list of rows")):
        place: Origin = (_VALUES, at)
        if not isinstance(cells, list):
            grid.fail_at(place, f"`values` has {cells!r}; a list of cells is expected")
        if len(cells) > len(columns):
            said = f"{len(cells)} cells; at most {len(columns)} are accepted, as `columns` has"
            grid.fail_at(place, said)
        row = _Row()
        row.put_all(shared, ())
        for number, (keys, cell) in enumerate(zip(columns, cells, strict=False)):
            if cell == "":
                continue
            if keys == (_NUMBER,):
                _check_number(grid, cell, numbers, (*place, number))
                row.put_all(numbers[cell], (_NUMBERS, cell))
                continue
            for key in keys:
                row.put(key, cell, (*place, number))
        if "published" not in row.values and row.origins.get((_COMPARE,)) == (_COMPARE,):
            said = "no published number beside the shared `compare`; a cell `published.simulated`"
            grid.fail_at(
                place, f"{said} or `published.measured`, or a column `compare`, is accepted"
            )
        used.update(row.origins.values())
        yield grid.composed(place, row.values, row.origins)
    _refuse_unused(grid, shared, numbers, used)


def _refuse_unused(
    grid: Table, shared: Mapping[str, Any], numbers: Mapping[str, Any], used: set[Origin]
) -> None:
    """Refuses numbers and shared values that are in no row."""
    for name in numbers:
        if not any(origin[:2] == (_NUMBERS, name) for origin in used):
            said = f"no row has the number `{name}`; a name in a column `number` is expected"
            grid.fail_at((_NUMBERS, name), said, at_key=True)
    written = _Row()
    written.put_all(shared, ())
    for origin in written.origins.values():
        if origin not in used:
            said = "is replaced in every row; a shared value that a row keeps is accepted"
            grid.fail_at(origin, f"`{'.'.join(map(str, origin))}` {said}", at_key=True)


def _columns(grid: Table) -> list[tuple[str, ...]]:
    """Keys of each column."""
    found, known = [], set[str]()
    for at, column in enumerate(grid.value(_COLUMNS, (list,), "a list of keys")):
        keys = column if isinstance(column, list) else [column]
        for key in keys:
            if not isinstance(key, str) or not key:
                grid.fail_at((_COLUMNS, at), f"`columns` has {key!r}; a key of a row is expected")
            if key in known:
                said = f"`columns` has `{key}` twice; each key is accepted once"
                grid.fail_at((_COLUMNS, at), said)
            known.add(key)
        found.append(tuple(keys))
    return found


def _check_number(grid: Table, cell: object, numbers: Mapping[str, Any], place: Origin) -> None:
    if not isinstance(cell, str) or not isinstance(numbers.get(cell), dict):
        known = in_backticks(numbers) or "none"
        grid.fail_at(place, f"no number {cell!r}; `numbers` has {known}")
