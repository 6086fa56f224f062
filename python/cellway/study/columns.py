"""Levels of factors as numbers, in columns of the table of runs and as coordinates of xarray."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from cellway.runs.tables import imported_xarray
from cellway.study.design import Design, TwoLevel
from cellway.study.factors import Factor

if TYPE_CHECKING:
    import polars as pl
    import xarray as xr

    from cellway.study.results import Results

NUMBER, UNIT = "_number", "_unit"
"""Endings of the columns beside a factor whose levels are numbers with a unit."""


def with_numbers(frame: "pl.DataFrame", factors: Sequence[Factor]) -> "pl.DataFrame":
    """The table with two more columns for each factor whose levels have a unit.

    `NAME_number` (Float64) is the level in the unit of the factor, and `NAME_unit` that unit, the
    same in all rows. A factor that has no such unit, or beside which these names are taken, has
    none.
    """
    import polars as pl  # noqa: PLC0415

    more: list[pl.Series] = []
    for factor in factors:
        names = f"{factor.name}{NUMBER}", f"{factor.name}{UNIT}"
        if not factor.unit or {*names} & {*frame.columns}:
            continue
        known = {str(level): factor.number(level) for level in frame[factor.name].unique()}
        numbers = [known[str(level)] for level in frame[factor.name]]
        more.append(pl.Series(names[0], numbers, pl.Float64))
        more.append(pl.Series(names[1], [factor.unit] * frame.height, pl.String))
    return frame.with_columns(more)


def to_xarray(results: "Results") -> "xr.Dataset":
    """The responses of all runs as arrays, with levels as coordinates.

    The dimensions are the factors of a full or two-level design, of another one `point`, or
    `design_point` where the study has that name, and `replication`. Where a run is missing, failed
    or gave no number there is NaN. Coordinates and variables have their unit as the attribute
    `units`.

    Raises:
        CellwayError: xarray is not installed.
    """
    xarray = imported_xarray()
    import numpy as np  # noqa: PLC0415

    study = results.study
    simulated = [response for response in study.responses if not response.explained]
    most = max((one.replication for runs in results.runs for one in runs), default=0)
    names = {*(one.name for one in study.factors), *(one.name for one in study.responses)}
    point = "design_point" if "point" in names else "point"
    full = type(study.design) in {Design, TwoLevel}
    shape = [len(factor.levels) for factor in study.factors] if full else [len(results.conditions)]
    places = [_place(results, at) if full else (at,) for at in range(len(results.runs))]
    variables = {}
    dimensions = [factor.name for factor in study.factors] if full else [point]
    for response in simulated:
        values = np.full([*shape, most], np.nan)
        for at, runs in enumerate(results.runs):
            for one in runs:
                shown = response.shown(one.metrics)
                if shown is not None:
                    values[(*places[at], one.replication - 1)] = shown
        variables[response.name] = ([*dimensions, "replication"], values, {"units": response.unit})
    coordinates: dict[str, Any] = {"replication": np.arange(1, most + 1)}
    for factor in study.factors:
        levels = [level.shown for level in factor.levels] if full else results.column(factor.name)
        coordinates[factor.name] = (factor.name if full else point, *_coordinate(factor, levels))
    attributes = {"study": study.name, "model": results.models}
    found: xr.Dataset = xarray.Dataset(variables, coordinates, attributes)
    return found


def _place(results: "Results", point: int) -> tuple[int, ...]:
    """Index of the level of each factor at a point of a full design."""
    parameters = results.conditions[point].parameters
    return tuple(
        [level.shown for level in factor.levels].index(parameters[factor.name])
        for factor in results.study.factors
    )


def _coordinate(factor: Factor, levels: Sequence[Any]) -> tuple[list[Any], dict[str, str]]:
    """Levels as numbers with their unit, or as text where they are no numbers."""
    numbers = [factor.number(level) for level in levels]
    if factor.kind == "number" and None not in numbers:
        return numbers, {"units": factor.unit or "1"}
    return [str(level) for level in levels], {}
