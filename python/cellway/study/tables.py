"""Runs as tables: a row per run with its factors, replication, seed, responses, and where and how it ran."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cellway.errors import CellwayError
from cellway.files import whole_file
from cellway.scenario import toml_value
from cellway.study.store import Record

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl

ABOUT = ("status", "wall_seconds", "cpu_seconds", "scenario_hash", "key", "model_version", "host")
"""Columns about the run itself, behind the responses; `warnings` comes last."""


def to_polars(records: Sequence[Record], factors: Sequence[str], responses: Sequence[str]) -> "pl.DataFrame":
    """`records` in their order.

    A factor's column holds numbers when all its levels are numbers, and text as in the study file otherwise.
    """
    import polars as pl  # noqa: PLC0415

    columns: dict[str, pl.Series] = {name: _levels(name, records) for name in factors}
    for name in ("replication", "seed"):
        columns[name] = pl.Series(name, [getattr(record, name) for record in records], dtype=pl.Int64)
    for name in responses:
        columns[name] = pl.Series(name, [record.metrics.get(name) for record in records], dtype=pl.Float64)
    for name in ABOUT:
        kind = pl.Float64 if name.endswith("seconds") else pl.String
        columns[name] = pl.Series(name, [getattr(record, name) for record in records], dtype=kind)
    columns["warnings"] = pl.Series(
        "warnings", ["; ".join(record.warnings) for record in records], dtype=pl.String
    )
    return pl.DataFrame(columns)


def to_pandas(records: Sequence[Record], factors: Sequence[str], responses: Sequence[str]) -> "pd.DataFrame":
    """As `to_polars`.

    Raises:
        CellwayError: pandas is not installed.
    """
    try:
        import pandas as pd  # noqa: PLC0415
    except ImportError as error:
        raise CellwayError("pandas is not installed; `pip install pandas`, or use to_polars") from error
    return pd.DataFrame(to_polars(records, factors, responses).to_dict(as_series=False))


def to_csv(path: Path, records: Sequence[Record], factors: Sequence[str], responses: Sequence[str]) -> None:
    """As `to_polars`, to `path`, whole or not at all; floats as their shortest exact text.

    Raises:
        OSError: it cannot be written.
    """
    frame = to_polars(records, factors, responses)
    with whole_file(path) as file:
        frame.write_csv(file)


def to_parquet(
    path: Path, records: Sequence[Record], factors: Sequence[str], responses: Sequence[str]
) -> None:
    """As `to_polars`, to `path`, whole or not at all.

    Raises:
        OSError: it cannot be written.
    """
    frame = to_polars(records, factors, responses)
    with whole_file(path) as file:
        frame.write_parquet(file, compression="zstd")


def _levels(name: str, records: Sequence[Record]) -> "pl.Series":
    import polars as pl  # noqa: PLC0415

    values: list[Any] = [record.parameters[name] for record in records]
    if all(isinstance(value, int | float) and not isinstance(value, bool) for value in values):
        return pl.Series(
            name, values, dtype=pl.Int64 if all(isinstance(v, int) for v in values) else pl.Float64
        )
    return pl.Series(name, [toml_value(value) for value in values], dtype=pl.String)
