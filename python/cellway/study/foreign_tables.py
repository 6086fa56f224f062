"""Tables of other tools as they lie in files: CSV with a header, or Parquet."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from cellway.errors import StudyError

if TYPE_CHECKING:
    import polars as pl

_PARQUET = b"PAR1"


def read_table(file: Path, rows: int | None = None) -> "pl.DataFrame":
    """The table in CSV with a header or Parquet, or its first rows.

    Raises:
        StudyError: the file is no table.
        OSError: it cannot be read.
    """
    import polars as pl  # noqa: PLC0415

    content = file.read_bytes()
    try:
        if content.startswith(_PARQUET):
            return pl.read_parquet(content, n_rows=rows)
        return pl.read_csv(content, infer_schema_length=None, n_rows=rows)
    except pl.exceptions.PolarsError as error:
        heading = content.partition(b"\n")[0]
        if b";" in heading and b"," not in heading:
            raise StudyError(f"{file}:1:1: columns end with `;`; commas are expected") from error
        said = " ".join(str(error).split())[:200]
        raise StudyError(
            f"{file}: no table: {said}; CSV with a header or Parquet expected"
        ) from error


def columns_left_out(file: str | Path, asked: Sequence[str]) -> list[str]:
    """Columns of a table of `import_results` besides those that are asked for; its header is read.

    Raises:
        StudyError: the file is no table.
        OSError: it cannot be read.
    """
    return [name for name in read_table(Path(file), rows=0).columns if name not in asked]
