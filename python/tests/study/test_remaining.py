"""Remaining time of studies: estimates against what it then was."""

import heapq
import json
import random
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from cellway import Scenario, Study
from cellway.study import Part
from cellway.study.database import only_writer
from cellway.study.remaining import FILE, Progress, Timed, progress_of, remaining_seconds
from cellway.study.store import Store
from common import Command, known, refused
from started import MAIN
from study.texts import BESIDE, lasting

SHARES = (0.25, 0.5, 0.75)


def study_of(replications: int = 4, duration: str = "20 ms") -> Study:
    return Study(
        Scenario.parse(lasting(duration, BESIDE)),
        {"flow.bulk.tcp.window": ["16 KiB", "32 KiB", "64 KiB"]},
        replications=replications,
    )


def runs_of(seed: int) -> list[tuple[Timed, float]]:
    """Ten points of ten runs whose estimates are wrong by up to a factor of two, and their times.

    One of each point comes first, and then the longest, by the estimate, as in a study.
    """
    chance = random.Random(seed)
    runs: list[tuple[bool, Timed, float]] = []
    for point in range(10):
        expected = chance.uniform(0.5, 5.0)
        wrong = chance.uniform(0.5, 2.0)
        runs += [
            (number > 0, Timed(point, expected), expected * wrong * chance.uniform(0.8, 1.25))
            for number in range(10)
        ]
    runs.sort(key=lambda run: (run[0], -run[1].expected))
    return [run[1:] for run in runs]


def ended(runs: list[tuple[Timed, float]], workers: int) -> list[float]:
    """When each run ends on a clock that stands in for the real one."""
    free = [0.0] * workers
    ends = []
    for _, seconds in runs:
        ends.append(heapq.heappop(free) + seconds)
        heapq.heappush(free, ends[-1])
    return ends


def estimates(workers: int, seed: int) -> Iterator[tuple[float, float]]:
    """The estimate at a quarter, the half and three quarters, and the time that is left."""
    runs = runs_of(seed)
    ends = ended(runs, workers)
    whole = max(ends)
    for share in SHARES:
        now = share * whole
        both = list(zip(runs, ends, strict=True))
        done = [Timed(one.kind, one.expected, took) for (one, took), end in both if end <= now]
        left = [one for (one, _), end in both if end > now]
        found = remaining_seconds(done, left, now, workers)
        assert found is not None
        yield found, whole - now


@pytest.mark.parametrize("workers", [1, 2, 8])
@pytest.mark.parametrize("seed", range(10))
def test_estimates_are_right_within_half(workers: int, seed: int) -> None:
    for found, exact in estimates(workers, seed):
        assert exact / 1.5 < found < exact * 1.5


@pytest.mark.parametrize("seed", range(5))
def test_several_machines_end_with_the_slowest(seed: int) -> None:
    """Parts of equal work on machines of 1, 2 and 8 cores, asked at shares of the slowest."""
    ends = {workers: ended(runs_of(seed), workers) for workers in (1, 2, 8)}
    whole = max(ends[1])
    for share in SHARES:
        found = []
        for workers, of_machine in ends.items():
            both = list(zip(runs_of(seed), of_machine, strict=True))
            now = share * whole
            done = [Timed(one.kind, one.expected, t) for (one, t), end in both if end <= now]
            left = [one for (one, _), end in both if end > now]
            found.append(known(remaining_seconds(done, left, now, workers)))
        assert (1.0 - share) * whole / 1.5 < max(found) < (1.0 - share) * whole * 1.5


def test_a_last_run_alone_takes_as_long_as_two_side_by_side() -> None:
    """Five equal runs by two workers, on a machine where each takes thrice its CPU time."""
    done = [Timed(0, 1.0, 2.0, 6.0)] * 2
    assert remaining_seconds(done, [Timed(0, 1.0)] * 3, 6.0, 2) == pytest.approx(12.0)
    assert remaining_seconds(done, [Timed(0, 1.0)] * 3, 9.0, 2) == pytest.approx(9.0)


def test_time_beside_short_runs_goes_on() -> None:
    """Of 2 ms that a run takes, half is for its row and table: 100 s are left for 50 000."""
    done = [Timed(0, 1.0, 0.001)] * 1000
    left = [Timed(0, 1.0)] * 50_000
    assert remaining_seconds(done, left, 2.0, 1) == pytest.approx(100.0, rel=0.01)


def test_nothing_is_known_before_the_first_run_and_nothing_is_left_after_the_last() -> None:
    assert remaining_seconds([], [Timed(0, 1.0)], 5.0) is None
    assert remaining_seconds([Timed(0, 1.0, 2.0)], [], 5.0) == 0.0


def test_a_folder_says_since_when_it_runs(tmp_path: Path) -> None:
    """Half of the runs were there before; of the other twelve three took 6 seconds."""
    study_of(4).run(tmp_path)
    (tmp_path / FILE).write_text(json.dumps({"started": 1000.0, "after_row": 9, "workers": 1}))
    grown = study_of(8)
    text = (tmp_path / "study.toml").read_text().replace("replications = 4", "replications = 8")
    (tmp_path / "study.toml").write_text(text)
    assert progress_of(tmp_path).elapsed is None  # Left by a process that was killed.
    with only_writer(tmp_path):
        found = progress_of(tmp_path, now=1006.0)
    assert (found.done, found.runs, found.elapsed) == (12, 3 * grown.min_replications, 6.0)
    assert found.remaining == pytest.approx(12 / 3 * 6.0, rel=0.6)


def test_a_folder_at_rest_is_not_running(tmp_path: Path, cellway: Command) -> None:
    study_of(2).run(tmp_path / "whole")
    assert not (tmp_path / "whole" / FILE).exists()
    study_of(2).replaced(part=Part(1, 2)).run(tmp_path / "part")
    said = cellway("progress", tmp_path / "whole", tmp_path / "part")
    assert said.stderr == ""
    assert said.stdout.count("none") == 2
    assert "6 of 6" in said.stdout
    assert "3 of 3" in said.stdout
    assert "expected the folder of a study" in refused(cellway, "progress", "nowhere")


def test_a_study_that_runs_says_how_long_it_will(tmp_path: Path) -> None:
    """A real one. Other programs may take the machine, so its work is measured in CPU time."""
    (tmp_path / "base.toml").write_text(lasting("2 s", BESIDE))
    (tmp_path / "real.toml").write_text(
        '[study]\nscenario = "base.toml"\nreplications = 60\n[factor.window]\n'
        'key = "flow.bulk.tcp.window"\nlevels = ["16 KiB", "32 KiB", "64 KiB", "128 KiB"]\n'
    )
    out = tmp_path / "out"
    command = [sys.executable, "-c", MAIN, "study", "real.toml", "--out", "out", "--workers", "1"]
    running = subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.DEVNULL)
    seen: dict[float, Progress] = {}
    while running.poll() is None:
        time.sleep(0.05)
        if (out / FILE).exists() and (out / "runs.sqlite").exists():
            found = progress_of(out)
            share = next((one for one in SHARES if one not in seen), None)
            if found.remaining is not None and share and found.done >= share * found.runs:
                seen[share] = found
    assert running.returncode == 0
    assert list(seen) == list(SHARES)
    assert not (out / FILE).exists()
    with Store.read(out) as store:
        keys = [key for _, key, _, _ in sorted(store.times())]
        cpu = [one.cpu_seconds for one in store.records(keys)]
    for found in seen.values():
        exact = known(found.elapsed) * sum(cpu[found.done :]) / sum(cpu[: found.done])
        assert exact / 1.5 < known(found.remaining) < exact * 1.5
