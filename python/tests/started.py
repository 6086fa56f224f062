"""Python processes that start at once: forks of one that has imported what commands need."""

import gc
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

import pytest

LONGEST = 100
"""Seconds after which SIGALRM ends a process."""
_MAX_BYTES = 1 << 16
"""Bytes of a request."""
_PARENT = "import started; exec(started.forks({}), {{'__name__': '__main__'}})"

_ALONE = {"OPENBLAS_NUM_THREADS": "1"}
"""A fork has the thread that forks, and no other one."""


Process = subprocess.Popen[str]


class Starter:
    """Starts processes one after another; each is a fork, so that none sees what another one did.

    To start an interpreter and to import NumPy, SciPy and Matplotlib takes longer than most
    commands do.
    """

    def __init__(self, env: Mapping[str, str]) -> None:
        self._line, end = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._parent = subprocess.Popen(
            [sys.executable, "-c", _PARENT.format(end.fileno())],
            stdout=subprocess.DEVNULL,
            pass_fds=[end.fileno()],
            env={
                **os.environ,
                **_ALONE,
                **env,
                "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
            },
        )
        end.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        self._line.close()
        self._parent.wait(LONGEST)

    def run(
        self, code: str, arguments: Sequence[str | Path], folder: Path
    ) -> "subprocess.CompletedProcess[str]":
        """What ``python -c code arguments`` does in `folder`."""
        words = [str(argument) for argument in arguments]
        request = json.dumps({"code": code, "arguments": words, "folder": str(folder)})
        with tempfile.TemporaryFile("w+") as stdout, tempfile.TemporaryFile("w+") as stderr:
            socket.send_fds(self._line, [request.encode()], [stdout.fileno(), stderr.fileno()])
            answer = self._line.recv(_MAX_BYTES)
            assert answer, "the process that forks has ended"
            for stream in (stdout, stderr):
                stream.seek(0)
            return subprocess.CompletedProcess(words, int(answer), stdout.read(), stderr.read())


MAIN = "from cellway.cli import main; main()"
"""The command `cellway`, as Python."""


def process_of(code: str, arguments: Sequence[str | Path], folder: Path) -> Process:
    """Starts an interpreter of its own for ``python -c code arguments`` in `folder`."""
    return subprocess.Popen(
        [sys.executable, "-c", code, *map(str, arguments)],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def outcome(
    code: str, arguments: Sequence[str | Path], folder: Path
) -> "subprocess.CompletedProcess[str]":
    """Exit code and output of an interpreter of its own."""
    with process_of(code, arguments, folder) as process:
        stdout, stderr = process.communicate(timeout=60)
    return subprocess.CompletedProcess(process.args, process.returncode, stdout, stderr)


def ended_by(number: int, process: Process) -> tuple[str, str]:
    """Output of a process that works on until it hears this signal, and ends with code 130."""
    try:
        with pytest.raises(subprocess.TimeoutExpired):
            process.wait(1.5)
        process.send_signal(number)
        # A busy machine is slow to write tables.
        stdout, stderr = process.communicate(timeout=60)
    finally:
        process.kill()
    assert process.returncode == 130
    return stdout, stderr


def forks(end: int) -> str:
    """Forks for each request at the socket `end`; returns in the fork, with the code to run."""
    _import()
    with socket.socket(fileno=end) as line:
        while True:
            request, streams, _, _ = socket.recv_fds(line, _MAX_BYTES, 2)
            if not request:
                sys.exit()
            child = os.fork()
            if not child:
                return _become(json.loads(request), streams)
            for stream in streams:
                os.close(stream)
            line.send(str(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])).encode())


def _import() -> None:
    """What commands import when they need it; not Polars, which starts threads."""
    import matplotlib.backends.backend_agg  # noqa: F401, PLC0415
    import rich.progress  # noqa: F401, PLC0415
    import scipy.special  # noqa: PLC0415
    import scipy.stats  # noqa: F401, PLC0415

    import cellway.cli.arguments  # noqa: F401, PLC0415
    from cellway.cli.commands import COMMANDS, function_of  # noqa: PLC0415

    for name in COMMANDS:
        function_of(name)
    assert len(list(Path("/proc/self/task").glob("*"))) <= 1
    gc.freeze()


def _become(request: Mapping[str, object], streams: Sequence[int]) -> str:
    """Gives this process the arguments, the folder and the streams that were asked for."""
    signal.alarm(LONGEST)
    os.chdir(str(request["folder"]))
    for number, stream in enumerate(streams, start=1):
        os.dup2(stream, number)
        os.close(stream)
    arguments = request["arguments"]
    assert isinstance(arguments, list)
    sys.argv[1:] = arguments
    return str(request["code"])
