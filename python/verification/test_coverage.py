"""Intervals hold as often as they say: the mean wait of M/D/1 in a thousand trials of ten runs.

Fixed before the trials: at a load of 0.6 the queue forgets in some 20 services, so that a warm-up
of 10 ms, 2400 services, leaves no trace of the empty start, and 50 ms hold some hundred independent
stretches, whose mean is nearly normal. The wait follows from the queue by Little's law; the cell in
service does not wait. Of 1000 trials 95 per cent are 950, with a standard error of 7: 930 to 970 is
three of them either way.
"""

from cellway import Scenario, Study
from cellway.statistics import estimate

LOAD = 0.6
TRIALS = 1000
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
    assert 930 <= covered <= 970
