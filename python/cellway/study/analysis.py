"""Numbers of a study's points arranged for its design: effects, variance, levels in columns."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal

from cellway.errors import StudyError
from cellway.statistics import (
    Anova,
    TwoLevel,
    analysis_of_variance,
    jackknife_half_widths,
    two_level_effects,
)
from cellway.study.plan import Condition
from cellway.study.study import Study

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


def aligned(columns: Sequence[Sequence[float | None]]) -> list[list[float]]:
    """Columns of numbers by replication, without replications that lack a number in one of them."""
    whole = [row for row in zip(*columns, strict=False) if None not in row]
    return [[one for one in column if one is not None] for column in zip(*whole, strict=True)]


def settings(
    conditions: Sequence[Condition], factor: str
) -> Iterable[tuple[dict[str, Any], dict[str, int]]]:
    """Settings of the other factors, each with the point of each level of `factor`."""
    groups: dict[str, tuple[dict[str, Any], dict[str, int]]] = {}
    for point, condition in enumerate(conditions):
        others = {key: value for key, value in condition.parameters.items() if key != factor}
        _, points = groups.setdefault(repr(sorted(others.items())), (others, {}))
        points[str(condition.parameters[factor])] = point
    return groups.values()


def effects(
    study: Study, table: "NDArray[np.float64]", constant: Sequence[bool], deterministic: bool
) -> TwoLevel:
    """Effects of a two-level design.

    Args:
        study: its design.
        table: shape (points, replications).
        constant: by point, true if all its runs gave the same number.
        deterministic: true if the seed changes nothing.

    Raises:
        StudyError: another design.
    """
    if not study.two_level:
        raise StudyError("effects exist for the designs two_level and fractional")
    generators = dict(getattr(study.design, "generators", {}))
    return two_level_effects(
        [factor.name for factor in study.factors if factor.name not in generators],
        table,
        # One replication is no block.
        blocks=study.random_numbers == "common" and table.shape[1] > 1,
        generators=generators or None,
        constant=list(constant),
        deterministic=deterministic,
    )


def anova(study: Study, table: "NDArray[np.float64]", constant: Sequence[bool]) -> Anova:
    """Analysis of variance of a full factorial design; factors with one level do not count.

    Args:
        study: its design.
        table: shape (points, replications).
        constant: by point, true if all its runs gave the same number.

    Raises:
        StudyError: another design, or no factor with several levels.
    """
    import numpy as np  # noqa: PLC0415

    if study.design.name not in {"full", "two_level"}:
        raise StudyError("an analysis of variance is done for full factorial designs")
    factors = [factor for factor in study.factors if len(factor.levels) > 1]
    shape = [len(factor.levels) for factor in factors]
    # Standard order: the first factor changes fastest.
    order: Literal["F", "C"] = "F" if study.two_level else "C"
    names = [factor.name for factor in factors]

    def analysed(runs: "NDArray[np.float64]") -> Anova:
        return analysis_of_variance(
            names,
            runs,
            blocks=study.random_numbers == "common",
            constant=np.array(constant).reshape(shape, order=order),
        )

    def shares(runs: "NDArray[np.float64]") -> dict[str, float]:
        return {row.name: row.share for row in analysed(runs).rows[:-1]}

    whole = table.reshape(*shape, -1, order=order)
    try:
        found = analysed(whole)
        return replace(found, share_half_widths=jackknife_half_widths(whole, shares))
    except ValueError as error:
        raise StudyError(str(error)) from error
