"""Measurements in virtual time: the kernel is User-Mode Linux, an ordinary program.

In its mode `time-travel=inf-cpu` the clock of that kernel stands while anything in it computes, and
jumps to the next timer when all of it waits. So the driver of a measurement, which runs inside, is
never late, and equal measurements are equal to the octet.
"""

import ctypes
import os
import pickle
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from cellway.errors import CellwayError, MeasurementError
from cellway.runs.capture import Capture
from cellway.runs.runs import Progress, Run
from cellway.scenario.scenario import Scenario

if TYPE_CHECKING:
    from collections.abc import Iterator

FOLDER = Path("/run")
"""Place of the folder of the host; its other files can be read, and not written."""
ASKED, ANSWER, CAPTURED, PROGRESS, END = "asked", "answer", "captured.pcapng", "progress", "end"
"""Files: scenario and capture; run or fault; packets; two times; there once the end is asked for.

`asked` and `answer` are pickles.
"""
PROGRESS_BYTES = 24
"""Bytes of each of the two times, seconds."""
GUEST = "cellway.runs.guest"
"""Module that the kernel starts."""
MEMORY = "1G"
"""Memory of the kernel, of which the host gives what is used."""
_ENVIRONMENT = {"GLIBC_TUNABLES": "glibc.pthread.rseq=0"}
"""Restartable sequences, which the C library of the kernel would register, end a traced program."""
_PR_SET_PDEATHSIG = 1
"""Word of prctl(2): the signal that a process gets when its parent ends."""
_LOOK_S = 0.05
"""Time between two looks at the progress, s."""
_EXPECTED = "expected User-Mode Linux with time travel, as tools/build-uml builds it"


def require_kernel(kernel: Path) -> None:
    """Refuses a file that is no kernel with virtual time.

    Raises:
        MeasurementError: the file cannot be run, is something else, or was built without.
    """
    if sys.platform != "linux":
        raise MeasurementError(f"{kernel}: measurements need Linux")
    try:
        said = subprocess.run(  # noqa: S603 - a program that the user names.
            [kernel.absolute(), "--help"],
            capture_output=True, stdin=subprocess.DEVNULL, timeout=10, check=False,
            env=_ENVIRONMENT,
        ).stdout.decode(errors="replace")  # fmt: skip
    except OSError as error:
        raise MeasurementError(f"{kernel}: {error.strerror}; {_EXPECTED}") from error
    except subprocess.TimeoutExpired as error:
        raise MeasurementError(f"{kernel}: no answer to --help; {_EXPECTED}") from error
    if "User Mode Linux" not in said:
        raise MeasurementError(f"{kernel}: no kernel of User-Mode Linux; {_EXPECTED}")
    if "time-travel=inf-cpu" not in said:
        raise MeasurementError(f"{kernel}: built without UML_TIME_TRAVEL_SUPPORT; {_EXPECTED}")


def measure_inside(
    kernel: Path, scenario: Scenario, progress: Progress | None, capture: Capture | None
) -> Run:
    """Measures `scenario` by the TCP of `kernel`, in virtual time.

    Raises:
        MeasurementError: the file is no such kernel, ended without a result, or has nothing for a
            key.
        RunError: the measurement could not finish.
        ScenarioError: no packets can be captured there.
        OSError: the capture cannot be written.
    """
    require_kernel(kernel)
    with tempfile.TemporaryDirectory(prefix="cellway-") as name:
        folder = Path(name)
        if capture is None:
            return _measured(kernel, scenario, progress, None, folder)
        with capture.writing() as (write, *asked):
            run = _measured(kernel, scenario, progress, asked, folder)
            with (folder / CAPTURED).open("rb") as file:
                while piece := file.read(1 << 20):
                    write(piece)
        return run


def _measured(
    kernel: Path,
    scenario: Scenario,
    progress: Progress | None,
    captured: list[object] | None,
    folder: Path,
) -> Run:
    """The run of a kernel that is started in `folder`, with the date of this machine."""
    (folder / ASKED).write_bytes(pickle.dumps((scenario, captured)))
    (folder / PROGRESS).touch()
    started = time.time()
    with (folder / "console").open("w+b") as console:
        with _booted(kernel, folder, console.fileno()) as booted:
            _follow(booted, folder, progress)
        if not (folder / ANSWER).exists():
            console.seek(0)
            raise MeasurementError(f"{kernel} ended without a result: {_reason(console.read())}")
    answer: Run | CellwayError = pickle.loads((folder / ANSWER).read_bytes())  # noqa: S301 - of our own.
    if isinstance(answer, CellwayError):
        raise answer
    facts = dict(answer.measured or {})
    date = datetime.fromtimestamp(started, UTC).isoformat(timespec="seconds")
    return replace(answer, measured={**facts, "date": date, "started_at_s": started})


def _reason(console: bytes) -> str:
    """Line of a kernel's console that says why it has ended: its panic, or the last one."""
    lines = console.decode(errors="replace").strip().splitlines() or ["it said nothing"]
    return next((line for line in lines if "panic" in line), lines[-1]).strip()


@contextmanager
def _booted(kernel: Path, folder: Path, console: int) -> "Iterator[subprocess.Popen[bytes]]":
    """A kernel that runs the measurement of `folder`, and ends with the block.

    Its command line is equal in equal measurements, as its random numbers follow from it.
    """
    package = Path(__file__).parents[2]
    words = [
        f"mem={MEMORY}", "root=/dev/root", "rootfstype=hostfs", "rootflags=/", "ro",
        "time-travel=inf-cpu", "time-travel-start=0", "con=null", "con0=null,fd:1", "loglevel=4",
        "PYTHONDONTWRITEBYTECODE=1", f'PYTHONPATH="{package}"', f'init="{sys.executable}"',
        "--", "-m", GUEST,
    ]  # fmt: skip
    temporary = {key: os.environ[key] for key in ("TMPDIR",) if key in os.environ}
    end_with_parent = ctypes.CDLL(None).prctl
    booted = subprocess.Popen(  # noqa: S603 - a program that the user names.
        [kernel.absolute(), *words],
        cwd=folder, env={**_ENVIRONMENT, **temporary, "HOME": str(folder)},
        stdin=subprocess.DEVNULL, stdout=console, stderr=console, start_new_session=True,
        preexec_fn=lambda: end_with_parent(_PR_SET_PDEATHSIG, signal.SIGTERM),  # noqa: PLW1509
    )  # fmt: skip
    try:
        yield booted
    finally:
        if booted.poll() is None:
            # It ends the processes that it traces.
            booted.terminate()
        booted.wait()


def _follow(booted: "subprocess.Popen[bytes]", folder: Path, progress: Progress | None) -> None:
    """Reports the progress until the kernel ends; asks for the end where `progress` does."""
    while True:
        try:
            booted.wait(_LOOK_S)
        except subprocess.TimeoutExpired:
            said = (folder / PROGRESS).read_bytes()
            size = PROGRESS_BYTES
            if progress is None or len(said) < 2 * size:
                continue
            if progress(float(said[:size]), float(said[size:])):
                (folder / END).touch()
        else:
            return
