"""A study before any run as data for JSON."""

from typing import TYPE_CHECKING, Any

from cellway.study.cost import START

if TYPE_CHECKING:
    from cellway.study.study import Study


def as_data(study: "Study") -> dict[str, Any]:
    """Factors, responses, points, and the number of runs with an estimate of their time.

    Raises:
        StudyError: a combination of levels is no scenario; the message says which.
    """
    conditions = study.conditions()
    each = range(study.min_replications)
    runs = [one.work for one in conditions if not one.is_measured for _ in each]
    measured = [one.seconds for one in conditions if one.is_measured for _ in each]
    rule = study.replications
    return {
        "study": study.name,
        "scenario": study.base.origin,
        "design": study.design.name,
        "factors": [factor.as_data() for factor in study.factors],
        "responses": [
            {"name": one.name, "source": one.definition, "unit": one.unit}
            for one in study.responses
        ],
        "points": len(conditions),
        "replications": study.min_replications,
        "max_replications": rule if isinstance(rule, int) else rule.max,
        "runs": study.count,
        "random_numbers": study.random_numbers,
        "expected_cell_hops": sum(one.hops for one in runs),
        "measured_runs": len(measured),
        "measured_seconds": sum(measured),
        "estimated_cpu_seconds": START + sum(one.seconds for one in runs),
        "parameters": [dict(condition.parameters) for condition in conditions],
    }
