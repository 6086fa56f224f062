"""Intervals hold as often as they say: the mean wait of M/D/1, by every method that gives one.

Replications of the simulator. Fixed before the trials: at a load of 0.6 the queue forgets in some
20 services, so that a warm-up of 10 ms, 2400 services, leaves no trace of the empty start, and 50
ms hold some hundred independent stretches, whose mean is nearly normal. The wait follows from the
queue by Little's law; the cell in service does not wait. Of 1000 trials 95 per cent are 950, with a
standard error of 7: within three of them either way.

Single runs: successive waits at a load of 0.9 by Lindley's recursion, 5000 services after an empty
start, which leaves no transient. They are correlated over some 175 waits. At every length and by
every method 93 per cent of the intervals hold the mean, of all of them or of those that are not
warned of, or nearly all are warned of or refused. docs/statistics.md has the numbers of
``CELLWAY_TRIALS=1000`` and its command; by default there are few trials.
"""

import math
import os
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
import pytest
from numpy.typing import NDArray

from cellway import Scenario, Study
from cellway.statistics import Estimate, RunLength, batch_means, estimate, mser5, worth

LOAD = 0.6
FULL = "CELLWAY_TRIALS" in os.environ
TRIALS = int(os.environ.get("CELLWAY_TRIALS", "500"))
REPLICATIONS = 10
SERVICE = 424 / 100e6
"""Seconds that a cell takes at the server."""

SCENARIO = f"""\
[run]
duration = "60 ms"
warm_up = "10 ms"
[host.a]
[host.b]
[switch.s]
[link.fast]
from = "a"
to = "s"
rate = "1000 Gbit/s of cell"    # so fast that arrivals at the switch are still Poisson
delay = "1 us"
[link.server]
from = "s"
to = "b"
rate = "100 Mbit/s of cell"
delay = "1 us"
[flow.poisson]
from = "a"
to = "b"
traffic.poisson = {{ rate = "{100 * LOAD} Mbit/s of cell" }}
"""


def test_95_per_cent_intervals_on_the_mean_wait_cover_it_in_95_per_cent_of_trials() -> None:
    study = Study(
        Scenario.parse(SCENARIO),
        replications=TRIALS * REPLICATIONS,
        responses={"queue": "ports.s.server.mean_queue", "busy": "ports.s.server.utilisation"},
    )
    results = study.run()
    both = zip(results.values("queue", 0), results.values("busy", 0), strict=True)
    waits = [(queue - busy) / (LOAD / SERVICE) for queue, busy in both]
    exact = LOAD / (2.0 * (1.0 - LOAD)) * SERVICE
    covered = 0
    for trial in range(TRIALS):
        found = estimate(waits[trial * REPLICATIONS : (trial + 1) * REPLICATIONS])
        covered += abs(found.mean - exact) <= (found.half_width or 0.0)
    print(f"covered in {covered} of {TRIALS} trials")  # noqa: T201
    assert abs(covered - 0.95 * TRIALS) <= 3.0 * math.sqrt(0.95 * 0.05 * TRIALS)


HEAVY = 0.9
WAIT = HEAVY / (2.0 * (1.0 - HEAVY))
"""In services."""
EMPTY = 5000
FEW = {5_000: (60, 30), 20_000: (40, 10), 100_000: (10, 2)}
"""Waits of a run, and trials by default: of single runs, and of ten runs."""
BAR = 0.93
"""The part of the intervals of 95 per cent that must hold, of those given without a warning."""
NEARLY_ALL = 0.95
"""The part of the trials that must be warned of, or refused, where fewer hold."""
Waits = NDArray[np.float64]


def waits(length: int, count: int) -> Iterator[Waits]:
    """Successive waits of `count` independent runs."""
    draw = np.random.default_rng(length)
    for _ in range(count):
        steps = 1.0 - draw.exponential(1.0 / HEAVY, EMPTY + length)
        walk = np.concatenate(([0.0], np.cumsum(steps[:-1])))
        yield (walk - np.minimum.accumulate(walk))[EMPTY:]


def truncation(values: Waits) -> tuple[int, bool]:
    """What `mser5` deletes and whether it accepts that, in a hundredth of its time."""
    count = len(values) // 5
    off = values[: 5 * count].reshape(count, 5).mean(axis=1)[::-1] - values.mean()
    size = np.arange(1, count + 1)
    squares = np.cumsum(off**2) - np.cumsum(off) ** 2 / size
    deleted = int(np.argmin((squares / size**2)[::-1][: count - 4]))
    return 5 * deleted, 2 * deleted <= count


@dataclass
class Tally:
    """How many intervals of a method hold, by whether they are warned of."""

    warned: list[bool] = field(default_factory=list)
    given: list[bool] = field(default_factory=list)
    refused: int = 0

    def add(self, found: Estimate | None, warning: str) -> None:
        if found is None or found.half_width is None:
            self.refused += 1
        else:
            (self.warned if warning else self.given).append(
                abs(found.mean - WAIT) <= found.half_width
            )

    def __str__(self) -> str:
        every = [*self.warned, *self.given]
        kinds = {"all": every, "warned": self.warned, "given": self.given}
        said = [f"{name} {held(found)}" for name, found in kinds.items() if found]
        return ", ".join([f"refused {self.refused}", *said])

    def holds(self) -> bool:
        """Whether intervals reach the bar, all or those not warned of, or nearly all are warned."""
        trials = self.refused + len(self.warned) + len(self.given)
        rest = 1.0 - NEARLY_ALL
        spread = 0.0 if FULL else 3.0 * math.sqrt(rest * NEARLY_ALL / trials)
        if len(self.given) <= (rest + spread) * trials:
            return True
        return any(reaches_bar(found) for found in (self.given, [*self.warned, *self.given]))


def error(count: int) -> float:
    """The standard error of the part that holds of `count` intervals at the bar."""
    return math.sqrt(BAR * (1.0 - BAR) / count)


def reaches_bar(found: list[bool]) -> bool:
    return sum(found) / len(found) >= BAR - (0.0 if FULL else 3.0 * error(len(found)))


def held(found: list[bool]) -> str:
    part = 100.0 * sum(found) / len(found)
    return f"{part:.1f} ± {100.0 * error(len(found)):.1f} % of {len(found)}"


def alone(values: list[float], *, warm_up: bool) -> tuple[Estimate | None, str]:
    """By batch means of one run."""
    try:
        found = batch_means(values, warm_up=warm_up)
    except ValueError:
        return None, ""
    return found.estimate, found.warning


def together(runs: list[Waits], *, truncated: bool) -> tuple[Estimate | None, str]:
    """By Student's t over runs, as a study does it; without those that MSER-5 refuses."""
    if truncated:
        judged = [(run, *truncation(run)) for run in runs]
        runs = [run[deleted:] for run, deleted, accepted in judged if accepted]
    if not runs:
        return None, ""
    length = RunLength.of([worth(run) for run in runs], truncated=truncated)
    return estimate([float(run.mean()) for run in runs]), length.warning


@pytest.mark.parametrize("length", FEW)
def test_the_fast_truncation_is_that_of_mser5(length: int) -> None:
    for run in waits(length, 3):
        found = mser5(run.tolist())
        assert truncation(run) == (found.observations, found.accepted)


@pytest.mark.parametrize("length", FEW)
def test_intervals_of_one_run_and_of_ten_hold_or_are_warned_of(length: int) -> None:
    """Runs of 5000 waits are worth 28 independent values, and their means are skewed."""
    single, of_ten = (TRIALS, TRIALS) if FULL else FEW[length]
    tallies: dict[str, Tally] = defaultdict(Tally)
    runs: list[Waits] = []
    for number, run in enumerate(waits(length, REPLICATIONS * of_ten)):
        if number < single:
            values = run.tolist()
            tallies["batch means"].add(*alone(values, warm_up=False))
            tallies["batch means behind MSER-5"].add(*alone(values, warm_up=True))
        runs.append(run)
        if len(runs) == REPLICATIONS:
            tallies["ten runs"].add(*together(runs, truncated=False))
            tallies["ten runs, each behind MSER-5"].add(*together(runs, truncated=True))
            runs = []
    for name, tally in tallies.items():
        print(f"{length} waits, {name}: {tally}")  # noqa: T201
    assert [name for name, tally in tallies.items() if not tally.holds()] == []
