"""Scores from results: ours beside null models that run without the mechanism in question."""

from collections.abc import Mapping, Sequence

from cellway.catalogue.published import Paper, Row, unique
from cellway.catalogue.rows import Case, Found, Result, Seeds, case_of, derived_result
from cellway.catalogue.scores import (
    CONSTANT,
    ModelScore,
    Null,
    Score,
    Scored,
    best_constant,
    model_score,
)


def null_cases(score: Score, paper: Paper) -> list[Case]:
    """Cases that the simulated null models have to run."""
    rows = _rows(score, paper)
    return [
        case_of(row, null.sets, Seeds.VARIED)
        for null in score.nulls
        if null.simulated
        for row in rows
    ]


def scored(
    scores: Sequence[Score], paper: Paper, results: Mapping[str, Result], found: Found
) -> tuple[Scored, ...]:
    """Scores whose rows have results.

    Args:
        scores: of `paper`.
        paper: the paper that has the codes.
        results: by code, of rows and derived numbers.
        found: the results of the `null_cases` that were run; a null model without them is left out.
    """
    made = []
    for score in scores:
        shown = [results[code] for code in score.rows if code in results]
        if len(shown) == len(score.rows) and all(one.ours is not None for one in shown):
            made.append(_scored(score, shown, paper, found))
    return tuple(made)


def _scored(score: Score, shown: Sequence[Result], paper: Paper, found: Found) -> Scored:
    numbers = [one.number.published for one in shown]
    published = tuple(number for number in numbers if number is not None)

    def of(label: str, numbers: Sequence[float]) -> ModelScore:
        return model_score(label, numbers, published, score.scale)

    constant = [best_constant(published, score.scale)] * len(published)
    nulls = [of(CONSTANT, constant)]
    references: list[ModelScore] = []
    for null in score.nulls:
        theirs = _simulated(score, null, paper, found) if null.simulated else null.numbers
        if theirs is not None:
            (references if null.reference else nulls).append(of(null.label, theirs))
    ours = of("ours", [one.ours.mean for one in shown if one.ours is not None])
    failed = _failed(score, paper, found)
    return Scored(score, published, ours, tuple(nulls), failed, tuple(references))


def _failed(score: Score, paper: Paper, found: Found) -> tuple[str, ...]:
    """Reasons why runs of null models could not finish."""
    lines = []
    for null in (null for null in score.nulls if null.simulated):
        for row in _rows(score, paper):
            result = found.get(case_of(row, null.sets, Seeds.VARIED))
            lines += [
                f"{null.label}: {row.code}, {said}" for said in (result.failed if result else ())
            ]
    return tuple(lines)


def _simulated(score: Score, null: Null, paper: Paper, found: Found) -> list[float] | None:
    """Means of a null model, row by row; `None` if it was not run or did not finish."""
    results: dict[str, Result] = {}
    for row in _rows(score, paper):
        result = found.get(case_of(row, null.sets, Seeds.VARIED))
        if result is None or not result.finished:
            return None
        results[row.code] = result
    for derived in paper.derived:
        if all(row.code in results for row in paper.rows_of(derived.code)):
            results[derived.code] = derived_result(derived, paper, results)
    means = [results[code].ours for code in score.rows]
    return [one.mean for one in means if one is not None]


def _rows(score: Score, paper: Paper) -> tuple[Row, ...]:
    return unique(row for code in score.rows for row in paper.rows_of(code))
