"""One number of a time series, by the name of how it is found."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

SERIES_REDUCTIONS = ("mean", "time_mean", "max", "min", "first", "last", "sum", "quantile")
"""`mean` counts every sample alike; `time_mean` lets each hold until the next; `quantile` needs its share."""


def reduce_series(  # noqa: PLR0911
    time: "NDArray[np.float64]", value: "NDArray[np.float64]", how: str, share: float | None = None
) -> float | None:
    """`value`, sampled at the ascending `time`, as one number; samples that are not numbers are left out.

    Args:
        time: seconds.
        value: as many.
        how: one of `SERIES_REDUCTIONS`.
        share: for ``"quantile"``, the part of the samples that lies below, 0 to 1.

    Returns:
        The number, in the unit of `value`; `None` when no sample is a number.

    Raises:
        ValueError: no such reduction, or a quantile without its share.
    """
    import numpy as np  # noqa: PLC0415

    if how not in SERIES_REDUCTIONS:
        raise ValueError(f"reduction {how!r}; accepted are {', '.join(SERIES_REDUCTIONS)}")
    numbers = np.isfinite(value)
    time, value = time[numbers], value[numbers]
    if not len(value):
        return None
    if how == "quantile":
        if share is None:
            raise ValueError("a quantile needs its share, 0 to 1")
        return float(np.quantile(value, share))
    if how == "time_mean":
        span = float(time[-1] - time[0])
        return float(np.diff(time) @ value[:-1]) / span if span > 0.0 else float(value[-1])
    if how in {"first", "last"}:
        return float(value[0 if how == "first" else -1])
    if how == "mean":
        return float(value.mean())
    if how == "sum":
        return float(value.sum())
    return float(value.max() if how == "max" else value.min())
