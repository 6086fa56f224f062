"""Results of a study as data for JSON, and as lines of text."""

from typing import TYPE_CHECKING, Any

from cellway.runs.models import note_of
from cellway.statistics import Estimate
from cellway.study.record import MARK

if TYPE_CHECKING:
    from cellway.study.results import Results


def as_data(results: "Results") -> dict[str, Any]:
    """Every point with its estimates, in the responses' units, and the failures."""
    return {
        "study": results.study.name,
        "complete": results.complete,
        "models": list(results.models),
        **_measured(results),
        "runs": len(results.records),
        "failed": len(results.failed),
        "failed_runs": [one.as_data() for one in results.failures],
        "retried": results.retried,
        "restored": results.restored,
        "warnings": results.warnings,
        "points": [
            {
                "parameters": dict(condition.parameters),
                "deterministic": results.deterministic(point),
                "responses": {
                    one.name: _as_data(results.estimate(one.name, point), one.unit)
                    for one in results.study.responses
                },
            }
            for point, condition in enumerate(results.conditions)
        ],
    }


def _measured(results: "Results") -> dict[str, Any]:
    """Kernel, dates and marks of measured runs; nothing for a study that is simulated."""
    if not results.study.measures:
        return {}
    marked = [
        {
            "parameters": dict(one.parameters),
            "replication": one.replication,
            "marks": [mark.removeprefix(MARK) for mark in one.marks],
        }
        for one in results.marked
    ]
    return {
        "measured": {
            "runs": sum(1 for one in results.records if one.kernel),
            "kernels": list(results.kernels),
            "dates": list(results.dates),
            "not_to_be_trusted": marked,
        }
    }


def in_lines(results: "Results") -> str:
    """Means with their intervals, point by point, and the model if another made the runs."""
    lines = [f"note: {made}"] if (made := note_of(results.models)) else []
    for point, condition in enumerate(results.conditions):
        where = ", ".join(f"{key} = {value}" for key, value in condition.parameters.items())
        found = (
            f"{one.name} {results.estimate(one.name, point)} {one.unit}"
            for one in results.study.responses
        )
        lines.append(f"{where or 'all runs'}: {'; '.join(found)}")
    return "\n".join(lines)


def _as_data(found: Estimate | None, unit: str) -> dict[str, Any] | None:
    if found is None:
        return None
    factor = {} if found.factor is None else {"factor": found.factor}
    warning = {"warning": found.warning} if found.warning else {}
    return {
        "mean": found.mean,
        "half_width": found.half_width,
        **factor,
        "n": found.n,
        "method": found.method,
        "unit": unit,
        **warning,
    }
