"""A study before anything runs: its design, how many runs, and about how long."""

from cellway.cli.text import notes, number, table
from cellway.scenario.scenario import toml_value
from cellway.study import Factor, Study, local_workers

MAX_SHOWN = 20
"""Number of points that are listed."""


def explanation(given: Study) -> list[str]:
    """A study before anything runs, as text."""
    facts = given.as_data()
    seconds = facts["estimated_cpu_seconds"] / local_workers()
    most = facts["max_replications"]
    each = (
        f"{facts['replications']} each"
        if most == facts["replications"]
        else f"{facts['replications']} to {most} each"
    )
    seeds = (
        "the same seeds at every point"
        if given.random_numbers == "common"
        else "every run has a seed of its own"
    )
    design = f"{facts['points']} points of a {given.design.name} design, {each}"
    runs, fewest = str(facts["runs"]), ""
    if most != facts["replications"]:
        runs, fewest = f"{runs} to {most * facts['points']}", " for the fewest"
    at_a_time = f"{local_workers()} runs at a time"
    about = f"about {duration(seconds)}{fewest}, {at_a_time}; less if cells are lost"
    lines = [
        f"{given.name}: {runs} runs of {given.base.origin}: {design}; {seeds}",
        *([] if given.imported else [about]),
        *_measured(facts["measured_runs"], facts["measured_seconds"]),
        "",
        *table(
            ["factor", "levels", ""],
            [_factor(factor, sampled=given.sampled) for factor in given.factors],
            align="<><",
        ),
        "",
        *table(
            ["response", "from", "unit"],
            [[r.name, r.definition, r.unit] for r in given.responses],
            align="<<<",
        ),
        *_sets(given),
    ]
    rows = [
        [str(at), *map(str, point)] for at, point in enumerate(given.points()[:MAX_SHOWN], start=1)
    ]
    lines += ["", *table(["point", *(factor.name for factor in given.factors)], rows, align="")]
    if facts["points"] > MAX_SHOWN:
        lines.append(f"… and {facts['points'] - MAX_SHOWN} more")
    return [*lines, *notes(given.overridden())]


def _sets(given: Study) -> list[str]:
    """Keys of the scenario that are set for every run."""
    rows = [[key, toml_value(value)] for key, value in given.sets]
    return ["", *table(["set for every run", "to"], rows, align="<<")] if rows else []


def _measured(runs: int, seconds: float) -> list[str]:
    if not runs:
        return []
    alone = f"{duration(seconds)} one after the other"
    return [f"of these {runs} measured in real time: {alone}, less side by side (--paths)"]


def _factor(factor: Factor, *, sampled: bool) -> list[str]:
    if sampled and factor.span is not None:
        return [factor.name, "–", f"{factor.span.at(0.0)} to {factor.span.at(1.0)}"]
    shown = ", ".join(map(str, factor.levels[:8]))
    more = ", …" if len(factor.levels) > 8 else ""  # noqa: PLR2004
    return [factor.name, str(len(factor.levels)), f"{shown}{more}"]


def duration(seconds: float) -> str:
    """A time in seconds, minutes or hours, in two digits."""
    if seconds < 120.0:  # noqa: PLR2004
        return f"{number(max(seconds, 0.1), 2)} s"
    if seconds < 7200.0:  # noqa: PLR2004
        return f"{number(seconds / 60.0, 2)} min"
    return f"{number(seconds / 3600.0, 2)} h"
