"""Signals while a single step of a run, or what follows it, takes minutes."""

import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

import cellway
from common import ROOT

PATH = """
[run]
duration = "{duration}"
[host]
a = {{}}
b = {{}}
[switch.s]
buffer.per_port = "100 packet"
{drop}
[link.access]
between = ["a", "s"]
rate = "10 Mbit/s of line"
carries = "packets"
delay = "1 ms"
[link.line]
between = ["s", "b"]
rate = "5 Mbit/s of line"
carries = "packets"
delay = "1 ms"
{capacity}
[flow.f]
from = "a"
to = "b"
traffic.cbr = {{ rate = "{rate}", datagram = "60000 B" }}
"""
OFTEN = """
capacity.two_state = { high = "2 bit/s of line", low = "1 bit/s of line", mean_high = "1 us",
    mean_low = "1 us" }"""
PERIODIC = """
capacity.steps = { rates = [["0 s", "5 Mbit/s of line"], ["0.5 us", "1 Mbit/s of line"]],
    period = "1 us" }"""
STEPS = {
    "a packet is sent at ten thousand million rates": PATH.format(
        duration="1 s", drop="", capacity=OFTEN, rate="1 Mbit/s of payload"
    ),
    "as many changes of rate are between two packets": PATH.format(
        duration="2000000 s", drop="", capacity=PERIODIC, rate="1 bit/s of payload"
    ),
    "as many updates of a drop probability are between two packets": PATH.format(
        duration="2000000 s",
        drop='drop.pie.update = "1 us"',
        capacity="",
        rate="1 bit/s of payload",
    ),
}
COMMAND = """
import cellway._core, pathlib
whole = cellway._core.run
def run(*arguments):
    pathlib.Path("begun").touch()
    return whole(*arguments)
cellway._core.run = run
from cellway.cli import main
main()
"""
STUDY = """
[study]
scenario = "line.toml"
replications = 2
[factor.delay]
key = "link.line.delay"
levels = ["1 ms", "2 ms"]
[response.throughput]
quantity = "flows.f.throughput_bits_per_second"
"""


def _interrupted(
    arguments: list[str], folder: Path, number: signal.Signals, begun: str = "begun"
) -> None:
    """Code 130 and a line after a signal, which is sent once the file `begun` is there."""
    with subprocess.Popen(
        [sys.executable, "-c", COMMAND, *arguments],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            end = time.monotonic() + 30
            while not (folder / begun).exists() and time.monotonic() < end:
                time.sleep(0.05)
            with pytest.raises(subprocess.TimeoutExpired):
                process.wait(1)
            process.send_signal(number)
            # A busy machine is slow to write tables; the steps would take hours to end.
            _, stderr = process.communicate(timeout=60)
        finally:
            process.kill()
    assert process.returncode == 130
    assert stderr.endswith("interrupted\n")
    assert "Traceback" not in stderr


@pytest.mark.parametrize("step", STEPS)
def test_a_signal_is_heard_within_a_step(step: str, tmp_path: Path) -> None:
    """Only SIGKILL ended such runs: they looked up between steps alone."""
    (tmp_path / "line.toml").write_text(STEPS[step])
    _interrupted(["run", "line.toml"], tmp_path, signal.SIGTERM)


def test_a_study_does_not_wait_for_the_end_of_a_step(tmp_path: Path) -> None:
    (tmp_path / "line.toml").write_text(next(iter(STEPS.values())))
    (tmp_path / "study.toml").write_text(STUDY)
    arguments = ["study", "study.toml", "--out", "out"]
    _interrupted(arguments, tmp_path, signal.SIGINT, "out/runs.sqlite")


def test_a_comparison_with_theory_is_ended_by_a_signal(tmp_path: Path) -> None:
    """Its runs are in threads of their own, which hear no signals, and were waited for."""
    file = tmp_path / "lossy.toml"
    file.write_text(
        (ROOT / "scenarios" / "random-loss.toml").read_text().replace("550 s", "2000000 s")
    )
    _interrupted(["compare", file.name], tmp_path, signal.SIGINT)


def test_a_list_of_rates_that_would_fill_the_memory_is_refused() -> None:
    """It took all memory of the machine, and heard no signal."""
    text = PATH.format(duration="3 s", drop="", capacity=PERIODIC, rate="1 Mbit/s of payload")
    path = cellway.Scenario.parse(text.replace("3 s", "1 s")).capacity("line")
    assert path is not None
    assert len(path.times) == 2_000_000
    with pytest.raises(cellway.ScenarioError, match="link line changes more than 4000000 times"):
        cellway.Scenario.parse(text).capacity("line")


def test_a_run_raises_what_its_progress_raises() -> None:
    """What is called is called in the thread that called, whoever runs."""

    class StoppedError(Exception):
        pass

    def stop(_at: float, _duration: float) -> None:
        assert threading.current_thread() is threading.main_thread()
        raise StoppedError

    text = PATH.format(duration="2000000 s", drop="", capacity="", rate="5 Mbit/s of payload")
    with pytest.raises(StoppedError):
        cellway.run(cellway.Scenario.parse(text), stop)
