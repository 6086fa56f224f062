"""The part of a run that a figure shows, and the line that says what it is."""

from cellway.plot.curves import owner, recorded_series
from cellway.plot.throughput import mean_rate, rate_text
from cellway.runs.measured import way_text
from cellway.runs.runs import Run, sent_once


def is_part(run: Run, span: tuple[float, float]) -> bool:
    """True if `span` is a part of the run, for which numbers of the whole run would mislead."""
    return span != (0.0, run.summary["duration_s"])


def asked_span(run: Run, start: float, end: float | None) -> tuple[float, float]:
    """The span from `start` to `end`, or to the end of `run`.

    Raises:
        ValueError: `end` is not after `start`, or one of them lies beyond the end of `run`.
    """
    duration = run.summary["duration_s"]
    last = duration if end is None else end
    if max(start, last) > duration:
        raise ValueError(f"{max(start, last):g} s is beyond the end of the run at {duration:g} s")
    if not 0.0 <= start < last:
        raise ValueError(
            f"nothing lies between {start:g} and {last:g} s; a start before the end is accepted"
        )
    return start, last


def run_line(run: Run, span: tuple[float, float]) -> str:
    """The scenario, its seed, and throughput, retransmissions and timeouts of all flows.

    The whole run has the numbers of the measurement; a part has those of its recorded series.
    """
    text = f"{run.summary['scenario']}, seed {run.summary['seed']}"
    text += f", {way_text(run)}" if run.measured is not None else ""
    if is_part(run, span):
        text = f"{text}, {span[0]:g} to {span[1]:g} s"
        acked = recorded_series(run, "acked")
        if not acked or len(acked) < len(run.flows):
            return text
        once = [series for series in acked if "relay" not in run.flows[owner(series)]]
        return f"{text}: {rate_text(sum(mean_rate(series, span) for series in once))}"
    flows = run.flows.values()
    rate = sum(flow["measured_bits_per_second"] for flow in sent_once(run.flows))
    # A stack alone knows what it sends again.
    if run.stacks is not None or all(flow.get("segments_sent", 0) == 0 for flow in flows):
        return f"{text}: {rate_text(rate)}"
    again = sum(flow["retransmitted_segments"] for flow in flows)
    timeouts = sum(flow["timeouts"] for flow in flows)
    return (
        f"{text}: {rate_text(rate)}, {again} segment{'s' * (again != 1)} sent again, "
        f"{timeouts} timeout{'s' * (timeouts != 1)}"
    )
