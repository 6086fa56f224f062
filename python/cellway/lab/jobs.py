"""Jobs of the page, and their answers: a run of a text with keys set, and its columns.

An answer is a JSON header behind its length, four octets with the least first, padded with spaces
until a multiple of eight; and then the columns as `float64`, the least octet first: for each its
times, its values and, if it is thinned, its means.
"""

import json
import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from cellway import _core
from cellway.errors import CellwayError, Fault, FileError
from cellway.lab.controls import controls_of
from cellway.lab.declared import declared
from cellway.lab.files import FolderFiles
from cellway.lab.places import places_of
from cellway.runs.models import MODEL_VERSION
from cellway.runs.runs import Run, run
from cellway.runs.series import Series
from cellway.scenario.list_files import ListFiles
from cellway.scenario.scenario import Scenario

QUANTITIES = ("queue", "cwnd", "ssthresh", "arrived", "one_way_delay", "capacity")
"""Series that the page draws."""
LOSSES = (".lost_at.", ".lost_on.")
"""Words in the names of series of losses, which it draws, too."""
_SET = re.compile(r"--set (?P<key>[^=]+)=")


class StoppedError(Exception):
    """End of a run for whose answer nobody waits."""


@dataclass(frozen=True)
class Offered:
    """A scenario in the laboratory.

    Attributes:
        name: of its page, in the address.
        origin: its file, as a command line names it.
        text: as it was when the laboratory opened.
        files: texts of the files that it names; `None` if they are beside it.
    """

    name: str
    origin: str
    text: str
    files: Mapping[str, str] | None = None

    def scenario(self, text: str, sets: Sequence[tuple[str, str]]) -> Scenario:
        """The scenario of a text, with keys set.

        Raises:
            ScenarioError: it is none.
        """
        if self.files is None:
            lists: ListFiles = FolderFiles(Path(self.origin).parent)
        else:
            lists = ListFiles.of(self.files)
        return Scenario(self.origin, text.encode("utf-8", "replace"), sets, lists=lists)


@dataclass(frozen=True)
class Job:
    """A question of the page.

    Attributes:
        text: of the scenario.
        sets: keys and values.
        keeps_packets: true for the packets within `window` and nothing else; false for series.
        window: its start and end, seconds.
    """

    text: str
    sets: Sequence[tuple[str, str]] = field(default=())
    keeps_packets: bool = False
    window: tuple[float, float] = (0.0, 1.0)

    @classmethod
    def read(cls, given: bytes) -> "Job":
        """A job from its JSON.

        Raises:
            ValueError: it is none.
        """
        try:
            said = json.loads(given)
            sets = [(str(key), str(value)) for key, value in said.get("set", [])]
            start, end = map(float, said.get("window") or (0.0, 1.0))
            is_kept = said.get("keep", "series") in ("series", "packets")
            if not (is_kept and math.isfinite(start) and math.isfinite(end) and start <= end):
                raise ValueError("keep or window")
            return cls(str(said["text"]), sets, said.get("keep") == "packets", (start, end))
        except RecursionError as error:
            raise ValueError("no job: nested too deeply") from error
        except (AttributeError, KeyError, OverflowError, TypeError) as error:
            raise ValueError(f"no job: {error}") from error


def answer(offered: Offered, job: Job, is_stopped: Callable[[], bool]) -> bytes:
    """The answer to a job; faults of the text or a key are part of it.

    Raises:
        StoppedError: `is_stopped` said so while it ran.
    """

    def watch(_at: float, _duration: float) -> None:
        if is_stopped():
            raise StoppedError

    try:
        scenario = offered.scenario(job.text, job.sets)
        if job.keeps_packets:
            return _encoded("", _packets(scenario, job.window, watch))
        finished = run(scenario.with_sets(observed_keys(scenario)), watch)
    except CellwayError as error:
        return _encoded("", [], faults_of(error))
    return _encoded(finished.summary_json, [*_drawn(finished)])


def description(offered: Offered, job: Job) -> bytes:
    """JSON of the facts that need no run: the drawn path, what `explain` says, and controls.

    A text with keys set has no controls: they are those of the text.
    """
    try:
        scenario = offered.scenario(job.text, job.sets)
        explained = scenario.explain()
        controls = {} if job.sets else _controls(scenario)
    except CellwayError as error:
        return json.dumps({"faults": faults_of(error)}).encode()
    name, path = explained["scenario"], places_of(explained)
    found = {"name": name, "explained": explained, "path": path, **controls}
    return json.dumps(found, allow_nan=False).encode()


def _controls(scenario: Scenario) -> dict[str, Any]:
    """Controls of a text, the settings that it begins with, and its question, if it has one.

    Raises:
        ScenarioError: its section `[lab]` cannot be accepted.
    """
    lab = declared(scenario)
    controls = lab.controls or controls_of(scenario)
    return {"controls": controls, "compare": lab.compare, "title": lab.title}


def faults_of(error: CellwayError) -> list[dict[str, Any]]:
    """Faults as the page has them; of a failed run one without a place."""
    faults = error.faults if isinstance(error, FileError) else [Fault("", 0, 0, str(error))]
    return [_fault(one) for one in faults]


def _fault(fault: Fault) -> dict[str, Any]:
    found = {"line": fault.line, "column": fault.column, "message": fault.message}
    # A value that was set has no place in a file, but a key.
    if key := _SET.match(fault.origin):
        found["key"] = key["key"]
    return found


def observed_keys(scenario: Scenario) -> list[tuple[str, Any]]:
    """Keys with values for the series of the page; no number of a summary depends on them."""
    further: list[tuple[str, Any]] = [("observe.series", [*QUANTITIES])]
    if scenario.has_key("flow.*.tcp"):
        further.append(("observe.segments.flows", ["*"]))
    return further


def _drawn(finished: Run) -> Iterator[Series]:
    """Series for panels; of queues those that are ever waited in."""
    for name in finished.series_names:
        quantity = name.rpartition(".")[2]
        if quantity not in QUANTITIES and not any(mark in name for mark in LOSSES):
            continue
        series = finished.series(name)
        if quantity != "queue" or (len(series.value) and series.value.max() > 0):
            yield series


def _packets(
    scenario: Scenario, window: tuple[float, float], watch: Callable[[float, float], None]
) -> list[Series]:
    """Columns of the packets that hosts send within a window."""
    columns = _core.packets(scenario._core, window, watch)  # noqa: SLF001
    return [Series(*column) for column in columns]


def _encoded(
    summary: str, columns: Sequence[Series], faults: Sequence[Mapping[str, Any]] = ()
) -> bytes:
    header = {
        "model": MODEL_VERSION,
        "summary": summary,
        "faults": faults,
        "columns": [
            {
                "name": one.name,
                "unit": one.unit,
                "points": len(one.time),
                "mean": one.means is not None,
                "thinned": one.thinned,
            }
            for one in columns
        ],
    }
    text = json.dumps(header, ensure_ascii=False).encode()
    text += b" " * (-(4 + len(text)) % 8)
    arrays = [
        np.ascontiguousarray(array, "<f8").tobytes()
        for one in columns
        for array in (one.time, one.value, one.means)
        if array is not None
    ]
    return b"".join([len(text).to_bytes(4, "little"), text, *arrays])
