"""A study: one scenario, its factors, the number of replications, and the responses."""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import KW_ONLY, dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from cellway.disk.files import require_name
from cellway.errors import Fault, ScenarioError, StudyError
from cellway.runs.models import MEASURE
from cellway.runs.quantity import Quantity
from cellway.scenario.scenario import Scenario
from cellway.statistics import CONFIDENCE, DifferenceRule, Precision
from cellway.study import study_data
from cellway.study.design import MAX_RUNS, Design, LatinHypercube, Point, TwoLevel
from cellway.study.factors import Factor, Sets
from cellway.study.part import Part
from cellway.study.plan import SEED, Condition, PlannedRun, way_of_sets
from cellway.study.responses import Response
from cellway.study.tables import MEASURED_COLUMNS, RESERVED
from cellway.text.converted import Converted

if TYPE_CHECKING:
    from cellway.study.results import Results

RandomNumbers = Literal["common", "independent"]

OWN_SEED = "it is the study's to give; `seed` and `replications` are expected instead"

TOTAL = Response("throughput", Quantity("flows.*.throughput_bits_per_second", "sum"), "Mbit/s")
"""Default response: the throughput of all flows together."""

Progress = Callable[[int, int, str], None]
"""Function that is called with the number of runs done, the number of all, and the precision."""


def _scenario(given: Scenario | str | Path) -> Scenario:
    return given if isinstance(given, Scenario) else Scenario.load(given)


def _factors(given: Sequence[Factor] | Mapping[str, Sequence[Any]]) -> tuple[Factor, ...]:
    if isinstance(given, Mapping):
        return tuple(Factor.of(key, [key], values) for key, values in given.items())
    return tuple(given)


def _responses(given: Sequence[Response] | Mapping[str, str]) -> tuple[Response, ...]:
    if not given:
        raise StudyError("no responses; a study looks at something")
    if not isinstance(given, Mapping):
        return tuple(given)
    return tuple(
        Response(name, Quantity(path, "sum" if "*" in path else None))
        for name, path in given.items()
    )


def _recorded(given: Sequence[str] | None) -> tuple[str, ...] | None:
    return None if given is None else tuple(given)


@dataclass(frozen=True)
class Study:
    """Runs of one scenario over a design of factors, each several times; nothing runs before `run`.

    >>> study = Study(
    ...     "scenarios/rate-mismatch.toml",
    ...     factors={"flow.bulk.tcp.window": ["64 KiB", "128 KiB"]},
    ...     replications=2,
    ... )
    >>> print(study.run())
    flow.bulk.tcp.window = 64 KiB: throughput 1.031 (n=2, deterministic) Mbit/s
    flow.bulk.tcp.window = 128 KiB: throughput 1.086 (n=2, deterministic) Mbit/s

    Attributes:
        base: the scenario; it may be given as its file.
        factors: the factors; none for replications of one scenario. They may be given as scenario
            keys with their levels.
        design: selects combinations; by default all of them.
        replications: runs per combination, or the precision that its means must reach, or the
            rule by which differences between levels of `compared` are decided.
        responses: the responses. They may be given as names with paths in the summary, in the units
            of the summary.
        seed: of the first replication.
        random_numbers: ``"common"``: replication r has the same seed in every combination, so that
            combinations are compared under the same random numbers; ``"independent"``: every run
            has a seed of its own.
        recorded: series to keep with every run: names, or `None` for all that the scenario
            observes.
        compared: a factor whose levels are compared with its first one, by pairs; or `None`.
        sets: keys of the scenario to change for every run, with their values.
        name: for messages and titles.
        part: the part whose runs are made here; `None` for all. Parts of the same study are joined
            by `cellway.study.merge`.
        imported: name of the file of another tool's results (`cellway.study.foreign`); empty for a
            study that can be run.
        question: the first paragraph of its file, if that is a comment: what the study is for.

    Raises:
        StudyError: something cannot be used; the message says what would be accepted.
        ScenarioError, OSError: the scenario cannot be accepted or read.
    """

    base: Converted[Scenario, Scenario | str | Path] = Converted(_scenario)
    factors: Converted[tuple[Factor, ...], Sequence[Factor] | Mapping[str, Sequence[Any]]] = (
        Converted(_factors, ())
    )
    _: KW_ONLY
    design: Design = field(default_factory=Design)
    replications: int | Precision | DifferenceRule = 1
    responses: Converted[tuple[Response, ...], Sequence[Response] | Mapping[str, str]] = Converted(
        _responses, (TOTAL,)
    )
    seed: int = 1
    random_numbers: RandomNumbers = "common"
    recorded: Converted[tuple[str, ...] | None, Sequence[str] | None] = Converted(_recorded, ())
    compared: str | None = None
    sets: Sets = ()
    part: Part | None = None
    name: str = "study"
    imported: str = ""
    question: str = ""

    def __post_init__(self) -> None:
        """Refuses arguments that cannot be used."""
        try:
            require_name(self.name)
        except ValueError as error:
            raise StudyError(f"the study's name is {self.name!r}, which {error}") from error
        names = [factor.name for factor in self.factors]
        for factor in self.factors:
            if not factor.levels:
                raise StudyError(
                    f"factor `{factor.name}` has no levels; a design of no points is empty"
                )
        self._check_sets()
        self._check_names()
        if self.compared is not None and self.compared not in names:
            raise StudyError(
                f"`{self.compared}` is to be compared, but is no factor; there are "
                f"{', '.join(names)}"
            )
        if isinstance(self.replications, DifferenceRule):
            self._check_differences()
        try:
            self.design.check(self.factors)
        except ValueError as error:
            raise StudyError(f"design {self.design.name}: {error}") from error
        if self.count > MAX_RUNS and not self.imported:
            raise StudyError(_too_many(self))

    def _check_differences(self) -> None:
        if self.compared is None:
            raise StudyError(
                "replications: differences are to be decided, but no factor is compared; `compare` "
                "is expected"
            )

    def _check_names(self) -> None:
        """Refuses names that two columns of the table of runs would share."""
        named = [("factor", one.name) for one in self.factors]
        named += [("response", one.name) for one in self.responses]
        kinds: dict[str, str] = {}
        for kind, name in named:
            if name in RESERVED or (self.measures and name in MEASURED_COLUMNS):
                raise StudyError(
                    f"{kind} `{name}` is a column of every table of runs; another name is expected"
                )
            if kinds.get(name) == kind:
                raise StudyError(f"two {kind}s are called `{name}`; one name for each is expected")
            if name in kinds:
                raise StudyError(
                    f"{kind} `{name}` has the name of a factor, and both are columns of the table "
                    f"of runs; another name is expected, such as `{name}_seen`"
                )
            kinds[name] = kind

    def _check_sets(self) -> None:
        sets = [
            *self.sets,
            *(entry for f in self.factors for level in f.levels for entry in level.sets),
        ]
        if any(key == SEED for key, _ in sets):
            raise StudyError(f"{SEED}: {OWN_SEED}")
        for entry in sets:
            try:
                way_of_sets([entry])
            except ValueError as error:
                raise StudyError(str(error)) from error

    def overridden(self) -> list[str]:
        """Notes on keys of `sets` that a factor sets again, so that its levels count."""
        return [
            f"`{key}` of [set] has no effect where factor `{factor.name}` sets it"
            for factor in self.factors
            for key in dict(self.sets)
            if any(_covers(other, key) for level in factor.levels for other, _ in level.sets)
        ]

    @property
    def min_replications(self) -> int:
        """Least number of runs per point."""
        return self.replications if isinstance(self.replications, int) else self.replications.min

    @property
    def confidence_of_comparison(self) -> float:
        """Confidence of the differences of one response in a setting, together.

        Responses and the looks of a rule share the risk.
        """
        rule = self.replications
        simulated = sum(not response.explained for response in self.responses)
        return rule.each(max(simulated, 1)) if isinstance(rule, DifferenceRule) else CONFIDENCE

    @property
    def count(self) -> int:
        """Least number of runs of the study."""
        return self.design.count(self.factors) * self.min_replications

    def points(self) -> list[Point]:
        """The combinations of levels, in the order of tables."""
        return self.design.points(self.factors, self.seed)

    def conditions(self) -> list[Condition]:
        """The scenario of every point.

        Raises:
            StudyError: a combination of levels is no scenario; the message says which.
        """
        return [self.condition(point) for point in self.points()]

    def require_scenarios(self) -> None:
        """Refuses a study with points that are no scenarios; every one of them is a fault.

        Raises:
            StudyError: it has such points.
        """
        faults: list[Fault] = []
        for point in self.points():
            try:
                self.condition(point)
            except StudyError as error:
                faults += error.faults
        if faults:
            raise StudyError.of(faults)

    def first_condition(self) -> Condition:
        """The scenario of the first point.

        Raises:
            StudyError: its levels make no scenario.
        """
        return self.condition(self.points()[0])

    def condition(self, point: Point) -> Condition:
        """The scenario of a point.

        Raises:
            StudyError: its levels make no scenario.
        """
        parameters = {
            factor.name: level.shown for factor, level in zip(self.factors, point, strict=True)
        }
        if self.imported:
            return Condition.imported(self.base, parameters)
        sets = [*self.sets, *(entry for level in point for entry in level.sets)]
        try:
            return Condition.of(self.base, sets, parameters)
        except ScenarioError as error:
            where = ", ".join(
                f"{factor.name} = {level}"
                for factor, level in zip(self.factors, point, strict=True)
            )
            raise StudyError(
                f"{self.name}: the point with {where or 'no factors'} is no scenario: "
                f"{error.in_one_line}"
            ) from error

    def planned(self, condition: Condition, replication: int) -> PlannedRun:
        """Plans replication `replication`, from 1, of a condition."""
        return PlannedRun.of(
            condition, replication, self.seed_of(condition, replication), self.recorded
        )

    def seed_of(self, condition: Condition, replication: int) -> int:
        """Seed of a run, from its replication or its condition; never from a worker or the time."""
        if self.random_numbers == "common":
            return self.seed + replication - 1
        named = f"{self.seed}\n{condition.scenario_hash}\n{replication}"
        return int.from_bytes(hashlib.sha256(named.encode()).digest()[:8], "big") >> 1

    @property
    def measures(self) -> bool:
        """True if runs may be measured: the study or one of its levels says `way = "measure"`."""
        levels = [level.sets for factor in self.factors for level in factor.levels]
        return any(way_of_sets(sets) == MEASURE for sets in (self.sets, *levels))

    @property
    def two_level(self) -> bool:
        """True if the design gives effects of two-level factors."""
        return isinstance(self.design, TwoLevel) and bool(self.factors)

    @property
    def sampled(self) -> bool:
        """True if the design takes any value of a range."""
        return isinstance(self.design, LatinHypercube)

    def run(  # noqa: PLR0913
        self,
        out: str | Path | None = None,
        *,
        workers: int | None = None,
        paths: int = 1,
        progress: Progress | None = None,
        force: bool = False,
        again: bool = False,
        executor: Executor | str | None = None,
    ) -> "Results":
        """Does the missing runs and returns all of them.

        Ctrl-C and SIGTERM stop it; finished runs are kept, and `Results.complete` is false.
        Measured runs come after simulated ones, in real time.

        Args:
            out: a directory that keeps every run, so that running again does only missing runs. It
                must be missing, empty, or this study's own; `cellway.json` marks it.
            workers: simulated runs at a time; `None` takes a core each. The results do not depend
                on it.
            paths: measured runs side by side.
            progress: called now and then.
            force: true uses a directory even if it holds files of others, and replaces those with
                our names.
            again: discard the measured runs in the directory, of any kernel, and measure again.
            executor: of simulated runs: any executor of `concurrent.futures` whose workers have the
                same cellway, ``"threads"`` (the default), ``"processes"`` or
                ``"dask://HOST:PORT"``. The results do not depend on it. Processes import the
                program anew, so that a script calls this below ``if __name__ == "__main__"``.

        Raises:
            StudyError: a response that the runs do not have, a combination of levels that is no
                scenario, or one that the kernel cannot measure.
            StoreError: the directory cannot be used, or has measured runs of another kernel.
            MeasurementError: runs are to be measured, and this machine cannot.
        """
        from cellway.study.campaign import run_study  # noqa: PLC0415 - it imports this module

        folder = None if out is None else Path(out)
        return run_study(
            self,
            folder,
            workers,
            progress,
            paths=paths,
            force=force,
            again=again,
            executor=executor,
        )

    def as_data(self) -> dict[str, Any]:
        """The study before any run, with the number of runs and an estimate of time, for JSON.

        Raises:
            StudyError: a combination of levels is no scenario; the message says which.
        """
        return study_data.as_data(self)

    def replaced(self, **changes: Any) -> "Study":  # noqa: ANN401
        """A copy with other attributes, checked again."""
        return replace(self, **changes)


def _covers(key: str, other: str) -> bool:
    """True if setting `key` replaces `other`, the same key or a part of it."""
    return other == key or other.startswith(f"{key}.")


def _too_many(study: Study) -> str:
    points, each = study.design.count(study.factors), study.min_replications
    return (
        f"{study.name}: {points * each} runs ({points} points, {each} each); at most {MAX_RUNS} "
        "are accepted. Sample instead: design = { latin_hypercube = { points = 100 } } or { "
        "sobol = { points = 128 } }, or take two levels each in a fractional design"
    )
