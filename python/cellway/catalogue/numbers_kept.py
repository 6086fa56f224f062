"""Numbers of a paper's pages, kept with its entry, and a reproduction made from them.

So pages and figures are made again without a run. Each number keeps its mean, half-width, count and
verdict; single values are kept only where a figure of `figures.toml` shows them. Tests of reasons
and tables of sensitivities and studies are kept as the texts that pages show.
"""

import math
from collections.abc import Mapping
from typing import Any

from cellway.catalogue.claims import Finding
from cellway.catalogue.explained import Told, told
from cellway.catalogue.figures import Curves, Figure, Groups, Places
from cellway.catalogue.markup import NONE, estimated, ours_of, place_of
from cellway.catalogue.published import Paper
from cellway.catalogue.rows import Result, stated_of
from cellway.catalogue.runner import Reproduction
from cellway.catalogue.scores import ModelScore, Scored
from cellway.catalogue.sensitivity import grid
from cellway.catalogue.verdict import Verdict
from cellway.statistics import Estimate
from cellway.study import Results

Kept = Mapping[str, Any]
"""Kept numbers: under ``"numbers"`` and ``"claims"``, by code, mean, half-width, count, verdict,
method and values, the last ones only if they differ from `_USUAL`, and nothing if no run finished;
``"quick"`` is true if everything had one run. By code, too, ``"above"``, the share of replications
below the published number, ``"reasons"``, ``"scores"`` and lines of ``"studies"``; by
`sensitivity_keys` lines of ``"sensitivities"``, behind the number of their columns of words."""
DIGITS, HALF_WIDTH_DIGITS = 12, 8
"""Digits of kept numbers, far more than a figure shows."""
_USUAL: tuple[Any, ...] = (Verdict.NOT_JUDGED.value, "Student t", [])


def kept_of(reproduction: Reproduction) -> dict[str, Any]:
    """Numbers to keep of a paper that has been run whole, for JSON."""
    paper = reproduction.paper
    shown = {code for one in paper.figures if isinstance(one, Places) for code in one.rows}
    found: list[Result | Finding] = [*reproduction.results, *reproduction.findings]
    reasons = {one.code: told(one, reproduction) for one in found}
    keys = zip(sensitivity_keys(paper), paper.sensitivities, strict=True)
    grids = {
        key: grid(one, ours_of)
        for key, entry in keys
        for one in reproduction.variations
        if one.sensitivity is entry
    }
    return {
        "quick": reproduction.quick,
        "numbers": {
            one.code: _line(one.ours, one.verdict, one.values if one.code in shown else ())
            for one in reproduction.results
        },
        "claims": {
            one.code: _line(one.ours, one.verdict, one.values[:1]) for one in reproduction.findings
        },
        "above": {
            one.code: place for one in reproduction.results if (place := place_of(one)) != NONE
        },
        "reasons": {code: [one.passed, one.said] for code, one in reasons.items() if one},
        "scores": {one.score.code: _models(one) for one in reproduction.scores},
        "sensitivities": {key: [one.words, one.header, *one.lines] for key, one in grids.items()},
        "studies": {entry.code: _study(results) for entry, results in reproduction.studies},
    }


def sensitivity_keys(paper: Paper) -> list[str]:
    """Names of the sensitivities of a paper; the second of a name has its number behind it."""
    names = [one.name for one in paper.sensitivities]
    before = [names[:at].count(name) for at, name in enumerate(names)]
    return [f"{name} {n + 1}" if n else name for name, n in zip(names, before, strict=True)]


def _study(results: Results) -> list[list[str]]:
    """Lines of a table of a study, the header first."""
    given = results.study
    header = [factor.name for factor in given.factors]
    header += [
        response.name if response.unit == "1" else f"{response.name}, {response.unit}"
        for response in given.responses
    ]
    lines = [
        [
            *map(str, condition.parameters.values()),
            *(estimated(results.estimate(one.name, point)) for one in given.responses),
        ]
        for point, condition in enumerate(results.conditions)
    ]
    return [header, *lines]


def _line(ours: Estimate | None, verdict: Verdict, values: tuple[float, ...]) -> list[Any]:
    if ours is None:
        return []
    half_width = None if ours.half_width is None else _rounded(ours.half_width, HALF_WIDTH_DIGITS)
    line = [_rounded(ours.mean), half_width, ours.n]
    further = [verdict.value, ours.method, [*map(_rounded, values)]]
    while further and further[-1] == _USUAL[len(further) - 1]:
        further.pop()
    return line + further


def _rounded(number: float, digits: int = DIGITS) -> float:
    return float(f"{number:.{digits}g}")


def _models(scored: Scored) -> list[Any]:
    """Our score, those of null models, and those for orientation."""
    parts = ([scored.ours], scored.nulls, scored.references)
    return [[[*_model(model).values()] for model in part] for part in parts]


def _model(model: ModelScore) -> dict[str, Any]:
    rms = _rounded(model.rms) if math.isfinite(model.rms) else None
    return model.as_data() | {"numbers": [*map(_rounded, model.numbers)], "rms": rms}


def from_kept(paper: Paper, kept: Kept) -> Reproduction:
    """Reproduction of the kept numbers and scores of `paper`, for its pages.

    Raises:
        KeyError, TypeError, ValueError: `kept_of` gives no such data.
    """
    results, findings = [], []
    for number in paper.numbers:
        if number.code in kept["numbers"]:
            ours, verdict, values = _read(kept["numbers"][number.code])
            published, mean = number.published, None if ours is None else ours.mean
            difference = (mean - published) / published if published and mean is not None else None
            failed = () if ours else ("no run has finished",)
            results.append(
                Result(
                    number,
                    values,
                    ours,
                    difference,
                    verdict,
                    ours is not None,
                    failed,
                    stated=max(map(stated_of, paper.rows_of(number.code)), default=1),
                )
            )
    for claim in paper.claims:
        if claim.code in kept["claims"]:
            ours, verdict, values = _read(kept["claims"][claim.code])
            findings.append(Finding(claim, values, ours, verdict))
    return Reproduction(
        paper,
        tuple(results),
        bool(kept["quick"]),
        complete=True,
        findings=tuple(findings),
        scores=_scores(paper, kept),
    )


def _read(line: list[Any]) -> tuple[Estimate | None, Verdict, tuple[float, ...]]:
    if not line:
        return None, Verdict.NOT_JUDGED, ()
    mean, half_width, n, verdict, method, values = (*line, *_USUAL[len(line) - 3 :])
    return Estimate(mean, half_width, n, method), Verdict(verdict), tuple(values)


def _scores(paper: Paper, kept: Kept) -> tuple[Scored, ...]:
    found = []
    for score in paper.scores:
        if score.code in kept["scores"]:
            (ours,), nulls, references = (
                [_score(*model) for model in part] for part in kept["scores"][score.code]
            )
            published = tuple(paper.number(code).published or 0.0 for code in score.rows)
            found.append(Scored(score, published, ours, tuple(nulls), references=tuple(references)))
    return tuple(found)


def _score(label: str, numbers: list[float], rms: float | None, rank: float | None) -> ModelScore:
    return ModelScore(label, tuple(numbers), math.inf if rms is None else rms, rank)


def reasons_kept(paper: Paper, kept: Kept) -> dict[str, Told]:
    """Reasons on record by code, with the kept results of their tests."""
    found = {code: (paper.reason(code), *line) for code, line in kept["reasons"].items()}
    return {
        code: Told(reason, bool(passed), said)
        for code, (reason, passed, said) in found.items()
        if reason is not None
    }


def needs_runs(figure: Figure, reproduction: Reproduction) -> bool:
    """True if a figure of `figures.toml` shows more than the kept numbers."""
    if isinstance(figure, Groups | Curves):
        return False
    if isinstance(figure, Places):
        found = [reproduction.result(code) for code in figure.rows]
        return not all(one is not None and one.values for one in found)
    return True
