"""`cellway study`, and reading what it is given."""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

from cellway.cli.array_job import part_folder, write_array_job
from cellway.cli.beside import beside_lines
from cellway.cli.exits import (
    FAILED,
    FINE,
    INTERRUPTED,
    BadInputError,
    require_file,
    require_writable,
    unreadable,
    unwritable,
)
from cellway.cli.options import (
    AsJson,
    ByExecutor,
    Force,
    Sets,
    WithTheory,
    is_study,
    pair_of,
    tables_of,
)
from cellway.cli.parameters import Argument, ExitError, Option
from cellway.cli.progress import counting_bar
from cellway.cli.study_design import duration
from cellway.cli.study_notes import first_notes
from cellway.cli.study_results import report
from cellway.cli.text import complain, say, say_json
from cellway.disk.replacement import finish_if_possible
from cellway.errors import StoreError, StudyError
from cellway.prediction.studies import AtPoint, beside_study
from cellway.runs.models import MODEL_VERSION, listed, note_of, present_kernel
from cellway.study import STUDY, Results, Study, load_results, load_study
from cellway.study.executors import AUTO, require_word
from cellway.study.frozen import merged_sets, says
from cellway.study.measuring import missing_measurements, real_time, require_measurable
from cellway.study.own_files import changed_files
from cellway.study.part import MOST_PARTS, Part
from cellway.study.store import Store
from cellway.study.tables import is_table_of_runs

__all__ = ["is_study", "read_study", "study"]


def study(
    file: Annotated[
        Path, Argument(metavar="STUDY|DIR", help="A study file, or the folder of an earlier study.")
    ],
    out: Annotated[
        Path | None,
        Option(
            metavar="DIR",
            help="Folder that keeps every run, by default out/ and the study's name. It must be "
            "missing, empty, or an earlier folder of this study.",
        ),
    ] = None,
    workers: Annotated[
        int | None, Option(min=1, help="Simulated runs at a time; by default one per core.")
    ] = None,
    paths: Annotated[int, Option(min=1, max=1000, help="Measured runs side by side.")] = 1,
    again: Annotated[
        bool, Option(help="Discard the measured runs in the folder, and measure them again.")
    ] = False,
    csv: Annotated[
        Path | None, Option(metavar="FILE", help="Also write the table of runs as CSV.")
    ] = None,
    sets: Sets = [],
    part: Annotated[
        str | None,
        Option(
            metavar="I/N",
            help="Make part I of N of the runs alone, in a folder of its own; `cellway merge` "
            "joins the folders.",
        ),
    ] = None,
    executor: ByExecutor = AUTO,
    slurm_array: Annotated[
        int | None,
        Option(
            min=1,
            max=MOST_PARTS,
            help="Run nothing; write the script of an array job of N parts, with the merge.",
        ),
    ] = None,
    theory: WithTheory = False,
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Run the missing runs of a study; print means with intervals, comparisons and effects."""
    require_word(executor)
    given = with_sets(read_study(file), sets)
    whole = out or (file if file.is_dir() else Path("out") / given.name)
    if slurm_array is not None:
        if part is not None:
            raise BadInputError("--slurm-array: its tasks make all parts; expected without --part")
        _write_array_job(given, file, whole, sets, slurm_array, force=force)
        return
    given, folder = _part(given, part, whole, is_named=out is not None)
    if csv is not None:
        require_file("--csv", csv, is_table_of_runs, force=force)
    results = None if again else _as_kept(given, folder)
    where = _where(folder, added=results is None)
    if results is None:
        require_writable("--out", folder)
        say(*([] if as_json else first_notes(given, file)))
        say_real_time(given, folder, paths, again=again)
        with counting_bar(given.name) as progress:
            results = given.run(
                folder,
                workers=workers,
                paths=paths,
                progress=progress,
                force=force,
                again=again,
                executor=executor,
            )
    if csv is not None:
        try:
            results.to_csv(csv)
        except OSError as error:
            raise unwritable("--csv", csv, error) from error
    note_damage(results)
    _print(results, where, theory=theory, as_json=as_json)
    _end(results, folder)


def _end(results: Results, folder: Path) -> None:
    """Ends the command with the exit code of its results."""
    if results.part_done:
        raise ExitError(FAILED if results.failed else FINE)
    if not results.complete and results.models not in {(), (MODEL_VERSION,)}:
        raise StoreError(
            f"{folder}: lacks runs; runs of this model, {MODEL_VERSION}, are not added to those of "
            f"{listed(results.models)}; choose another folder with --out for new runs"
        )
    if not results.complete:
        raise ExitError(INTERRUPTED)
    if results.failed:
        raise ExitError(FAILED)


def _print(results: Results, where: str, *, theory: bool, as_json: bool) -> None:
    compared = beside_study(results) if theory and not results.study.imported else ()
    if as_json:
        said = [
            {"point": one.point, "response": one.response, **one.compared.as_data()}
            for one in compared
        ]
        say_json({**results.as_data(), **({"theory": said} if theory else {})})
    else:
        predicted = ["", *beside(results, compared)] if theory else []
        say(*report(results), *predicted, "", where)


def _write_array_job(
    given: Study, file: Path, whole: Path, sets: Sequence[str], parts: int, *, force: bool
) -> None:
    if given.part is not None:
        raise BadInputError("--slurm-array: expected a whole study, not a part of one")
    if given.imported:
        raise BadInputError("--slurm-array: results of another tool; a study to run is expected")
    words = [str(file), *(f"--set={one}" for one in sets)]
    script = whole.with_name(f"{whole.name}.sbatch")
    write_array_job(script, given.name, words, whole, parts, force=force)
    say(f"written to {script}, which says how to submit it")


def with_sets(given: Study, sets: Sequence[str]) -> Study:
    """The study with the keys of ``--set`` behind those of its file.

    Raises:
        BadInputError: a ``--set`` is not KEY=VALUE, or is one that a study gives itself.
        StudyError, ScenarioError: the scenario cannot take it.
    """
    if not sets:
        return given
    pairs = [pair_of(text) for text in sets]
    changed = given.replaced(sets=merged_sets(given.sets, pairs))
    changed.first_condition()
    return changed


def _part(given: Study, part: str | None, whole: Path, *, is_named: bool) -> tuple[Study, Path]:
    """The part of a study that ``--part`` asks for, and its folder."""
    if part is None:
        return given, whole
    if given.imported:
        raise BadInputError("--part: results of another tool; a study to run is expected")
    try:
        wanted = Part.read(part)
    except ValueError as error:
        raise BadInputError(f"--part {error}") from error
    if given.part not in {None, wanted}:
        raise BadInputError(f"--part {part}: the folder holds part {given.part} of the study")
    folder = whole if is_named or given.part else part_folder(whole, wanted.number, wanted.of)
    return given.replaced(part=wanted), folder


def beside(results: Results, compared: tuple[AtPoint, ...]) -> list[str]:
    """Predictions of formulas beside the means of a study."""
    if not compared:
        return ["theory: no formula predicts a response at any of these points"]
    labels = [
        ", ".join(str(level) for level in condition.parameters.values()) or "all runs"
        for condition in results.conditions
    ]
    places = ((f"{labels[one.point]}: {one.response}", one.compared) for one in compared)
    return ["theory beside means", *beside_lines(places)]


def _as_kept(given: Study, folder: Path) -> Results | None:
    """The results of this study from a folder to which no run can be added; else `None`.

    Such a folder has all runs and cannot be written, or has runs of another model or kernel.
    """
    if given.imported:
        return load_results(folder)
    if not folder.is_dir():
        return None
    of_another = _is_of_another_model(folder)
    takes_more = os.access(folder, os.W_OK) and not of_another
    if (takes_more and not _is_of_another_kernel(folder)) or not says(folder, given):
        return None
    results = load_results(folder)
    return results if results.complete or (of_another and results.models) else None


def _where(folder: Path, *, added: bool) -> str:
    if added:
        return f"written to {folder}"
    return (
        f"all runs were in {folder}{'' if os.access(folder, os.W_OK) else ', which is read-only'}"
    )


def _is_of_another_model(folder: Path) -> bool:
    try:
        with Store.read(folder) as store:
            return store.has_others(MODEL_VERSION)
    except StoreError:
        return False


def _is_of_another_kernel(folder: Path) -> bool:
    try:
        with Store.read(folder) as store:
            return bool(store.kernels().keys() - {present_kernel()})
    except StoreError:
        return False


def say_real_time(given: Study, folder: Path | None, paths: int, *, again: bool) -> None:
    """Prints on stderr how long missing measurements will take, before the first one.

    Raises:
        StudyError, MeasurementError: they cannot be made.
    """
    if not given.measures:
        return
    conditions = given.conditions()
    missing = missing_measurements(given, conditions, folder, again=again)
    differs = require_measurable(given, conditions, missing)
    if missing:
        time = real_time(missing, paths)
        runs = "1 run" if time.runs == 1 else f"{time.runs} runs"
        runs += "" if isinstance(given.replications, int) else " or more"
        complain(
            f"{runs} to measure in real time, {time.paths} side by side: {duration(time.seconds)}"
        )
        measured = sum(one.is_measured for one in conditions)
        for said, points in differs.items():
            of = f" (at {points} of {measured} points)" if points < measured else ""
            complain(f"by the kernel: {said}{of}")


def kept_results(folder: Path) -> Results:
    """The results in a study's folder; prints on stderr what they may lack, but not their model.

    Raises:
        OSError: it cannot be read.
        StudyError, ScenarioError, StoreError: it does not hold a study's runs.
    """
    results = load_results(folder)
    _note_changes(folder)
    note_damage(results)
    if not results.complete:
        again = f"; cellway study {folder} continues" if note_of(results.models) is None else ""
        complain(f"note: {folder}: not complete{again}")
    return results


def note_damage(results: Results) -> None:
    """Prints on stderr which files of the study's folder are damaged."""
    for said in results.notes:
        complain(f"note: {said}")


def note_models(of: Path, models: Sequence[str]) -> None:
    """Prints on stderr which models made a run or a study, unless the present one did."""
    if (made := note_of(models)) is not None:
        complain(f"note: {of}: {made}")


def _note_changes(folder: Path) -> None:
    """Notes files of a study that were changed in its own folder, in case somebody else did it."""
    for file in changed_files(folder):
        complain(f"note: {file}: changed since cellway wrote it; used as it is")


def read_study(path: Path) -> Study:
    """Loads the study in `path`, a file or a folder; prints on stderr which files were changed.

    Raises:
        BadInputError: it cannot be read.
        StudyError, ScenarioError: it is no study.
    """
    file = path / STUDY if path.is_dir() else path
    finish_if_possible(file.parent)
    if path.is_dir():
        _note_changes(path)
    try:
        return load_study(file)
    except StudyError:
        found = tables_of(file)
        if "run" in found and "study" not in found:
            raise BadInputError(
                f"{file}: a scenario, where a study is expected; cellway run {file} runs it"
            ) from None
        raise
    except OSError as error:
        raise unreadable(file, error, "a study file, or the folder of a study") from error
