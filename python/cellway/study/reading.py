"""Finished runs of studies as records: the numbers of responses, and the series to keep."""

from collections.abc import Mapping, Sequence

from cellway.errors import StudyError
from cellway.runs.models import maker
from cellway.runs.quantity import NoNumberError
from cellway.runs.series import Series
from cellway.study.execution import HOST, Finished
from cellway.study.record import Record, marks_of, summary_text
from cellway.study.responses import Reading, Reduction, Response


def recorded(finished: Finished) -> list[Series]:
    """Series of a run that its plan keeps.

    Raises:
        StudyError: the run has no such series.
    """
    try:
        return finished.series
    except KeyError as error:
        raise StudyError(f"`series`: {error.args[0]}") from error


def record_of(finished: Finished, responses: Sequence[Response]) -> Record:
    """The record of a run with the numbers of `responses`.

    Raises:
        StudyError: the run has no such number or series.
    """
    planned, run = finished.planned, finished.run
    reading = Reading({}, (finished.error,)) if run is None else _read(finished, responses)
    return Record(
        key=planned.key,
        parameters=planned.condition.parameters,
        replication=planned.replication,
        seed=planned.seed,
        scenario_hash=planned.condition.scenario_hash,
        status="failed" if run is None else "done",
        metrics=dict(reading.numbers),
        summary="" if run is None else summary_text(run),
        wall_seconds=finished.wall_seconds,
        cpu_seconds=finished.cpu_seconds,
        model_version=maker(planned.condition.way),
        host=HOST,
        warnings=(*marks_of(run), *reading.warnings),
    )


def _read(finished: Finished, responses: Sequence[Response]) -> Reading:
    assert finished.run is not None  # noqa: S101
    reading = read_summary(responses, finished.run.summary)
    numbers, warnings = dict(reading.numbers), list(reading.warnings)
    for response in responses:
        if isinstance(response.source, Reduction):
            try:
                series = finished.run.series(response.source.series)
            except KeyError as error:
                raise StudyError(f"response `{response.name}`: {error.args[0]}") from error
            reduced = response.source.read(series)
            numbers.update(reduced.numbers)
            warnings += reduced.warnings
    return Reading(numbers, tuple(warnings))


def read_summary(responses: Sequence[Response], summary: Mapping[str, object]) -> Reading:
    """Numbers of the summary; `None` for one that this run lacks, such as a mean of nothing."""
    numbers: dict[str, float | None] = {}
    warnings: list[str] = []
    for response in responses:
        if isinstance(response.source, Reduction):
            continue
        try:
            numbers[response.definition] = response.source.of(summary)
        except NoNumberError as error:
            numbers[response.definition] = None
            warnings.append(str(error))
        except ValueError as error:
            raise StudyError(f"response `{response.name}`: {error}") from error
    return Reading(numbers, tuple(warnings))
