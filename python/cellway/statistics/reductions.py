"""One number from a time series, and one number from an allocation.

Sources: Law, Simulation Modeling and Analysis, section 1.4 (a time average is the area under a step
function over the time); R. J. Hyndman, Y. Fan, "Sample quantiles in statistical packages", The
American Statistician 50 (1996), definition 7; R. Jain, D. Chiu, W. Hawe, "A quantitative measure of
fairness and discrimination for resource allocation in shared computer systems", DEC TR-301 (1984).

Decided here: a window takes the samples at both of its ends. For the time mean a value holds until
the next sample: the last sample before the window counts from its start, the last one inside until
its end, and time before the very first sample does not count. In a thinned series the mean until
the next sample may replace the value; it then also stands for any part of that time.
"""

import math
import statistics
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray

REDUCTIONS = ("mean", "time_mean", "max", "min", "last", "first", "sum", "quantile")
"""Reductions of `reduce_series`."""


def reduce_series(
    times: "ArrayLike",
    values: "ArrayLike",
    how: str,
    *,
    window: tuple[float, float] | None = None,
    p: float | None = None,
) -> float:
    """Reduces a time series to one number.

    Args:
        times: shape (n,), of the samples, not decreasing.
        values: shape (n,).
        how: one of `REDUCTIONS`: "mean" over the samples, "time_mean" over the time, "max", "min",
            "last", "first", "sum", or "quantile".
        window: from and to, in the unit of `times`, both ends included; all samples for `None`.
        p: of the quantile, from 0 to 1.

    Returns:
        A number in the unit of `values`.

    Raises:
        ValueError: a `how` that is not known, `p` missing, out of range or out of place, times that
            decrease or do not match the values, a number that is not finite, a window that ends
            before it starts, or no sample in it.
    """
    import numpy as np  # noqa: PLC0415

    _check_how(how, p)
    t, x = np.asarray(times, dtype=float), np.asarray(values, dtype=float)
    _check_series(t, x)
    if window is not None and not window[0] <= window[1]:
        raise ValueError(f"the window [{window[0]:g}, {window[1]:g}] ends before it starts")
    if how == "time_mean":
        return _time_mean(t, x, window)
    if window is not None:
        x = x[np.searchsorted(t, window[0], "left") : np.searchsorted(t, window[1], "right")]
    if not x.size:
        raise ValueError(_nothing(window))
    return _reduce(x, how, p or 0.0)


def stretch_means(
    times: "ArrayLike", means: "ArrayLike", count: int, window: tuple[float, float]
) -> list[float]:
    """Time means over `count` equal stretches of a window, as observations at equal steps.

    Args:
        times: shape (n,), ascending, of a series.
        means: shape (n,), the time mean from each of them to the next; the last one holds.
        count: at least 1.
        window: from and to, the first not before the first of `times`.

    Returns:
        `count` numbers; their mean is the time mean of the window.
    """
    import numpy as np  # noqa: PLC0415

    t, m = np.asarray(times, dtype=float), np.asarray(means, dtype=float)
    ends = np.append(t, max(window[1], float(t[-1])))
    areas = np.concatenate([[0.0], np.cumsum(np.diff(ends) * m)])
    edges = np.linspace(*window, count + 1)
    found: list[float] = (np.diff(np.interp(edges, ends, areas)) / np.diff(edges)).tolist()
    return found


def quantile(values: Sequence[float], p: float) -> float:
    """Value below which a part `p` of `values` lies: definition 7 of Hyndman and Fan.

    Args:
        values: in any order, at least one.
        p: from 0, the smallest of them, to 1, the largest.

    Raises:
        ValueError: no values, or a `p` that is no part.
    """
    if not len(values) or not 0.0 <= p <= 1.0:
        raise ValueError("a quantile is of one value at least, and p is from 0 to 1")
    ordered = sorted(values)
    below = math.floor(p * (len(ordered) - 1))
    above = min(below + 1, len(ordered) - 1)
    part = p * (len(ordered) - 1) - below
    return ordered[below] + part * (ordered[above] - ordered[below])


def jain_index(values: Sequence[float]) -> float | None:
    """Jain's fairness index, ``(sum x)^2 / (n · sum x^2)``: 1 if all are equal, 1/n if one has all.

    Args:
        values: the amount of each user, over its due share if shares are unequal; not negative.

    Returns:
        A number from 1/n to 1; `None` if all amounts are 0, which gives 0/0.

    Raises:
        ValueError: no values, or one that is negative or not finite.
    """
    if not len(values):
        raise ValueError("no values; fairness is between one user at least")
    if not all(0.0 <= value < math.inf for value in values):
        raise ValueError("a value is negative or not finite; an allocation is neither")
    largest = max(values)
    if largest == 0.0:
        return None
    parts = [value / largest for value in values]
    return math.fsum(parts) ** 2 / (len(parts) * math.fsum(part**2 for part in parts))


def share_error(values: Sequence[float], weights: Sequence[float]) -> float:
    """Distance of an allocation from shares by weight: half the sum of ``|share - due share|``.

    It is the part of the total that would have to change hands (the total variation distance).

    Args:
        values: the amount of each user; not negative, not all zero.
        weights: the due share of each, in any unit; not negative, not all zero, as many.

    Returns:
        A number from 0, exactly in proportion, to 1.

    Raises:
        ValueError: no values, not as many weights, or a sum that is not positive and finite.
    """
    if not values or len(values) != len(weights):
        raise ValueError(
            f"{len(values)} values and {len(weights)} weights; each user has one of both"
        )
    got, due = math.fsum(values), math.fsum(weights)
    if not (0.0 < got < math.inf and 0.0 < due < math.inf) or min(*values, *weights) < 0.0:
        raise ValueError("values and weights are not negative, and their sums are above zero")
    return math.fsum(abs(x / got - w / due) for x, w in zip(values, weights, strict=True)) / 2


def min_ratio(values: Sequence[float], weights: Sequence[float]) -> float:
    """Minimum of value over weight: 1 or more when a guarantee is kept to all.

    Args:
        values: the amount of each user; not negative.
        weights: the guaranteed amount of each, in the same unit; above zero, as many.

    Raises:
        ValueError: no values, not as many weights, a weight that is not above zero, or a number
            that is not finite.
    """
    if not values or len(values) != len(weights):
        raise ValueError(
            f"{len(values)} values and {len(weights)} weights; each user has one of both"
        )
    if not all(
        0.0 <= x < math.inf and 0.0 < w < math.inf for x, w in zip(values, weights, strict=True)
    ):
        raise ValueError("values are not negative, and weights are above zero")
    return min(x / w for x, w in zip(values, weights, strict=True))


def correlation(values: Sequence[float], weights: Sequence[float]) -> float:
    """Pearson's coefficient between the amounts of users and their weights, from -1 to 1.

    Raises:
        ValueError: fewer than two users, not as many weights, or one of both is the same for all.
    """
    try:
        return statistics.correlation(values, weights)
    except statistics.StatisticsError as error:
        raise ValueError(str(error)) from error


def _check_how(how: str, p: float | None) -> None:
    if how not in REDUCTIONS:
        raise ValueError(f"no reduction {how!r}; there are {', '.join(REDUCTIONS)}")
    if how == "quantile" and p is None:
        raise ValueError("a quantile needs p, from 0 to 1")
    if p is not None and how != "quantile":
        raise ValueError(f"p is for a quantile; {how!r} takes none")
    if p is not None and not 0.0 <= p <= 1.0:
        raise ValueError(f"p = {p} is out of range; it lies from 0 to 1")


def _check_series(t: "NDArray[np.float64]", x: "NDArray[np.float64]") -> None:
    import numpy as np  # noqa: PLC0415

    if t.ndim != 1 or t.shape != x.shape:
        raise ValueError(f"{t.size} times and {x.size} values; a sample has one of each")
    if not np.isfinite(t).all() or not np.isfinite(x).all():
        raise ValueError("a time or value is not finite")
    if (np.diff(t) < 0.0).any():
        raise ValueError("the times decrease somewhere; give the samples in order")


def _reduce(x: "NDArray[np.float64]", how: str, p: float) -> float:
    import numpy as np  # noqa: PLC0415

    match how:
        case "mean":
            found = math.fsum(x) / x.size
        case "sum":
            found = math.fsum(x)
        case "max":
            found = x.max()
        case "min":
            found = x.min()
        case "last":
            found = x[-1]
        case "first":
            found = x[0]
        case _:
            found = np.quantile(x, p)
    return float(found)


def _time_mean(
    t: "NDArray[np.float64]", x: "NDArray[np.float64]", window: tuple[float, float] | None
) -> float:
    import numpy as np  # noqa: PLC0415

    if not t.size:
        raise ValueError(_nothing(window))
    start, end = window if window is not None else (float(t[0]), float(t[-1]))
    start = max(start, float(t[0]))
    if end < start:
        raise ValueError(_nothing(window))
    if end == start:
        return float(x[np.searchsorted(t, end, "right") - 1])
    first, last = int(np.searchsorted(t, start, "right")) - 1, int(np.searchsorted(t, end, "left"))
    edges = np.clip(np.append(t[first:last], end), start, end)
    return math.fsum((np.diff(edges) * x[first:last]).tolist()) / (end - start)


def _nothing(window: tuple[float, float] | None) -> str:
    where = "" if window is None else f" in the window [{window[0]:g}, {window[1]:g}]"
    return f"no samples{where}"
