"""A reproduction as JSON: everything that text shows, units in the rows, shares as fractions."""

import math
from typing import Any

from cellway.catalogue.claims import Finding
from cellway.catalogue.reason_tests import ReasonTest
from cellway.catalogue.rows import Result
from cellway.catalogue.runner import Reproduction
from cellway.catalogue.scores import ModelScore, Scored
from cellway.catalogue.sensitivity import Variation
from cellway.catalogue.tally import Tally
from cellway.cli.study_results import as_data as study_data


def as_data(reproduction: Reproduction) -> dict[str, Any]:
    """A reproduction for JSON: units in the rows, shares as fractions."""
    return {
        "paper": reproduction.paper.id,
        "title": reproduction.paper.title,
        "quick": reproduction.quick,
        "complete": reproduction.complete,
        "failed": reproduction.failures,
        "deterministic": reproduction.deterministic,
        "all_the_same": reproduction.all_the_same,
        "counts": {verdict.value: count for verdict, count in reproduction.counts.items()},
        "tally": _tally_data(reproduction.tally),
        "rows": [_row_data(result) for result in reproduction.results],
        "studies": [{"code": entry.code, **study_data(results)} for entry, results in reproduction.studies],
        "claims": [_claim_data(finding) for finding in reproduction.findings],
        "scores": [_score_data(scored) for scored in reproduction.scores],
        "reasons": [_reason_data(test) for test in reproduction.reason_tests],
        "sensitivity": [_variation_data(variation) for variation in reproduction.variations],
    }


def _tally_data(tally: Tally) -> dict[str, Any]:
    counts = {
        "numbers": tally.numbers,
        "derived": tally.derived,
        "claims_with_number": tally.claims_with_number,
        "claims_without": tally.claims_without,
    }
    found: dict[str, Any] = {
        what: {verdict.value: count for verdict, count in one.items()} for what, one in counts.items()
    }
    return {**found, "simulations": tally.simulations}


def _score_data(scored: Scored) -> dict[str, Any]:
    return {
        "code": scored.score.code,
        "table": scored.score.table,
        "text": scored.score.text,
        "scale": scored.score.scale,
        "rows": list(scored.score.rows),
        "published": list(scored.published),
        "ours": _model_data(scored.ours),
        "nulls": [_model_data(null) for null in scored.nulls],
        "references": [_model_data(one) for one in scored.references],
        "tests": scored.tests,
    }


def _model_data(model: ModelScore) -> dict[str, Any]:
    """JSON has no infinity: `rms` is null for a number that has no logarithm."""
    rms = model.rms if math.isfinite(model.rms) else None
    return {"label": model.label, "numbers": list(model.numbers), "rms": rms, "rank": model.rank}


def _reason_data(test: ReasonTest) -> dict[str, Any]:
    reason = test.reason
    pairs = zip(test.also_chosen, test.also_without, strict=True)
    return {
        "of": reason.of,
        "text": reason.text,
        "without": reason.without,
        "passed": test.passed,
        "as_chosen": _one(test.chosen),
        "taken_out": _one(test.without),
        "also": [
            {"as_chosen": _one(chosen), "taken_out": _one(without), "broken": without in test.broken}
            for chosen, without in pairs
        ],
    }


def _one(one: Result | Finding) -> dict[str, Any]:
    return _claim_data(one) if isinstance(one, Finding) else _row_data(one)


def _variation_data(variation: Variation) -> dict[str, Any]:
    entry = variation.sensitivity
    cases = []
    for case in variation.cases:
        rows = [
            {**_row_data(result), "change": change}
            for result, change in zip(case.results, case.changes, strict=True)
            if result is not None
        ]
        data: dict[str, Any] = {"label": case.label, "published": case.published, "rows": rows}
        if entry.time:
            data["cpu_seconds_per_simulated_second"] = case.cpu_per_second
            data["cpu_ratio"] = case.cpu_ratio
        cases.append(data)
    return {"code": entry.code, "name": entry.name, "why": entry.why, "cases": cases}


def _claim_data(finding: Finding) -> dict[str, Any]:
    claim = finding.claim
    return {
        "code": claim.code,
        "table": claim.table,
        "claim": claim.text,
        "names": dict(claim.names),
        "value": claim.value.text,
        "unit": claim.unit,
        "values": list(finding.values),
        "mean": finding.ours.mean if finding.ours else None,
        "half_width": finding.ours.half_width if finding.ours else None,
        "n": len(finding.values),
        "deterministic": finding.deterministic,
        "method": finding.ours.method if finding.ours else None,
        "on_means": finding.on_means,
        "published": claim.published,
        "least": claim.expected.least,
        "most": claim.expected.most,
        "verdict": finding.verdict.value,
        "finished": finding.finished,
    }


def _row_data(result: Result) -> dict[str, Any]:
    row = result.number
    return {
        "code": row.code,
        "table": row.table,
        "condition": row.label,
        "unit": row.unit,
        "simulated": row.simulated,
        "measured": row.measured,
        "compared_with": row.compare,
        "values": list(result.values),
        "mean": result.ours.mean if result.ours else None,
        "half_width": result.ours.half_width if result.ours else None,
        "n": result.ours.n if result.ours else 0,
        "deterministic": result.deterministic,
        "method": result.ours.method if result.ours else None,
        "failed": list(result.failed),
        "difference": result.difference,
        "tolerance": row.tolerance.reach(row.published or 0.0) if row.tolerance else None,
        "verdict": result.verdict.value,
        "published_place": result.below_published,
        "finished": result.finished,
    }
