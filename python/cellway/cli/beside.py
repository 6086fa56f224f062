"""`--theory`: predictions of formulas beside the numbers of runs, studies and reproductions."""

from collections.abc import Iterable, Sequence

from cellway.cli.text import number, percent, titled
from cellway.prediction import Compared, Predicted, Theory, beside_run
from cellway.runs.runs import Run
from cellway.text.units import per

READ_AS = {"s": ("ms", per("ms")), "bit/s": ("Mbit/s", per("Mbit/s")), "bit": ("kbit", 1e-3)}
"""Units that people read, by base unit."""
NOTHING_ACCEPTED = (
    "no port where sources without TCP meet, and no flow with TCP; cellway.prediction lists the "
    "conditions of the formulas"
)
"""Reason why no formula applies where none was refused."""


def run_beside(theory: Theory, finished: Run) -> list[str]:
    """Predictions beside a run's numbers, and the numbers that have none: `run --theory`."""
    compared = beside_run(theory, finished)
    lines = beside_lines((one.prediction.of, one) for one in compared)
    said = [f"no formula for {one.of}: {one.reason}" for one in theory.refusals]
    if not compared and not said:
        said = [f"no formula applies: {NOTHING_ACCEPTED}"]
    return [*lines, *said]


def beside_lines(found: Iterable[tuple[str, Compared]]) -> list[str]:
    """A table of predicted numbers beside simulated ones, each with the name of its place.

    Below it stand the assumptions of the formulas that the scenarios violate.
    """
    listed = list(found)
    rows = [
        {
            "": place,
            "number": one.predicted.name,
            "simulation": shown(
                one.predicted, None if one.simulated is None else one.simulated.mean
            ),
            "theory": shown(one.predicted, one.predicted.value),
            "theory / simulation": "–" if one.ratio is None else f"{one.ratio:.3f}",
            "formula": one.prediction.model,
        }
        for place, one in listed
    ]
    return [*titled(rows, align="<<>>><"), *_violated(listed)]


def _violated(listed: Sequence[tuple[str, Compared]]) -> list[str]:
    """Each violated assumption once, with the places that violate it."""
    places: dict[str, dict[str, str]] = {}
    for place, one in listed:
        for assumed in one.prediction.violated:
            said = f"violated, {one.prediction.model}: {assumed.text}"
            places.setdefault(said, {})[place] = assumed.why
    lines = []
    for said, where in places.items():
        (first, why), *others = where.items()
        more = f" and {len(others)} more" if others else ""
        lines.append(f"{said} ({first}{more}{f': {why}' if why else ''})")
    return lines


def shown(one: Predicted, value: float | None) -> str:
    """`value`, of the same kind as `one`, in the unit that people read."""
    if value is None:
        return "–"
    if one.unit == "1":
        return percent(value)
    unit, scale = READ_AS.get(one.unit, (one.unit, 1.0))
    return f"{number(value * scale)} {unit}"
