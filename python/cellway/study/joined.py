"""Several studies as the results of one, in which the study is a factor, to be shown together."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from cellway.errors import StudyError
from cellway.study.design import Design
from cellway.study.factors import Factor, Level
from cellway.study.responses import Response
from cellway.study.results import Results

STUDY_FACTOR = "study"
"""Name of the factor whose levels are the names of the studies."""


def joined(named: Mapping[str, Results]) -> Results:
    """The results of studies with the same factors, which may have other levels.

    Responses are those that all of them have, with the same definition and unit.

    Args:
        named: the studies by the names that the factor `STUDY_FACTOR` gives them.

    Raises:
        StudyError: they have other factors, or no response in common, or one samples its factors.
    """
    every = list(named.values())
    first = every[0].study
    return Results(
        study=first.replaced(
            factors=[_named_factor([*named]), *_factors(every)],
            responses=_responses(every),
            design=Design(),
            replications=first.min_replications,
            compared=None,
            sets=(),
            part=None,
            name=" and ".join(name.replace("/", "-").lstrip(".-") for name in named),
        ),
        conditions=tuple(
            replace(condition, parameters={STUDY_FACTOR: name, **condition.parameters})
            for name, results in named.items()
            for condition in results.conditions
        ),
        runs=[runs for results in every for runs in results.runs],
        complete=all(results.complete for results in every),
    )


def _named_factor(names: Sequence[str]) -> Factor:
    return Factor(STUDY_FACTOR, tuple(Level(name, ()) for name in names))


def _factors(every: Sequence[Results]) -> list[Factor]:
    """The factors of all studies in the order of the first, with the levels of all."""
    first, *others = ({one.name: one for one in results.study.factors} for results in every)
    for other in others:
        if other.keys() != first.keys():
            raise StudyError(
                f"the studies vary {', '.join(first) or 'nothing'} and "
                f"{', '.join(other) or 'nothing'}; the same factors are expected"
            )
    if sampled := [one.study.name for one in every if one.study.sampled]:
        raise StudyError(f"{sampled[0]}: takes any values of its factors; levels are expected")
    return [
        replace(factor, levels=_levels([factor, *(other[name] for other in others)]))
        for name, factor in first.items()
    ]


def _levels(factors: Sequence[Factor]) -> tuple[Level, ...]:
    known: dict[object, Level] = {}
    for factor in factors:
        for level in factor.levels:
            known.setdefault(level.shown, Level(level.value, ()))
    return tuple(known.values())


def _responses(every: Sequence[Results]) -> list[Response]:
    first, *others = ({_identity(one): one for one in each.study.responses} for each in every)
    shared = [one for key, one in first.items() if all(key in other for other in others)]
    if not shared:
        raise StudyError(
            "the studies have no response in common; one with the same name, quantity and unit is "
            "expected"
        )
    return shared


def _identity(response: Response) -> tuple[str, str, str, str | None]:
    return response.name, response.definition, response.unit, response.transform
