"""Sensitivity indices of a study as text."""

from cellway.cli.text import table
from cellway.errors import StudyError
from cellway.study import Results, sensitivity


def sensitivity_lines(results: Results, name: str) -> list[str]:
    """First and total indices of all factors, with intervals, or why there are none."""
    try:
        found = sensitivity(results, name)
    except StudyError as error:
        return [f"{name}: no sensitivity indices: {error}"]
    rows = [
        [
            one.name,
            f"{one.first:.3f} ± {one.first_half_width:.2g}",
            f"{one.total:.3f} ± {one.total_half_width:.2g}",
        ]
        for one in found
    ]
    return [
        f"{name}: sensitivity indices, shares of the variance of the means; 95 % by bootstrap",
        *table(["factor", "first", "total"], rows, align="<>>"),
    ]
