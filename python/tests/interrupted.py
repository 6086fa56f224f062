"""Processes that save runs into one folder again and again, and checks of it meanwhile."""

import random
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from cellway import Run, Scenario, run
from common import SMALL

WRITER = """
import sys
from cellway import Run
runs = [Run.load(folder) for folder in sys.argv[2:]]
print("ready", flush=True)
while True:
    for run in runs:
        run.save(sys.argv[1])
"""


def saved_runs(folder: Path, count: int) -> list[Path]:
    """Runs of seeds from 1, of which each third has no series."""
    text = SMALL.replace('duration = "1 s"', 'duration = "50 ms"')
    folders = []
    for seed in range(1, count + 1):
        observed = text if seed % 3 else text.partition("[observe]")[0]
        scenario = Scenario.parse(observed).with_set("run.seed", seed)
        folders.append(run(scenario).save(folder / f"run-{seed}"))
    return folders


def writer(out: Path, sources: Sequence[Path]) -> "subprocess.Popen[str]":
    """A process that saves these runs in turns; it has read them when this returns."""
    command = [sys.executable, "-c", WRITER, str(out), *map(str, sources)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n", process.communicate()[1]
    return process


def stop(process: "subprocess.Popen[str]") -> None:
    """Kills a writer, which nothing else may have ended."""
    assert process.poll() is None, process.communicate()[1]
    process.send_signal(signal.SIGKILL)
    process.communicate()


def require_whole(out: Path, runs: Sequence[Path]) -> int:
    """The seed of the run in `out`, all of whose parts are of that run."""
    found = Run.load(out)
    seed = int(found.summary["seed"])
    expected = Run.load(runs[seed - 1])
    assert found.scenario == expected.scenario
    assert found.summary_json == expected.summary_json
    assert found.series_names == expected.series_names
    for name in found.series_names:
        assert found.series(name).value.tobytes() == expected.series(name).value.tobytes()
    return seed


def kill_again_and_again(folder: Path, kills: int) -> set[int]:
    """Kills a writer at random moments; the seeds of the runs that were found, whole each time."""
    chance = random.Random(1996)
    runs = saved_runs(folder, 6)
    out, found = folder / "out", set()
    began = time.monotonic()
    for one in reversed(runs):
        Run.load(one).save(out)
    # Two turns of a writer, however busy the machine is.
    longest = max(0.1, 2 * (time.monotonic() - began))
    (out / "notes.txt").write_text("mine")
    for _ in range(kills):
        process = writer(out, runs)
        time.sleep(chance.uniform(0.0, longest))
        stop(process)
        found.add(require_whole(out, runs))
        assert (out / "notes.txt").read_text() == "mine"
    Run.load(runs[0]).save(out)
    names = {file.name for file in out.iterdir()}
    assert names == {"cellway.json", "notes.txt", "scenario.toml", "series.npz", "summary.json"}
    return found
