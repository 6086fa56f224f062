"""Sensitivity of a study's responses to its factors, under the design `saltelli`."""

from cellway.errors import StudyError
from cellway.statistics import Indices, sensitivity_indices
from cellway.study.design import Saltelli
from cellway.study.results import Results

MISSING = "SALib is not installed; pip install 'cellway[sensitivity]'"


def sensitivity(results: Results, name: str) -> list[Indices]:
    """First and total indices of all factors, with intervals, of the means of a response.

    A mean of few replications varies by chance too: total indices are then too large, and first
    indices too small. With `transform` the indices are those of the geometric mean.

    Raises:
        StudyError: another design, a point without a mean, means that are all the same, or SALib is
            not installed.
    """
    import numpy as np  # noqa: PLC0415

    if not isinstance(results.study.design, Saltelli):
        raise StudyError("sensitivity indices exist for the design saltelli")
    means = [None if found is None else found.mean for found in results.estimates(name)]
    known = [mean for mean in means if mean is not None]
    if len(known) < len(means):
        raise StudyError(f"{len(means) - len(known)} points have no mean; all are needed")
    names = [factor.name for factor in results.study.factors]
    try:
        return sensitivity_indices(names, np.array(known))
    except ImportError as error:
        raise StudyError(MISSING) from error
    except ValueError as error:
        raise StudyError(str(error)) from error
