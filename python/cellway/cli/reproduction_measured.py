"""`cellway reproduce --measure`: rows of papers by this machine's TCP."""

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from cellway.catalogue import Paper
from cellway.catalogue.measured_text import made_by, measured_rows
from cellway.catalogue.measurements import Measured, experiments_of, measure, real_seconds
from cellway.cli.exits import INTERRUPTED, require_writable
from cellway.cli.parameters import ExitError
from cellway.cli.progress import counting_bar
from cellway.cli.study_design import duration
from cellway.cli.text import say, say_json, titled


def measured(
    papers: Sequence[Paper], table: str | None, store: Path | None, *, paths: int, as_json: bool
) -> None:
    """Measures the rows of `papers` that have senders for it, and prints them beside others.

    Raises:
        CatalogueError: no row of `table` is measured.
        MeasurementError: this machine cannot measure.
        ExitError: it was interrupted.
    """
    chosen = [
        (paper, [row.code for row in paper.select(table).rows])
        for paper in papers
        if table is not None or paper.measurements.experiments
    ]
    if store is not None:
        require_writable("--store", store)
    numbers: dict[str, dict[str, Any]] = {}
    for paper, codes in chosen:
        if not as_json:
            time = duration(real_seconds(paper, codes, paths))
            say(f"{paper.id}: at most {time} in real time, {paths} at a time", "")
        with counting_bar(paper.id) as progress:
            found = measure(paper, codes, store, paths=paths, progress=progress)
        numbers[paper.id] = {code: asdict(one) for code, one in found.items()}
        if not as_json:
            say(*_lines(paper, codes, found))
        if len(found) < len(experiments_of(paper, codes)):
            raise ExitError(INTERRUPTED)
    if as_json:
        say_json({"measured": numbers})


def _lines(paper: Paper, codes: Sequence[str], found: dict[str, Measured]) -> list[str]:
    rows: dict[str, Measured] = {}
    for code in codes:
        experiment = paper.measurements.experiment(code)
        if experiment is not None and experiment.rows[0] in found:
            rows[code] = found[experiment.rows[0]]
    if not rows:
        return ["nothing was measured"]
    return [
        f"{paper.id}: measured {made_by(rows.values())}",
        "",
        *titled(measured_rows(paper, rows), align="<<<"),
    ]
