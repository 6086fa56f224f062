"""Signals while a single step of a run, or what follows it, takes minutes."""

import signal
import threading
import time
from pathlib import Path

import pytest

import cellway
from common import ROOT, known, text_of
from started import ended_by, process_of

PATH = text_of("datagrams.toml")


def path(duration: str, rate: str, capacity: str = "", drop: str = "") -> str:
    text = PATH.replace('duration = "1 s"', f'duration = "{duration}"').replace("1 Mbit/s", rate)
    return text.replace("[link.access]", f"{drop}[link.access]").replace(
        "[flow.f]", f"{capacity}[flow.f]"
    )


OFTEN = """\
capacity.two_state = { high = "2 bit/s of line", low = "1 bit/s of line", mean_high = "1 us",
    mean_low = "1 us" }
"""
PERIODIC = """\
capacity.steps = { rates = [["0 s", "5 Mbit/s of line"], ["0.5 us", "1 Mbit/s of line"]],
    period = "1 us" }
"""
STEPS = {
    "a packet is sent at ten thousand million rates": path("1 s", "1 Mbit/s", OFTEN),
    "as many changes of rate are between two packets": path("2000000 s", "1 bit/s", PERIODIC),
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
STUDY = text_of("delays.toml")


def _interrupted(
    arguments: list[str], folder: Path, number: signal.Signals, begun: str = "begun"
) -> None:
    """Code 130 and a line after a signal, which is sent once the file `begun` is there."""
    with process_of(COMMAND, arguments, folder) as process:
        end = time.monotonic() + 30
        while not (folder / begun).exists() and time.monotonic() < end:
            time.sleep(0.05)
        _, stderr = ended_by(number, process)
    assert stderr.endswith("interrupted\n")
    assert "Traceback" not in stderr


@pytest.mark.parametrize("step", STEPS)
def test_a_signal_is_heard_within_a_step(step: str, tmp_path: Path) -> None:
    """Only SIGKILL ended such runs: they looked up between steps alone."""
    (tmp_path / "line.toml").write_text(STEPS[step])
    _interrupted(["run", "line.toml"], tmp_path, signal.SIGTERM)


def test_updates_of_a_drop_probability_at_rest_take_no_time() -> None:
    """Two million million of them between two packets are passed over once p is 0."""
    text = path("2000000 s", "1 bit/s", drop='drop.pie.update = "1 us"\n')
    begun = time.process_time()
    cellway.run(cellway.Scenario.parse(text))
    assert time.process_time() - begun < 20


def test_a_study_does_not_wait_for_the_end_of_a_step(tmp_path: Path) -> None:
    (tmp_path / "line.toml").write_text(next(iter(STEPS.values())))
    (tmp_path / "study.toml").write_text(STUDY)
    arguments = ["study", "study.toml", "--out", "out"]
    _interrupted(arguments, tmp_path, signal.SIGINT, "out/runs.sqlite")


def test_a_comparison_with_theory_is_ended_by_a_signal(tmp_path: Path) -> None:
    """Its runs are in threads of their own, which hear no signals, and were waited for."""
    file = tmp_path / "lossy.toml"
    text = (ROOT / "scenarios" / "random-loss.toml").read_text()
    file.write_text(text.replace("550 s", "2000000 s"))
    _interrupted(["compare", file.name], tmp_path, signal.SIGINT)


def test_a_list_of_rates_that_would_fill_the_memory_is_refused() -> None:
    """It took all memory of the machine, and heard no signal."""
    short, long = (
        cellway.Scenario.parse(path(duration, "1 Mbit/s", PERIODIC)) for duration in ("1 s", "3 s")
    )
    assert len(known(short.capacity("line")).times) == 2_000_000
    with pytest.raises(cellway.ScenarioError, match="link line changes more than 4000000 times"):
        long.capacity("line")


def test_a_run_raises_what_its_progress_raises() -> None:
    """What is called is called in the thread that called, whoever runs."""

    def stop(_at: float, _duration: float) -> None:
        assert threading.current_thread() is threading.main_thread()
        raise InterruptedError

    with pytest.raises(InterruptedError):
        cellway.run(cellway.Scenario.parse(path("2000000 s", "5 Mbit/s")), stop)
