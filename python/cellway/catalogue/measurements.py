"""Measurements of a paper's rows by the kernel's TCP: `measured.toml`, `measured.json`.

    how            the senders, and the hosts, for the pages
    runs           measured runs of each row, of the seeds from 1
    set            keys of all rows
    [sender.NAME]  keys of `tcp` of a sender
    [[measured]]   rows, tcp, set: lists of the codes of rows that one scenario measures, senders
                   by flow, with keys of their own, and other keys

A row's own keys come first, then those of all, then those of its entry. The same scenario is
simulated beside, so that the difference is that of the kernel to the simulated sender. Measured
numbers take hours and root: `measured.json` keeps them with kernel and date, and pages show what is
kept.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cellway.disk.files import write_text
from cellway.errors import CatalogueError
from cellway.runs.models import MEASURE, SIMULATE, Way
from cellway.scenario.scenario import Scenario
from cellway.statistics import Estimate, estimate
from cellway.statistics.paired import paired_difference
from cellway.study import Factor, Level, Response, Results, Study
from cellway.study.campaign import run_studies
from cellway.study.factors import Sets
from cellway.study.measuring import real_time
from cellway.study.plan import WAY
from cellway.study.study import Progress
from cellway.text.document import Table, load_optional

if TYPE_CHECKING:
    from cellway.catalogue.published import Paper, Row

MEASURED = "measured.toml"
KEPT = "measured.json"
"""Files in the folder of a paper: the experiments, and the numbers."""


@dataclass(frozen=True)
class Experiment:
    """Rows that one scenario measures.

    Attributes:
        rows: their codes.
        sets: keys on top of those of the first row.
    """

    rows: tuple[str, ...]
    sets: Sets


@dataclass(frozen=True)
class Measured:
    """Numbers of a row, in its unit, by seed.

    Attributes:
        scenario: SHA-256 of the scenario without its seed, its beginning.
        kernel: release of the kernel; `date`: of its first run, ISO 8601.
        simulated: by the simulator; `measured`: by the kernel's TCP over the same path.
        marked: number of measured runs that are not to be trusted.
    """

    scenario: str
    kernel: str
    date: str
    simulated: tuple[float, ...]
    measured: tuple[float, ...]
    marked: int = 0

    @property
    def mean(self) -> Estimate:
        """Mean of the measured runs with its interval."""
        return estimate(self.measured)

    @property
    def simulated_mean(self) -> Estimate:
        """Mean of the simulated runs with its interval."""
        return estimate(self.simulated)

    @property
    def difference(self) -> Estimate | None:
        """Measured less simulated, by pairs of a seed, as a fraction of the simulated mean.

        `None` if that is 0.
        """
        base = self.simulated_mean.mean
        if base == 0.0:
            return None
        found = paired_difference(self.measured, self.simulated)
        width = None if found.half_width is None else found.half_width / base
        return replace(found, mean=found.mean / base, half_width=width)


@dataclass(frozen=True)
class Measurements:
    """Experiments of a paper, and what was measured."""

    how: str = ""
    runs: int = 0
    experiments: tuple[Experiment, ...] = ()
    kept: Mapping[str, Measured] = field(default_factory=dict)

    def of(self, code: str) -> Measured | None:
        """Numbers of the row `code`; `None` if it was not measured."""
        experiment = self.experiment(code)
        return None if experiment is None else self.kept.get(experiment.rows[0])

    def experiment(self, code: str) -> Experiment | None:
        """The experiment that has the row `code`; `None` if none has."""
        return next((one for one in self.experiments if code in one.rows), None)


def load_measurements(folder: Path) -> tuple[Measurements, Table]:
    """Reads the files in `folder`, and the document for faults that need the paper.

    Raises:
        CatalogueError: they cannot be accepted.
        OSError: they cannot be read.
    """
    document = load_optional(folder / MEASURED, CatalogueError, "measurements")
    if not document.content:
        return document.only((Measurements(), document))
    shared = document.sets("set")
    senders = {name: dict(table.content) for name, table in document.named("sender")}
    experiments = []
    for table in document.tables("measured"):
        sets = (*shared, *_tcp(table, senders), *table.sets("set"))
        experiments += [Experiment(codes, sets) for codes in table.only(_codes(table))]
    how, runs = document.text("how"), document.whole("runs", least=2)
    found = Measurements(how, runs, tuple(experiments), _kept(folder / KEPT))
    return document.only((found, document))


def _codes(table: Table) -> list[tuple[str, ...]]:
    found = table.value("rows", (list,), "a list of lists of codes")
    for at, codes in enumerate(found):
        if not codes or not isinstance(codes, list) or not all(isinstance(c, str) for c in codes):
            table.fail_at(("rows", at), f"`rows` has {codes!r}; a list of codes is expected")
    return [tuple(codes) for codes in found]


def _tcp(table: Table, senders: Mapping[str, Mapping[str, Any]]) -> Sets:
    """Keys `FLOW.tcp` of an entry."""
    found = []
    for flow, keys in table.named("tcp"):
        sender = keys.one_of("sender", tuple(senders))
        own = {key: value for key, value in keys.content.items() if key != "sender"}
        found.append((f"{flow}.tcp", {**senders[sender], **own}))
    return tuple(found)


def check_measurements(document: Table, rows: Mapping[str, bool]) -> None:
    """Refuses experiments of rows that are not there, or twice, or need no run.

    Args:
        document: the root of `measured.toml`.
        rows: by code of a row, true if a run gives its number.

    Raises:
        CatalogueError: a fault; the message has its place and what would be accepted.
    """
    taken = set[str]()
    for table in document.tables("measured", optional=True):
        for at, code in [(at, code) for at, codes in enumerate(_codes(table)) for code in codes]:
            if not rows.get(code):
                table.fail_at(("rows", at), f"no row {code} that is run; one is expected")
            if code in taken:
                table.fail_at(("rows", at), f"{code} is measured already; once is accepted")
            taken.add(code)


def _kept(file: Path) -> dict[str, Measured]:
    if not file.is_file():
        return {}
    lists = ("simulated", "measured")
    try:
        found = json.loads(file.read_text("utf-8"))
        return {
            code: Measured(**{**one, **{name: tuple(one[name]) for name in lists}})
            for code, one in found.items()
        }
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise CatalogueError(f"{file}: no numbers of measurements ({error})") from error


def write_kept(file: Path, kept: Mapping[str, Measured]) -> None:
    """Writes numbers of experiments, by the first row of each, a line for each.

    Raises:
        OSError: the file cannot be written.
    """
    lines = [f"{json.dumps(code)}: {json.dumps(asdict(one))}" for code, one in kept.items()]
    write_text(file, "{\n" + ",\n".join(lines) + "\n}\n")


def study_of(
    row: "Row", sets: Sets, runs: int, ways: tuple[Way, ...] = (SIMULATE, MEASURE)
) -> Study:
    """Study of one experiment: simulated, and measured.

    Raises:
        ScenarioError, OSError: the row's scenario cannot be accepted or read.
    """
    levels = tuple(Level(way, ((WAY, way),)) for way in ways)
    return Study(
        Scenario.load(row.scenario),
        [Factor(WAY, levels)],
        replications=runs,
        responses=[Response(row.code, row.quantity, row.unit)],
        sets=(*row.sets, *sets),
        name=row.code,
    )


def scenario_of(study: Study) -> str:
    """Beginning of the digest of the experiment's scenario."""
    return study.conditions()[0].scenario_hash[:16]


def experiments_of(paper: "Paper", codes: Iterable[str]) -> list[Experiment]:
    """Experiments that have a row of `codes`.

    Raises:
        CatalogueError: there is none; the message lists the rows that are measured.
    """
    wanted, every = set(codes), paper.measurements.experiments
    found = [one for one in every if not wanted.isdisjoint(one.rows)]
    if not found:
        rows = ", ".join(code for one in every for code in one.rows) or "none"
        raise CatalogueError(f"{paper.id}: none of these rows is measured; those that are: {rows}")
    return found


def real_seconds(paper: "Paper", codes: Iterable[str], paths: int) -> float:
    """Real time that the measurement of `codes` takes, seconds, if no run of it is kept."""
    runs = paper.measurements.runs
    planned = {}
    for one in experiments_of(paper, codes):
        study = study_of(paper.row(one.rows[0]), one.sets, runs, (MEASURE,))
        (condition,) = study.conditions()
        for replication in range(1, runs + 1):
            run = study.planned(condition, replication)
            planned[run.key] = run
    return real_time(planned.values(), paths).seconds


def measure(
    paper: "Paper",
    codes: Iterable[str],
    store: Path | None = None,
    *,
    paths: int = 1,
    progress: Progress | None = None,
) -> dict[str, Measured]:
    """Measures the experiments of `codes`, each in real time; those of other codes stay.

    Args:
        paper: the paper.
        codes: of rows; rows without an experiment are left out.
        store: folder that keeps every run; `None` if none does.
        paths: measured runs side by side.
        progress: called now and then.

    Returns:
        Numbers by the first row of each experiment, of those whose runs have all finished.

    Raises:
        CatalogueError: no row of `codes` is measured.
        MeasurementError: this machine cannot measure.
        StoreError: the folder cannot be used, or has measured runs of another kernel.
    """
    experiments, runs = experiments_of(paper, codes), paper.measurements.runs
    studies = [study_of(paper.row(one.rows[0]), one.sets, runs) for one in experiments]
    found = run_studies(studies, store, None, progress, paths=paths)
    return {
        one.rows[0]: _numbers(results)
        for one, results in zip(experiments, found, strict=True)
        if all(len(results.values(one.rows[0], way)) == runs for way in range(2))
    }


def simulate(paper: "Paper", codes: Iterable[str]) -> dict[str, tuple[float, ...]]:
    """Simulates the experiments of `codes` anew; numbers by the first row of each.

    Raises:
        CatalogueError: a run lacks the row's number.
    """
    chosen, runs = experiments_of(paper, codes), paper.measurements.runs
    studies = [study_of(paper.row(one.rows[0]), one.sets, runs, (SIMULATE,)) for one in chosen]
    found = {}
    for one, results in zip(chosen, run_studies(studies), strict=True):
        values = tuple(results.values(one.rows[0], 0))
        if len(values) != runs:
            raise CatalogueError(f"{one.rows[0]}: {len(values)} of {runs} runs have a number")
        found[one.rows[0]] = values
    return found


def _numbers(results: Results) -> Measured:
    (response,) = results.study.responses
    simulated, measured = (tuple(results.values(response.name, way)) for way in range(2))
    return Measured(
        scenario_of(results.study),
        results.kernels[0],
        results.dates[0][:10],
        simulated,
        measured,
        len(results.marked),
    )
