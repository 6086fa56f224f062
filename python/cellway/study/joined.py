"""Several studies as the results of one, in which the study is a factor, to be shown together."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from cellway.errors import StudyError
from cellway.study.design import Design
from cellway.study.factors import Factor, Level
from cellway.study.matching import (
    in_words_of,
    other_definition,
    require_equal_factors,
    require_shared_levels,
    shared_responses,
)
from cellway.study.record import Record
from cellway.study.responses import HALF_WIDTH, WORTH, Response
from cellway.study.results import Results

STUDY_FACTOR = "study"
"""Name of the factor whose levels are the names of the studies."""


def joined(named: Mapping[str, Results]) -> Results:
    """The results of studies with the same factors, which may have other levels.

    Responses are those that all of them have with the same name and unit, by the definition of the
    first; explained ones have one definition. Equal levels are written as in the first study.

    Args:
        named: the studies by the names that the factor `STUDY_FACTOR` gives them.

    Raises:
        StudyError: they have other factors, no level or no response in common, or one samples its
            factors.
    """
    begun, *rest = named.values()
    for other in rest:
        require_equal_factors(begun, other)
    every = [begun, *(in_words_of(begun, other) for other in rest)]
    factors = _factors(every)
    for other in rest:
        require_shared_levels(begun, other)
    first, shared = begun.study, _responses(begun, rest)
    return Results(
        study=first.replaced(
            factors=[*factors, _named_factor([*named])],
            responses=shared,
            design=Design(),
            # Another tool's table may have fewer runs, and then lacks none.
            replications=min(one.study.min_replications for one in every),
            compared=None,
            sets=(),
            part=None,
            name=" and ".join(name.replace("/", "-").lstrip(".-") for name in named),
        ),
        conditions=tuple(
            replace(condition, parameters={STUDY_FACTOR: name, **condition.parameters})
            for name, results in zip(named, every, strict=True)
            for condition in results.conditions
        ),
        runs=[runs for results in every for runs in _defined(results, begun, shared)],
        complete=all(results.complete for results in every),
        expected={name: one.study.min_replications for name, one in zip(named, every, strict=True)},
    )


def _named_factor(names: Sequence[str]) -> Factor:
    return Factor(STUDY_FACTOR, tuple(Level(name, ()) for name in names))


def _factors(every: Sequence[Results]) -> list[Factor]:
    """The factors of all studies in the order of the first, with the levels of all."""
    first, *others = ({one.name: one for one in results.study.factors} for results in every)
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


def _responses(first: Results, others: Sequence[Results]) -> list[Response]:
    """Responses of the first study that all others have."""
    shared = [*first.study.responses]
    for other in others:
        there = shared_responses(first, other)
        shared = [
            one
            for one in shared
            if one in there and not (one.explained and other_definition(one, first, other))
        ]
    if not shared:
        raise StudyError(
            "the studies have no response in common; one with the same name and unit is expected"
        )
    return shared


def _defined(
    results: Results, first: Results, shared: Sequence[Response]
) -> Sequence[Sequence[Record]]:
    """The runs of a study, whose numbers have the definitions of the first."""
    names = {
        f"{results.response(one.name).definition}{end}": f"{one.definition}{end}"
        for one in shared
        if other_definition(one, first, results)
        for end in ("", HALF_WIDTH, WORTH)
    }
    if not names:
        return results.runs
    return [[_renamed(record, names) for record in runs] for runs in results.runs]


def _renamed(record: Record, names: Mapping[str, str]) -> Record:
    numbers = {names[name]: value for name, value in record.metrics.items() if name in names}
    return replace(record, metrics={**record.metrics, **numbers})
