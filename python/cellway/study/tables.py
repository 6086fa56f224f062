"""Runs as tables: Polars, CSV and Parquet.

One row per run, in the order given. Columns: every factor, `replication`, `seed`, every response,
then what is known about the run itself (`RUN_COLUMNS`, of studies with measured runs
`MEASURED_COLUMNS`). A factor is a column of numbers when all its levels are numbers, else of text,
where a level that is no text is written as in JSON (`true`, `[1, 2]`).
"""

import csv
import io
import json
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cellway.disk.files import whole_file
from cellway.study.point_runs import KeptRuns
from cellway.study.record import Record
from cellway.study.responses import Response

if TYPE_CHECKING:
    import polars as pl

BEFORE_RESPONSES = ("replication", "seed")
RUN_COLUMNS = (
    "status",
    "wall_seconds",
    "cpu_seconds",
    "scenario_hash",
    "key",
    "model_version",
    "host",
    "warnings",
)
"""Columns of a run itself. Several `warnings` are one text, with "; " between them."""
MEASURED_COLUMNS = ("kernel", "date")
"""More columns of a run where some may be measured: empty text for simulated ones."""
RESERVED = frozenset((*BEFORE_RESPONSES, *RUN_COLUMNS))
"""Names that no factor and no response may have; nor may a factor and a response share one."""


def is_table_of_runs(content: bytes) -> bool:
    """True if a CSV file was written by `to_csv`: no other begins with all of these columns."""
    header = content.partition(b"\n")[0].decode(errors="replace")
    return {*next(csv.reader([header]), [])} >= RESERVED


def to_polars(
    records: Iterable[Record],
    factors: Sequence[str],
    responses: Sequence[str],
    *,
    measured: bool = False,
) -> "pl.DataFrame":
    """A row for each of `records`; responses are Float64, null where a run has none.

    Args:
        records: in the order wanted; read once.
        factors: names of the parameters, in the order wanted.
        responses: names of the metrics, in the order wanted; in the metrics' own units.
        measured: true for `MEASURED_COLUMNS`, too.
    """
    import polars as pl  # noqa: PLC0415

    about = (*RUN_COLUMNS, *(MEASURED_COLUMNS if measured else ()))
    columns = [*factors, *BEFORE_RESPONSES, *responses, *about]
    assert len({*columns}) == len(columns), columns  # noqa: S101 - refused before
    levels: list[list[Any]] = [[] for _ in factors]
    values: list[list[float | None]] = [[] for _ in responses]
    known: dict[str, list[Any]] = {name: [] for name in (*BEFORE_RESPONSES, *about)}
    for record in records:
        for name, column in zip(factors, levels, strict=True):
            column.append(record.parameters.get(name))
        for name, found in zip(responses, values, strict=True):
            found.append(record.metrics.get(name))
        for name, facts in known.items():
            facts.append(
                "; ".join(record.warnings) if name == "warnings" else getattr(record, name)
            )
    made = [_factor(name, column) for name, column in zip(factors, levels, strict=True)]
    made += [
        pl.Series(name, found, pl.Float64) for name, found in zip(responses, values, strict=True)
    ]
    made += [pl.Series(name, facts, _known_type(name)) for name, facts in known.items()]
    return pl.DataFrame(made).select(columns)


def shown_table(
    records: Iterable[Record],
    factors: Sequence[str],
    responses: Sequence[Response],
    *,
    measured: bool = False,
) -> "pl.DataFrame":
    """The table of `to_polars` with `responses` in their units."""
    shown = (
        replace(record, metrics={one.name: one.shown(record.metrics) for one in responses})
        for record in records
    )
    return to_polars(shown, factors, [one.name for one in responses], measured=measured)


def kept_table(
    runs: KeptRuns, factors: Sequence[str], responses: Sequence[Response]
) -> "pl.DataFrame":
    """The table of `to_polars` from columns; `responses` are in their units."""
    import numpy as np  # noqa: PLC0415
    import polars as pl  # noqa: PLC0415

    kept, counts = runs.frame, [len(point) for point in runs]
    levels = []
    for name in factors:
        # The level of each point, as often as the point has runs.
        of_points = _factor(name, [one.parameters.get(name) for one in runs.conditions])
        levels.append(of_points.gather(np.repeat(np.arange(len(counts)), counts)))
    # In Python, because Polars multiplies by the inverse of a divisor.
    numbers = [
        pl.Series(one.name, [*map(one.converted, runs.numbers(one.definition))], pl.Float64)
        for one in responses
    ]
    texts = {text: "; ".join(json.loads(text)) for text in kept["warnings"].unique()}
    return pl.DataFrame(
        [
            *levels,
            pl.Series("replication", np.concatenate([np.arange(1, n + 1) for n in counts])),
            kept["seed"],
            *numbers,
            *(kept[name] for name in RUN_COLUMNS if name != "warnings"),
            kept["warnings"].replace_strict(texts, return_dtype=pl.String),
        ]
    )


def to_csv(frame: "pl.DataFrame", path: Path) -> None:
    """Writes `frame` to `path` as CSV in UTF-8, all or nothing; floats as shortest exact text.

    Raises:
        OSError: the file cannot be written; `path` is as it was.
    """
    with whole_file(path) as file:
        file.write(frame.write_csv().encode())


def to_parquet(frame: "pl.DataFrame", path: Path) -> None:
    """Writes `frame` to `path` as Parquet (zstd), whole or not at all.

    Raises:
        OSError: the file cannot be written; `path` is as it was.
    """
    content = io.BytesIO()
    frame.write_parquet(content, compression="zstd")
    with whole_file(path) as file:
        file.write(content.getbuffer())


def _factor(name: str, levels: list[Any]) -> "pl.Series":
    import polars as pl  # noqa: PLC0415

    given = [level for level in levels if level is not None]
    if all(type(level) is int for level in given) and given:
        return pl.Series(name, levels, pl.Int64)
    if all(type(level) in {int, float} for level in given) and given:
        return pl.Series(name, levels, pl.Float64)
    return pl.Series(name, [_text(level) for level in levels], pl.String)


def _text(level: object) -> str | None:
    if level is None or isinstance(level, str):
        return level
    return json.dumps(level, ensure_ascii=False, sort_keys=True)


def _known_type(name: str) -> "type[pl.DataType]":
    import polars as pl  # noqa: PLC0415

    if name in BEFORE_RESPONSES:
        return pl.Int64
    return pl.Float64 if name.endswith("_seconds") else pl.String
