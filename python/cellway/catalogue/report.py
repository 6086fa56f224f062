"""A reproduction as text for people and as data for programs."""

from typing import Any

from cellway.catalogue.runner import Reproduction, Result, Variation
from cellway.statistics import Estimate
from cellway.text import table


def ours_text(ours: Estimate | None) -> str:
    """``1.025 ± 0.009 (20)``: the mean with two digits of its half-width, and the number of runs."""
    if ours is None:
        return "–"
    if ours.half_width is None:
        return f"{ours.mean:.4g} (1)"
    digits = 2 if ours.half_width == 0.0 else min(6, max(0, -_magnitude(ours.half_width) + 1))
    return f"{ours.mean:.{digits}f} ± {ours.half_width:.{digits}f} ({ours.n})"


def number_text(value: float | None) -> str:
    """A published number as it was printed, or a dash."""
    return "–" if value is None else f"{value:g}"


def difference_text(result: Result) -> str:
    """Our difference from the published number in percent, with its sign."""
    return "–" if result.difference is None else f"{100 * result.difference:+.1f} %"


def tolerance_text(result: Result) -> str:
    """What was accepted beforehand, in percent."""
    return "–" if result.row.tolerance is None else f"± {100 * result.row.tolerance.relative:g} %"


def counts_text(reproduction: Reproduction) -> str:
    """``7 agrees · 0 differs, because · 0 differs``: always all three."""
    return " · ".join(f"{count} {verdict}" for verdict, count in reproduction.counts.items())


def reproduction_text(reproduction: Reproduction) -> str:
    """Everything about one paper, for a terminal."""
    paper = reproduction.paper
    parts = [f"{paper.title} ({', '.join(paper.authors)}, {paper.year})"]
    parts.append(table(_HEADS, [_cells(result) for result in reproduction.results]))
    parts += [f"{r.row.code}: {r.row.because.text}" for r in reproduction.results if r.row.because is not None]
    parts += [_variation_text(variation) for variation in reproduction.variations]
    if reproduction.quick:
        parts.append("quick: one replication per row; the verdicts of the catalogue need all of them")
    if not reproduction.complete:
        parts.append("interrupted: rows without all their replications are not judged")
    parts.append(counts_text(reproduction))
    return "\n\n".join(parts)


_HEADS = ("row", "condition", "simulated", "measured", "unit", "ours, mean ± 95 % (n)", "difference", "tolerance", "verdict")


def _cells(result: Result) -> tuple[str, ...]:
    row = result.row
    return (
        row.code,
        row.label,
        number_text(row.simulated),
        number_text(row.measured),
        row.unit,
        ours_text(result.ours),
        difference_text(result),
        tolerance_text(result),
        str(result.verdict),
    )


def _variation_text(variation: Variation) -> str:
    entry = variation.sensitivity
    codes = [result.row.code for result in variation.cases[0][1]]
    rows = [(label, *(ours_text(result.ours) for result in results)) for label, results in variation.cases]
    return f"sensitivity to {entry.name} ({entry.why})\n" + table(("", *codes), rows)


def reproduction_json(reproduction: Reproduction) -> dict[str, Any]:
    """Everything about one paper, as JSON's types; numbers in each row's own unit."""
    return {
        "paper": reproduction.paper.id,
        "quick": reproduction.quick,
        "complete": reproduction.complete,
        "counts": {str(verdict): count for verdict, count in reproduction.counts.items()},
        "rows": [_result_json(result) for result in reproduction.results],
        "sensitivity": [
            {
                "name": variation.sensitivity.name,
                "cases": [
                    {"label": label, "rows": [_result_json(result) for result in results]}
                    for label, results in variation.cases
                ],
            }
            for variation in reproduction.variations
        ],
    }


def _result_json(result: Result) -> dict[str, Any]:
    row = result.row
    ours = result.ours
    return {
        "code": row.code,
        "label": row.label,
        "unit": row.unit,
        "simulated": row.simulated,
        "measured": row.measured,
        "compared_with": row.compare,
        "mean": None if ours is None else ours.mean,
        "half_width_95": None if ours is None else ours.half_width,
        "n": 0 if ours is None else ours.n,
        "values": list(result.values),
        "difference": result.difference,
        "tolerance": None if row.tolerance is None else row.tolerance.relative,
        "verdict": str(result.verdict),
        "because": None if row.because is None else row.because.text,
    }


def _magnitude(value: float) -> int:
    """The power of ten of the leading digit."""
    return int(f"{value:e}".rpartition("e")[2])
