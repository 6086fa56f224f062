"""Measured runs of studies: those that are missing, whether they can be made, and their time.

A measured run is kept and never made again unless the user asks for it. Another kernel is another
maker: none of its runs is added to a folder that has measured runs of a first one.
"""

import heapq
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from cellway.errors import MeasurementError, StoreError, StudyError
from cellway.runs.measured import differences, require_machine
from cellway.runs.models import present_kernel
from cellway.study.database import FILE
from cellway.study.plan import Condition, PlannedRun
from cellway.study.store import Store
from cellway.study.study import Study

ONE_RUN = 0.3
"""Seconds that devices and connections of a measured run take besides its own time."""


@dataclass(frozen=True)
class RealTime:
    """Time that measured runs take.

    Attributes:
        runs: their number.
        paths: the number of runs side by side.
        seconds: until the last one has ended.
    """

    runs: int
    paths: int
    seconds: float


def real_time(runs: Iterable[PlannedRun], paths: int) -> RealTime:
    """Time for `runs`, `paths` at a time, the longest first."""
    lasting = sorted((run.condition.seconds + ONE_RUN for run in runs), reverse=True)
    ends = [0.0] * max(1, min(paths, len(lasting)))
    for seconds in lasting:
        heapq.heapreplace(ends, ends[0] + seconds)
    return RealTime(len(lasting), paths, max(ends))


def missing_measurements(
    study: Study, conditions: Iterable[Condition], folder: Path | None, *, again: bool = False
) -> list[PlannedRun]:
    """Measured runs of a study that `folder` lacks, as far as is known before its first run.

    Args:
        study: the study.
        conditions: those of its points.
        folder: the folder that keeps its runs; `None` if none does.
        again: true if kept measurements do not count.

    Raises:
        StoreError: the runs in the folder cannot be read.
    """
    planned = [
        study.planned(condition, replication)
        for condition in conditions
        if condition.is_measured
        for replication in range(1, study.min_replications + 1)
    ]
    kept = set() if again or folder is None else _kept(folder, planned)
    return [run for run in planned if run.key not in kept]


def _kept(folder: Path, planned: Sequence[PlannedRun]) -> set[str]:
    """Keys of the finished runs in `folder` that are whole, with the series that plans ask for."""
    if not (folder / FILE).exists():
        return set()
    with_series = {run.key for run in planned if run.recorded != ()}
    with Store.read(folder) as store:
        return {
            record.key
            for record in store.records(run.key for run in planned)
            if record.status == "done"
            and not (record.key in with_series and store.has_lost_series(record.key))
        }


def require_measurable(
    study: Study, conditions: Iterable[Condition], missing: Sequence[PlannedRun]
) -> dict[str, int]:
    """Refuses measurements that are missing and cannot be made, before anything runs.

    Returns:
        Keys that the kernel follows in part or not at all, and how, with the number of points.

    Raises:
        StudyError: the kernel has nothing for a key of a point.
        MeasurementError: this machine cannot measure.
    """
    found: Counter[str] = Counter()
    for condition in conditions:
        if condition.is_measured:
            found.update(_differences(study, condition))
    if missing:
        require_machine()
    return dict(found)


def _differences(study: Study, condition: Condition) -> set[str]:
    try:
        found = differences(condition.scenario(study.seed))
    except MeasurementError as error:
        where = ", ".join(f"{name} = {level}" for name, level in condition.parameters.items())
        raise StudyError(
            f"{study.name}: the point with {where or 'no factors'} cannot be measured: {error}"
        ) from error
    return {said for several in found.values() for said in several}


def refuse_again(store: Store, run: PlannedRun) -> None:
    """Refuses to measure a stored run again for a series that was not kept with it.

    Raises:
        StoreError: always.
    """
    raise StoreError(
        f"{store.folder}: a measured run, seed {run.seed}, was kept without a series that the "
        "study asks for now; choose another folder with --out, or measure all of them again with "
        "--again"
    )


def require_kernel(store: Store) -> None:
    """Refuses to add measurements to those of another kernel.

    Raises:
        StoreError: there are some.
    """
    others = {name: count for name, count in store.kernels().items() if name != present_kernel()}
    if others:
        there = " and ".join(f"{count} by Linux {name}" for name, count in others.items())
        raise StoreError(
            f"{store.folder}: holds measured runs of another kernel ({there}), to which none of "
            f"this one, Linux {present_kernel()}, are added; choose another folder with --out, or "
            "measure all of them again with --again"
        )
