"""Series of a run as tables of Polars, tables for pandas, and arrays of xarray."""

from typing import TYPE_CHECKING, Any

from cellway.errors import CellwayError

if TYPE_CHECKING:
    from collections.abc import Iterable

    import pandas as pd
    import polars as pl
    import xarray as xr

    from cellway.runs.series import Series

TIME = "time"
"""Dimension of series that all have the same instants."""


def to_polars(recorded: "Iterable[Series]") -> "pl.DataFrame":
    """A row for each point, in the columns of `Run.to_csv`; `mean` is null without one."""
    import polars as pl  # noqa: PLC0415

    types = {
        "series": pl.String,
        "unit": pl.String,
        "time_s": pl.Float64,
        "value": pl.Float64,
        "mean": pl.Float64,
        "thinned": pl.UInt32,
    }
    parts = [pl.DataFrame(schema=types)]
    for series in recorded:
        count = len(series)
        columns: dict[str, Any] = {
            "series": [series.name] * count,
            "unit": [series.unit] * count,
            "time_s": series.times,
            "value": series.values,
            "mean": [None] * count if series.means is None else series.means,
            "thinned": [series.thinned] * count,
        }
        parts.append(pl.DataFrame(columns, schema=types))
    return pl.concat(parts)


def to_pandas(frame: "pl.DataFrame") -> "pd.DataFrame":
    """The same table for pandas, which is not installed with cellway.

    Raises:
        CellwayError: pandas is not installed.
    """
    try:
        import pandas as pd  # noqa: PLC0415
    except ImportError as error:
        raise CellwayError(
            "pandas is not installed; pip install pandas, or use the Polars table"
        ) from error
    # Through NumPy and lists, because the conversion of Polars needs PyArrow.
    return pd.DataFrame(
        {
            column.name: column.to_numpy() if column.dtype.is_numeric() else column.to_list()
            for column in frame.iter_columns()
        }
    )


def to_xarray(recorded: "Iterable[Series]", attributes: dict[str, Any]) -> "xr.Dataset":
    """A variable for each series, with its unit as the attribute `units`.

    Raises:
        CellwayError: xarray is not installed.
    """
    xarray = imported_xarray()
    several = list(recorded)
    shared = all(_same_instants(several[0], series) for series in several)
    variables: dict[str, Any] = {}
    coordinates: dict[str, Any] = {}
    for series in several:
        dimension = TIME if shared else f"{series.name}.{TIME}"
        coordinates[dimension] = (dimension, series.times, {"units": "s"})
        facts = {"units": series.unit, "thinned": series.thinned}
        variables[series.name] = (dimension, series.values, facts)
        if series.means is not None:
            variables[f"{series.name}.mean"] = (dimension, series.means, facts)
    found: xr.Dataset = xarray.Dataset(variables, coordinates, attributes)
    return found


def imported_xarray() -> Any:  # noqa: ANN401 - a module.
    """The package xarray, which is not installed with cellway.

    Raises:
        CellwayError: it is absent.
    """
    try:
        import xarray  # noqa: PLC0415
    except ImportError as error:
        raise CellwayError(
            "xarray is not installed; pip install 'cellway[xarray]', or use the Polars table"
        ) from error
    return xarray


def _same_instants(one: "Series", other: "Series") -> bool:
    return len(one) == len(other) and bool((one.times == other.times).all())
