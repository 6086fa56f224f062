"""`cellway compare SCENARIO --measure`: theory, simulation and measurement side by side."""

from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path

from cellway.cli.alike import together
from cellway.cli.exits import FAILED, INTERRUPTED, require_writable
from cellway.cli.options import read_scenario
from cellway.cli.parameters import ExitError
from cellway.cli.prediction import refused
from cellway.cli.progress import counting_bar
from cellway.cli.studies import say_real_time
from cellway.cli.study_results import failures, measured, remark, shown, untrusted
from cellway.cli.text import number, percent, say, say_json, table, two_columns
from cellway.prediction import Theory, predict
from cellway.prediction.effects import Effect, effects
from cellway.prediction.ways import Beside, beside_ways, ways_study
from cellway.runs.measured import differences
from cellway.statistics import Estimate
from cellway.study import Results
from cellway.text.units import per

READ_AS = {"bit/s": ("Mbit/s", per("Mbit/s")), "s": ("ms", per("ms")), "1": ("%", 100.0)}
"""Units that people read, by base unit."""


def compare_ways(
    file: Path,
    sets: list[str],
    runs: int,
    *,
    paths: int,
    out: Path | None,
    again: bool,
    as_json: bool,
) -> None:
    """Prints theory, simulation and measurement of a scenario, and what may set them apart."""
    scenario = read_scenario(file, sets, expected="a scenario file, or the folders of two studies")
    differences(scenario)
    theory = predict(scenario)
    study = ways_study(scenario, theory, runs)
    if out is not None:
        require_writable("--out", out)
    say_real_time(study, out, paths, again=again)
    with counting_bar(file.stem) as progress:
        results = study.run(out, paths=paths, progress=progress, again=again)
    found = beside_ways(scenario, theory, results)
    apart = effects(scenario, results)
    if as_json:
        say_json(
            {
                "runs": runs,
                "numbers": [one.as_data() for one in found],
                "effects": [one._asdict() for one in apart],
                "violated": [
                    {"model": one.model, "of": one.of, **asdict(assumed)}
                    for one in theory.predictions
                    for assumed in one.violated
                ],
                **{key: results.as_data()[key] for key in ("complete", "failed_runs", "measured")},
            }
        )
    else:
        say(*_report(file, runs, results, found, theory, apart))
        say(*(["", f"runs are in {out}"] if out is not None else []))
    if not results.complete:
        raise ExitError(INTERRUPTED)
    if results.failed:
        raise ExitError(FAILED)


def _report(
    file: Path,
    runs: int,
    results: Results,
    found: Sequence[Beside],
    theory: Theory,
    apart: Sequence[Effect],
) -> list[str]:
    lines = [f"{file.stem}: {runs} simulated and {runs} measured runs of the same seeds"]
    lines += measured(results)
    header = ["", "", "theory", "simulation", "measurement", "measured − simulated", "", ""]
    rows = [row for one in found if not _is_nothing(one) for row in _rows(one)]
    lines += ["", *table(header, rows, align="<<>>>>><", keys=2), ""]
    lines.append("mean ± half-width of the 95 % interval (runs); differences by pairs of a seed")
    lines += _nothing(found) + untrusted(results) + failures(results)
    lines += [f"theory of {one.of}: {one.model}" for one in theory.predictions if one.numbers]
    lines += [f"no formula for {together(of)}: {why}" for why, of in refused(theory).items()]
    lines += [
        f"theory, {one.model}, violated: {assumed.text} ({assumed.why})"
        for one in theory.predictions
        for assumed in one.violated
    ]
    return [*lines, "", "not the same in simulation and measurement", *two_columns(apart)]


def _is_nothing(one: Beside) -> bool:
    """True for a number that is 0 in every run, and that no formula predicts."""
    found = (one.simulated, one.measured)
    return not one.theory and all(
        each is not None and each.mean == 0.0 and each.repeated for each in found
    )


def _nothing(found: Sequence[Beside]) -> list[str]:
    """Numbers that are 0 in every run, each with its places."""
    places: dict[str, list[str]] = {}
    for one in found:
        if _is_nothing(one):
            places.setdefault(one.number.name, []).append(one.number.of)
    return [f"0 in all runs: {name} ({together(of)})" for name, of in places.items()]


def _rows(one: Beside) -> list[list[str]]:
    """A row, and more below it where several formulas predict the number."""
    unit, scale = READ_AS.get(one.number.unit, (one.number.unit, 1.0))
    first, *others = one.theory or (("", None),)
    row = [
        one.number.of,
        f"{one.number.name}{f', {unit}' if unit else ''}",
        _value(first[1], scale),
        *(_shown(each, scale) for each in (one.simulated, one.measured, one.difference)),
        percent(one.relative, sign=True) if one.simulated and one.measured else "–",
        "" if one.difference is None else remark(one.difference),
    ]
    return [row, *(["", "", _value(value, scale), "", "", "", "", ""] for _, value in others)]


def _value(value: float | None, scale: float) -> str:
    return "" if value is None else number(value * scale)


def _shown(found: Estimate | None, scale: float) -> str:
    if found is None:
        return "–"
    half = None if found.half_width is None else found.half_width * scale
    return shown(replace(found, mean=found.mean * scale, half_width=half))
