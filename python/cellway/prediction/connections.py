"""A greedy TCP alone on its path: loss formulas, a window per round trip, the ceiling, a buffer."""

from dataclasses import dataclass
from typing import Literal

from cellway.prediction.answer import Assumption, Predicted, Prediction, Refusal
from cellway.prediction.facts import Facts, Table, seconds
from cellway.prediction.regions import CUBIC, SQUARE_ROOT, AtLoss, whole_rounds
from cellway.theory import (
    buffered_utilisation,
    cubic_rate,
    pftk_rates,
    square_root_rate,
    window_rate,
)

RENO_FAMILY = ("new_reno", "new_reno_steady", "hoe", "sack", "sack_pipe")
NEAR = 0.8
"""Part of the ceiling above which a queue lengthens the round trip."""
FEW_LOSSES = 100
AT_ONCE = 1e-9
"""Timeout in round trips that stands for one that takes no time."""
MANY_SEGMENTS = 20
"""Segments in a window from which the wait for a delayed acknowledgement is neglected."""


@dataclass(frozen=True)
class Connection:
    """A flow with `tcp`, alone on its path.

    Attributes:
        facts: of the scenario.
        flow: its entry in `explain`.
    """

    facts: Facts
    flow: Table

    @property
    def of(self) -> str:
        """Name of the flow, in words."""
        return f"flow {self.flow['name']}"

    @property
    def tcp(self) -> Table:
        """Entry of its transport in `explain`."""
        return self.flow["tcp"]  # type: ignore[no-any-return]

    @property
    def said(self) -> Table:
        """Section of its transport in the resolved scenario."""
        return self.facts.said(self.flow)["tcp"]  # type: ignore[no-any-return]

    @property
    def round_trip(self) -> float:
        """Round trip in seconds, with empty queues."""
        return float(self.tcp["unloaded_rtt_seconds"])

    @property
    def segment(self) -> int:
        """Data of a segment, in bits."""
        return 8 * int(self.tcp["mss_bytes"])

    @property
    def segments_per_ack(self) -> int:
        """Segments that one acknowledgement covers."""
        return 2 if self.said["ack"] == "delayed" else 1

    @property
    def timeout(self) -> float:
        """Timeout: the shortest allowed, or the round trip and a tick; a fixed one as it is."""
        ((word, timers),) = self.said["timers"].items()
        if word == "fixed":
            ((unit, value),) = timers["rto"].items()
            return seconds(value) if unit == "span" else float(value) * self.round_trip
        tick = "slow" if word == "bsd" else "granularity"
        return max(seconds(timers["min_rto"]), self.round_trip + seconds(timers[tick]))

    def throughput(self, value: float) -> Predicted:
        """Throughput, with its path in the summary of a run."""
        path = f"flows.{self.flow['name']}.throughput_bits_per_second"
        return Predicted("throughput", value, "bit/s", path)


def predicted(facts: Facts, flow: Table) -> Prediction | Refusal | None:
    """Prediction for a flow with `tcp`; `None` for other flows."""
    if not flow["tcp"]:
        return None
    one = Connection(facts, flow)
    reason = facts.varying([link for _, link in facts.hops(flow)]) or outside(one)
    if reason is not None:
        return Refusal(one.of, reason)
    loss = flow.get("loss")
    return _by_loss(one, loss) if loss else _without_loss(one)


def outside(one: Connection) -> str | None:
    """Reason why no formula applies to this flow; `None` if one does."""
    word, _ = one.facts.traffic(one.flow)
    if word != "greedy":
        return f"its traffic is {word}; expected greedy"
    others = _others(one.facts, one.flow)
    if others:
        return f"it shares {others[0]} with other flows; expected it alone"
    if one.flow["abr"]:
        return "it is paced by ABR; expected ubr"
    port = _bottleneck_port(one)
    if port is not None and len(port["queues"]) != 1:
        return f"service classes wait apart at {port['name']}; expected one class"
    for end in ("sender", "receiver"):
        if one.tcp[f"{end}_cpu_limit_bits_per_second"]:
            return f"the CPU of the {end} takes time; expected none"
    return None


def _others(facts: Facts, flow: Table) -> list[str]:
    """Links on its path that carry other traffic, too."""
    return [
        link
        for node, link in facts.hops(flow)
        if (found := facts.link(node, link))["flows"] != 1
        or found["raw_offered_bits_per_second"]
        or found["ack_flows"]
    ]


def _by_loss(one: Connection, loss: Table) -> Prediction | Refusal:
    p = loss["segment"]
    if not 0 < p < 1:
        return Refusal(one.of, f"{p:.3g} of its segments are lost; expected above 0 and below 1")
    model, source, rate, judged = _loss_formula(one, p)
    throughput = one.segment * rate
    ceiling = one.tcp["ceiling_bits_per_second"]
    lost = rate * p * one.facts.measured
    keys = _impairments(one)
    return Prediction(
        model,
        one.of,
        source,
        (
            one.throughput(min(throughput, ceiling)),
            Predicted("sent in a round trip", rate * one.round_trip, "segment"),
        ),
        (
            Assumption(
                "each segment is lost with one probability",
                keys <= {"loss", "periodic_loss"},
                f"{', '.join(sorted(keys))}: {p:.3g}",
            ),
            Assumption("acknowledgements are not lost", not loss["ack"], f"{loss['ack']:.3g}"),
            Assumption(
                "no queue: the line is not full",
                throughput < NEAR * ceiling,
                f"{throughput / ceiling:.0%} of the ceiling of {ceiling / 1e6:.4g} Mbit/s",
            ),
            *judged,
            Assumption(
                f"a run has at least {FEW_LOSSES} losses",
                lost >= FEW_LOSSES,
                f"{lost:.3g} in {one.facts.measured:g} s",
            ),
        ),
    )


def _loss_formula(one: Connection, p: float) -> tuple[str, str, float, tuple[Assumption, ...]]:
    """Name, source, segments per second that arrive, and assumptions on the repair of losses."""
    rule, law, b = one.said["recovery"], one.said["congestion"], one.segments_per_ack
    trip, most = one.round_trip, max(1, one.tcp["window_segments"])
    is_cubic = (law if isinstance(law, str) else next(iter(law))) == "cubic"
    if is_cubic or rule in RENO_FAMILY:
        if is_cubic:
            model, source = "response function of CUBIC", "RFC 9438, section 5.1"
            rate, region = cubic_rate(p, trip, max_window=most), CUBIC
        else:
            model, source = "square root", "Mathis, Semke, Mahdavi and Ott 1997"
            rate, region = square_root_rate(p, trip, b, most), SQUARE_ROOT
        distant = "periodic_loss" in _impairments(one)
        at = AtLoss(p, rate * trip, most, one.timeout / trip, distant)
        return model, source, rate * (1 - p), region.assumptions(at)
    rates = pftk_rates(p, trip, one.timeout, b, most)
    at_once = pftk_rates(p, trip, trip * AT_ONCE, b, most)
    reno = Assumption(
        "Reno: duplicate acknowledgements or the timer repair a loss",
        rule == "reno",
        f"recovery is {rule}",
    )
    source = "Padhye, Firoiu, Towsley and Kurose 1998, equation (37)"
    by_timer = 1 - rates.received / at_once.received
    return "PFTK", source, rates.received, (reno, whole_rounds(by_timer))


def _impairments(one: Connection) -> set[str]:
    links = (one.facts.link(*hop) for hop in one.facts.hops(one.flow))
    return {impairment["key"] for link in links for impairment in link.get("impairments") or ()}


def _without_loss(one: Connection) -> Prediction | Refusal:
    """Prediction without losses: the window limits below that of the path, else line and buffer."""
    ceiling, tcp = one.tcp["ceiling_bits_per_second"], one.tcp
    if tcp["window_segments"] == 0:
        return Refusal(one.of, "the window has no whole segment; expected one")
    window = float(tcp["window_segments"] * one.segment)
    found = window_rate(window, one.round_trip, ceiling)
    port = _bottleneck_port(one)
    size = None if port is None else one.facts.buffer(port)
    if port is not None and size is not None and found.queue > 0:
        per_segment = tcp["cells_per_segment"] if port["unit"] == "cell" else 1
        if found.queue / one.segment > size / per_segment:
            return _own_losses(one, size / per_segment, port["drop"])
    is_window = found.queue == 0
    return Prediction(
        "window per round trip" if is_window else "ceiling of the path",
        one.of,
        "one window per round trip; overheads of AAL5 or packets",
        (
            one.throughput(found.rate),
            Predicted("round trip", found.round_trip, "s", f"flows.{one.flow['name']}.rtt.mean_s"),
            Predicted("data that wait before the line", found.queue, "bit"),
        ),
        (*_steady(one), _acknowledged(one)),
    )


def _acknowledged(one: Connection) -> Assumption:
    """Assumption on windows of few segments, whose last one waits for a delayed acknowledgement."""
    few = one.tcp["window_segments"] < MANY_SEGMENTS
    each = one.segments_per_ack == 1
    ack = "every segment is acknowledged" if each else "delayed acknowledgements"
    return Assumption(
        "no segment waits for its acknowledgement",
        each or not few,
        f"{ack}, a window of {one.tcp['window_segments']} segments",
    )


def _own_losses(one: Connection, buffer: float, drop: str) -> Prediction | Refusal:
    ceiling, rule = one.tcp["ceiling_bits_per_second"], one.said["recovery"]
    path = ceiling * one.round_trip / one.segment
    law = one.said["congestion"]
    if law != "reno":
        return Refusal(one.of, "CUBIC overflows the buffer; expected congestion reno")
    if path < 4:  # noqa: PLR2004
        return Refusal(one.of, f"the path has {path:.3g} segments; expected four or more")
    model: Literal["tahoe", "reno"] = "tahoe" if rule in {"tahoe", "vanilla"} else "reno"
    used = buffered_utilisation(model, path, buffer / path, one.segments_per_ack)
    return Prediction(
        f"Lakshman and Madhow, {model}",
        one.of,
        "Lakshman and Madhow 1997",
        (
            one.throughput(used * ceiling),
            Predicted("part of the ceiling", used, "1"),
            Predicted("buffer over the path's window", buffer / path, "1"),
        ),
        (
            Assumption(
                "a loss is repaired at once and halves the window",
                rule not in {"vanilla", "hoe"},
                f"recovery is {rule}",
            ),
            Assumption("every loss is of one window that has grown by one segment", None),
            Assumption("only a full buffer discards", drop == "tail", drop),
            *_steady(one),
        ),
    )


def _bottleneck_port(one: Connection) -> Table | None:
    at = one.flow["bottleneck"]["at"]
    hops = one.facts.hops(one.flow)
    found = (port for port in one.facts.ports if port["link"] == at)
    return next((port for port in found if (port["node"], at) in hops), None)


def _steady(one: Connection) -> tuple[Assumption, ...]:
    start = one.tcp["long_path"]["slow_start"]
    warm_up = seconds(one.facts.resolved["run"].get("warm_up", "0 s"))
    over = start is None or start["seconds"] <= max(warm_up, one.facts.measured / 100)
    why = "" if start is None else f"{start['seconds']:.3g} s, warm-up {warm_up:g} s"
    return (Assumption("slow start is over, or takes a hundredth of the run", over, why),)
