"""A run as a data file of Flent, version 4 of its format, which ``flent --plot`` and its GUI open.

A flow with `tcp` is an upload of the test ``tcp_nup``: ``TCP upload::1`` and so on, Mbit/s. Round
trips that TCP timed stand in the place of ping, the mean over the flows. Flent interpolates between
its points; here each point is the mean of its interval.
"""

from typing import Any

from cellway.export.sampled import exported_flows, intervals_of
from cellway.runs.runs import Run

VERSION = 4
PING = "Ping (ms) ICMP"
EPOCH = "1970-01-01T00:00:00.000000Z"
"""Instant of every file: a run has no date, and equal runs have equal files."""


def document(run: Run, interval: float) -> dict[str, Any]:
    """The document, of which ``json.dumps`` makes the text.

    Args:
        run: with series `acked` of flows with `tcp`; `cwnd` and `rtt` if it has them.
        interval: length of the intervals, seconds, from the start of the run.

    Raises:
        NotRecordedError: no flow has the series.
    """
    flows = exported_flows(run)
    duration = run.summary["duration_s"]
    points = int(duration / interval + 1e-9)
    rates: dict[str, list[float | None]] = {}
    times: list[list[float]] = [[] for _ in range(points)]
    for number, name in enumerate(flows, start=1):
        parts = list(intervals_of(run, name, interval, 0.0, interval * points))
        rates[f"TCP upload::{number}"] = [_megabits(part.acked, interval) for part in parts]
        for row, part in enumerate(parts):
            times[row] += [] if part.rtt is None else [1e3 * part.rtt]
    sums = [sum(row) for row in zip(*rates.values(), strict=True)]
    return {
        "version": VERSION,
        "metadata": _metadata(run, flows, interval, points),
        "x_values": [interval * (row + 1) for row in range(points)],
        "results": {
            **rates,
            "TCP upload sum": sums,
            "TCP upload avg": [total / len(flows) for total in sums],
            PING: [sum(row) / len(row) if row else None for row in times],
        },
        "raw_values": {},
    }


def _megabits(transferred: int, seconds: float) -> float:
    return 8e-6 * transferred / seconds


def _metadata(run: Run, flows: list[str], interval: float, points: int) -> dict[str, Any]:
    return {
        "NAME": "tcp_nup",
        "TITLE": run.summary["scenario"],
        "NOTE": f"cellway {run.summary['version']}, model {run.model}, "
        f"seed {run.summary['seed']}; flows {', '.join(flows)}",
        "TIME": EPOCH,
        "T0": EPOCH,
        "LENGTH": interval * points,
        "TOTAL_LENGTH": interval * points,
        "STEP_SIZE": interval,
        "HOST": flows[0],
        "HOSTS": [flows[0]],
        "LOCAL_HOST": "cellway",
        "DATA_VERSION": VERSION,
        "TEST_PARAMETERS": {"upload_streams": str(len(flows))},
        "SERIES_META": {
            f"TCP upload::{number}": {"UNITS": "Mbits/s"} for number in range(1, len(flows) + 1)
        }
        | {PING: {"UNITS": "ms"}},
    }
