"""A run as the JSON of ``iperf3 --json``: a stream for each flow, at its sender and receiver.

Differences: bytes of an interval are those that the receiver acknowledged in it, where iperf3
counts what the sender's socket has taken; intervals have no retransmissions, which are counted over
the measurement; instants are on the clock of the run, and intervals of the warm-up omitted ones,
as with ``--omit``.
"""

from typing import Any

from cellway.export.sampled import Interval, exported_flows, intervals_of
from cellway.runs.runs import Run

FIRST_SOCKET = 5
"""Number of the first stream; iperf3 names streams by descriptors of sockets."""
BLOCK = 131_072
"""Bytes of a write of iperf3."""
EPOCH = "Thu, 01 Jan 1970 00:00:00 GMT"
"""Date of every document: a run has none, and equal runs have equal documents."""


def document(run: Run, interval: float) -> dict[str, Any]:
    """The document, of which ``json.dumps`` makes the text.

    Args:
        run: with series `acked` of flows with `tcp`; `cwnd` and `rtt` if it has them.
        interval: length of the intervals, seconds.

    Raises:
        NotRecordedError: no flow has the series.
    """
    flows = exported_flows(run)
    warm_up, end = run.summary["warm_up_s"], run.summary["duration_s"]
    edges = [0.0, *([warm_up] if warm_up else []), end]
    by_flow = {name: list(intervals_of(run, name, interval, *edges)) for name in flows}
    sockets = {name: FIRST_SOCKET + number for number, name in enumerate(flows)}
    return {
        "start": _start(run, sockets),
        "intervals": [
            _interval(dict(zip(sockets.values(), row, strict=True)), omitted=row[0].end <= warm_up)
            for row in zip(*by_flow.values(), strict=True)
        ],
        "end": _end(run, sockets, by_flow),
    }


def _start(run: Run, sockets: dict[str, int]) -> dict[str, Any]:
    return {
        "connected": [
            {
                "socket": socket,
                "local_host": name,
                "local_port": 0,
                "remote_host": name,
                "remote_port": 0,
            }
            for name, socket in sockets.items()
        ],
        "version": f"cellway {run.summary['version']}",
        "system_info": f"model {run.model}, seed {run.summary['seed']}",
        "title": run.summary["scenario"],
        "timestamp": {"time": EPOCH, "timesecs": 0},
        "test_start": {
            "protocol": "TCP",
            "num_streams": len(sockets),
            "blksize": BLOCK,
            "omit": run.summary["warm_up_s"],
            "duration": run.summary["duration_s"],
            "bytes": 0,
            "blocks": 0,
            "reverse": 0,
        },
    }


def _rate(start: float, end: float, transferred: int) -> dict[str, Any]:
    seconds = end - start
    return {
        "start": start,
        "end": end,
        "seconds": seconds,
        "bytes": transferred,
        "bits_per_second": 8 * transferred / seconds if seconds > 0 else 0.0,
    }


def _interval(parts: dict[int, Interval], *, omitted: bool) -> dict[str, Any]:
    streams = [
        {
            "socket": socket,
            **_rate(part.start, part.end, part.acked),
            **({} if part.cwnd is None else {"snd_cwnd": part.cwnd}),
            **({} if part.rtt is None else {"rtt": _microseconds(part.rtt)}),
            "omitted": omitted,
            "sender": True,
        }
        for socket, part in parts.items()
    ]
    first, *_ = parts.values()
    total = _rate(first.start, first.end, sum(part.acked for part in parts.values()))
    return {"streams": streams, "sum": {**total, "omitted": omitted, "sender": True}}


def _end(run: Run, sockets: dict[str, int], by_flow: dict[str, list[Interval]]) -> dict[str, Any]:
    flows = {name: run.flows[name] for name in sockets}
    warm_up, end = run.summary["warm_up_s"], run.summary["duration_s"]
    streams = []
    for name, socket in sockets.items():
        flow = flows[name]
        start = max(warm_up, flow.get("start_s", warm_up))
        windows = [part.cwnd for part in by_flow[name] if part.cwnd is not None]
        rtt = flow["rtt"]
        times = {"max_rtt": rtt["max_s"], "min_rtt": rtt["min_s"], "mean_rtt": rtt["mean_s"]}
        streams.append(
            {
                "sender": {
                    "socket": socket,
                    **_rate(start, end, flow["acked_bytes"]),
                    "retransmits": flow["retransmitted_segments"],
                    **({"max_snd_cwnd": max(windows)} if windows else {}),
                    **{key: _microseconds(s) for key, s in times.items() if s is not None},
                    "sender": True,
                },
                "receiver": {
                    "socket": socket,
                    **_rate(start, end, flow["delivered_bytes"]),
                    "sender": True,
                },
            }
        )
    sent_again = sum(flow["retransmitted_segments"] for flow in flows.values())
    acked, delivered = (
        _rate(warm_up, end, sum(flow[key] for flow in flows.values()))
        for key in ("acked_bytes", "delivered_bytes")
    )
    return {
        "streams": streams,
        "sum_sent": {**acked, "retransmits": sent_again, "sender": True},
        "sum_received": {**delivered, "sender": True},
        "cpu_utilization_percent": dict.fromkeys(_PROCESSORS, 0.0),
    }


_PROCESSORS = [
    f"{end}_{kind}" for end in ("host", "remote") for kind in ("total", "user", "system")
]
"""Shares of a processor that iperf3 took; none in a run."""


def _microseconds(seconds: float) -> int:
    return round(1e6 * seconds)
