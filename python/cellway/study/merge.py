"""Folders of parts of a study, or of the same study on several machines, joined into one.

All folders hold the same study and runs of one model; a run that two of them have is kept once, and
must be the same run. The rows are written in one transaction: a merge that is killed leaves the
runs that were there before, and may be repeated.
"""

import json
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, nullcontext
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from cellway.disk.files import whole_file
from cellway.disk.folders import Marker
from cellway.disk.replacement import finish_if_possible
from cellway.errors import StoreError
from cellway.runs.models import edition_of, listed
from cellway.scenario.list_files import frozen_lists
from cellway.study.campaign import load_results
from cellway.study.database import FILE
from cellway.study.file import load_study
from cellway.study.frozen import freeze, study_toml
from cellway.study.own_files import STUDY
from cellway.study.record import COLUMNS, NO_SERIES, outcome_of
from cellway.study.results import Results
from cellway.study.rows import ALL, Row
from cellway.study.store import Store
from cellway.study.store_folder import series_file
from cellway.study.study import Study

_METRICS, _STATUS, _SUMMARY, _SEED = (
    COLUMNS.index(name) for name in ("metrics", "status", "summary", "seed")
)
_SERIES = len(COLUMNS)


@dataclass(frozen=True)
class Merged:
    """Outcome of a merge.

    Attributes:
        results: of the joined study.
        added: number of runs that were added to the folder.
        equal: number of runs that several folders had.
        damaged: by folder, the number of its runs that are damaged or lack their series, and were
            left out.
    """

    results: Results
    added: int
    equal: int
    damaged: Mapping[Path, int]


@dataclass(frozen=True)
class _Chosen:
    """A run as a folder has it.

    Attributes:
        folder: the index of the folder.
        done: true unless it failed.
        outcome: digest of its summary, without the seed.
        metrics: its numbers, as JSON.
        series: true if series are kept with it.
    """

    folder: int
    done: bool
    outcome: str
    metrics: str
    series: bool


def merge(out: str | Path, folders: Sequence[str | Path], *, force: bool = False) -> Merged:
    """Joins the runs of `folders` into `out`, which may have runs of the same study already.

    Args:
        out: missing, empty, or a folder of the same study.
        folders: folders of studies or of their parts; they are only read.
        force: use `out` even if it holds files of others, and replace those with our names.

    Raises:
        StoreError: the studies or their models differ, two folders have other numbers for one run,
            or a folder cannot be read or written. Nothing was added.
        StudyError, ScenarioError, OSError: a folder does not hold a study.
    """
    out, places = Path(out), [Path(folder) for folder in folders]
    if not places:
        raise StoreError(f"{out}: no folders to merge; at least one is expected")
    for place in (out, *places):
        finish_if_possible(place)
    for place in places:
        if out.exists() and place.exists() and place.samefile(out):
            raise StoreError(f"{place}: the folder that the others are merged into; name it once")
    study = _common_study(([out] if (out / STUDY).exists() else []) + places)
    has_runs = (out / FILE).exists()
    with ExitStack() as stack:
        sources = [stack.enter_context(Store.read(place)) for place in places]
        # Closed before the writer opens: SQLite changes a journal for the only user of a file.
        with Store.read(out) if has_runs else nullcontext() as kept:
            stores = ([] if kept is None else [kept]) + sources
            model = _common_model(stores)
            chosen, equal, damaged = _chosen(stores)
        store = stack.enter_context(
            Store.open(out, model, Marker("study", study.name), force=force, shared=True)
        )
        freeze(study, out, force=force)
        wanted: dict[int, list[str]] = {}
        for key, one in chosen.items():
            wanted.setdefault(one.folder, []).append(key)
        there = len(wanted.pop(0, [])) if has_runs else 0
        taken = (_rows(keys, stores[number], out) for number, keys in wanted.items())
        store.absorb(chain.from_iterable(taken))
    results = load_results(out)
    results.export(out)
    return Merged(
        results, len(chosen) - there, equal, dict(zip(places, damaged[has_runs:], strict=True))
    )


def _common_study(folders: Sequence[Path]) -> Study:
    """The study that all folders hold parts of, as a whole."""
    studies = [(folder, load_study(folder / STUDY)) for folder in folders]
    for folder, study in studies:
        if study.imported:
            raise StoreError(f"{folder}: results of another tool; a study to run is expected")
    first, *others = studies
    wanted, study = _said(*first), first[1]
    for folder, other in others:
        if _said(folder, other) != wanted:
            raise StoreError(
                f"{folder}: holds another study than {first[0]}: their {_differing(study, other)} "
                "differ; folders of one study are expected"
            )
    return study.replaced(part=None)


def _said(folder: Path, study: Study) -> tuple[str, str, str]:
    """All that decides the runs of a study, whatever its part."""
    lists = json.dumps(dict(frozen_lists(folder)), sort_keys=True)
    return study_toml(study.replaced(part=None)), study.base.text, lists


def _differing(one: Study, other: Study) -> str:
    if one.name != other.name:
        return f"names, {one.name!r} and {other.name!r},"
    if one.base.text != other.base.text:
        return "scenarios"
    return "study files"


def _common_model(stores: Sequence[Store]) -> str:
    """The one edition of the model, and the one kernel, of all runs."""
    editions: dict[str, Path] = {}
    kernels: dict[str, Path] = {}
    for store in stores:
        for name in store.model_versions():
            editions.setdefault(edition_of(name), store.folder)
        for kernel in store.kernels():
            kernels.setdefault(kernel, store.folder)
    if not editions:
        raise StoreError(f"{stores[0].folder}: no folder has a run; nothing was merged")
    for found, kind in ((editions, ""), (kernels, "Linux ")):
        if len(found) > 1:
            (one, here), (other, there) = list(found.items())[:2]
            names = (f"{kind}{one}", f"{kind}{other}") if kind else (listed([one]), listed([other]))
            raise StoreError(
                f"{there}: made by {names[1]}, and {here} by {names[0]}; runs of one model are "
                "expected, nothing was merged"
            )
    (model,) = editions
    return model


def _chosen(stores: Sequence[Store]) -> tuple[dict[str, _Chosen], int, list[int]]:
    """The folder to take each run from, the number of equal runs, and damaged ones by folder."""
    chosen: dict[str, _Chosen] = {}
    equal = 0
    damaged = [0] * len(stores)
    for number, store in enumerate(stores):
        for key, row in store.rows(sorted(store.every_key())):
            if row[_SERIES] != NO_SERIES and store.has_lost_series(key):
                damaged[number] += 1
                continue
            found = _of_row(number, row)
            known = chosen.get(key)
            if known is not None and known.done and found.done:
                equal += 1
                _require_equal(known, found, row, stores)
            if known is None or _is_better(found, known):
                chosen[key] = found
        damaged[number] += len(store.damaged)
    return chosen, equal, damaged


def _of_row(number: int, row: Row) -> _Chosen:
    done, series = row[_STATUS] == "done", row[_SERIES] != NO_SERIES
    return _Chosen(number, done, outcome_of(row[_SUMMARY]), row[_METRICS], series)


def _is_better(found: _Chosen, known: _Chosen) -> bool:
    """True if a run has what the known one lacks: an end without a failure, or series."""
    return (found.done, found.series) > (known.done, known.series)


def _require_equal(known: _Chosen, found: _Chosen, row: Row, stores: Sequence[Store]) -> None:
    """Refuses a run whose numbers differ in two folders.

    Raises:
        StoreError: they do.
    """
    if known.metrics == found.metrics and known.outcome == found.outcome:
        return
    ours, theirs = json.loads(known.metrics), json.loads(found.metrics)
    differing = sorted(name for name in ours.keys() & theirs.keys() if ours[name] != theirs[name])
    if not differing and known.outcome == found.outcome:
        return
    here, there = stores[known.folder].folder, stores[found.folder].folder
    said = (
        f"{differing[0]} is {ours[differing[0]]!r} and {theirs[differing[0]]!r}"
        if differing
        else "their summaries differ"
    )
    raise StoreError(
        f"{here} and {there} have other numbers for one run, seed {row[_SEED]}, key {row[0][:12]}: "
        f"{said}; nothing was merged"
    )


def _rows(keys: Sequence[str], source: Store, out: Path) -> Iterator[Row]:
    """Rows to add to `out`, each once its series are in their place."""
    for key, row in source.rows(keys):
        if row[_SERIES] != NO_SERIES:
            _copy_series(source.folder, out, key)
        yield row[: len(ALL)]


def _copy_series(source: Path, target: Path, key: str) -> None:
    place = series_file(target, key)
    place.parent.mkdir(exist_ok=True)
    with series_file(source, key).open("rb") as content, whole_file(place, sweep=False) as file:
        shutil.copyfileobj(content, file)
