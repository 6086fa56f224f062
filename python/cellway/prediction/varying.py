"""A greedy TCP over a link whose rate varies: the renewal model, and limits of EFFCAP."""

from dataclasses import dataclass

from cellway.errors import TheoryError
from cellway.prediction.answer import Assumption, Predicted, Prediction, Refusal
from cellway.prediction.connections import Connection, outside
from cellway.prediction.facts import Facts, Table, seconds
from cellway.theory import (
    RenewalThroughput,
    TwoRatePath,
    feedback_limits,
    renewal_throughput,
)
from cellway.theory.rates import PAYLOAD_PART

HEADERS = 40
"""Bytes of TCP and IP before the data of a segment, without options."""
TIMESTAMPS = 12
WHOLE = 0.01
"""Size of a part of a packet that is neglected: the model counts whole packets per round trip."""
SAID = {"slow_changes", "timeout"}
"""Assumptions of the model that the scenario decides."""
BY_NUMBERS = {"slow_start_lossless", "slow_start_fits", "back_to_back"}
"""Assumptions of the model that its parameters decide."""
SOURCE = "Shakkottai, Kumar, Karnik and Anvekar 2001, section III"


@dataclass(frozen=True)
class Varying:
    """A connection alone over one varying link.

    Attributes:
        one: the connection.
        link: the entry of the varying link in `explain`.
        said: its section in the resolved scenario.
    """

    one: Connection
    link: Table
    said: Table

    @property
    def round_trip(self) -> float:
        """Seconds of propagation, Δ."""
        return float(self.one.flow["propagation_rtt_seconds"])

    @property
    def packet(self) -> float:
        """Bits of a segment on the line, without headers of cells."""
        options = TIMESTAMPS if self.one.said["timestamps"] else 0
        overhead = str(self.said["carries"]["packets"]["overhead"]).split()[0]
        return 8 * (int(self.one.tcp["mss_bytes"]) + HEADERS + options + int(overhead))

    @property
    def has_headers(self) -> bool:
        """True if the headers of cells are on the line, though it carries packets."""
        return bool(self.said["carries"]["packets"]["cell_headers"])

    def per_round_trip(self, bits_per_second: float) -> float:
        """Packets per Δ of a rate."""
        return bits_per_second * self.round_trip / self.packet

    def data(self, packets: float) -> float:
        """Data rate in bit/s of so many packets per Δ."""
        return packets * self.one.segment / self.round_trip


def predicted(facts: Facts, flow: Table) -> Prediction | Refusal | None:
    """Prediction for a flow with `tcp` over a varying link; `None` for other flows."""
    names = [hop for hop in facts.hops(flow) if facts.varying([hop[1]])]
    if not flow["tcp"] or not names:
        return None
    one = Connection(facts, flow)
    reason = outside(one) or _outside(facts, one, names)
    if reason is not None:
        return Refusal(one.of, reason)
    (hop,) = names
    met = Varying(one, facts.link(*hop), facts.resolved["link"][hop[1]])
    pacing = facts.said(flow).get("pacing")
    word = "alone" if pacing is None else _word(pacing["rate"])
    if word == "effcap":
        return _limits(met)
    try:
        return _renewal(met, pacing)
    except TheoryError as error:
        return Refusal(one.of, str(error))


def _word(variant: object) -> str:
    return variant if isinstance(variant, str) else next(iter(variant))  # type: ignore[call-overload]


def _outside(facts: Facts, one: Connection, names: list[tuple[str, str]]) -> str | None:
    """Reason why the renewal model does not apply to this path; `None` if it does."""
    if len(names) > 1:
        return f"the rates of {len(names)} links vary; expected one"
    node, name = names[0]
    law = facts.link(node, name)["capacity"]["key"]
    if law != "two_state":
        return f"the rate of {name} varies as {law}; expected a constant one, or two_state"
    return _buffer_outside(facts, node, name) or _feedback_outside(facts, one, name)


def _buffer_outside(facts: Facts, node: str, name: str) -> str | None:
    port = next((p for p in facts.ports if (p["node"], p["link"]) == (node, name)), None)
    if port is None or facts.buffer(port) is None:
        return f"nothing limits what waits before {name}; expected a buffer of packets"
    if port["unit"] != "packet":
        return f"{name} carries cells; the renewal model expects packets"
    return None


def _feedback_outside(facts: Facts, one: Connection, name: str) -> str | None:
    if one.flow.get("loss"):
        return "lines lose packets; expected losses of the buffer alone"
    pacing = facts.said(one.flow).get("pacing")
    if pacing is not None and (pacing["link"] != name or pacing["sharers"] != 1):
        return f"it is told a part of {pacing['link']}; expected all of {name}"
    return None


def _renewal(met: Varying, pacing: Table | None) -> Prediction:
    capacity = met.said["capacity"]["two_state"]
    exact = [
        met.per_round_trip(met.link["capacity"][f"{which}_bits_per_second"])
        for which in ("max", "min")
    ]
    high, low = (round(packets) for packets in exact)
    port = next(
        port
        for port in met.one.facts.ports
        if (port["node"], port["link"]) == (met.link["from"], met.link["name"])
    )
    path = TwoRatePath(
        high,
        low,
        met.one.facts.buffer(port) or 0,
        seconds(capacity["mean_high"]) / met.round_trip,
        seconds(capacity["mean_low"]) / met.round_trip,
        int(met.one.tcp["window_segments"]),
    )
    if pacing is None:
        found = renewal_throughput(path, "alone")
        model = "renewal model, TCP alone"
    elif _word(pacing["rate"]) == "instcap":
        found = renewal_throughput(path, cell_headers=met.has_headers)
        model = "renewal model, TCP over INSTCAP"
    else:
        constant = met.per_round_trip(_rate(pacing["rate"]["constant"]))
        found = renewal_throughput(
            path, constant_rate=round(constant), cell_headers=met.has_headers
        )
        model = "renewal model, TCP over a constant rate"
    return Prediction(
        model, met.one.of, SOURCE, _numbers(met, found), _assumptions(met, found, pacing, exact)
    )


def _rate(text: object) -> float:
    """Bits per second of a rate in the resolved scenario."""
    number, unit = str(_plain(text)).split()[:2]
    return float(number) * {"bit/s": 1.0, "kbit/s": 1e3, "Mbit/s": 1e6, "Gbit/s": 1e9}[unit]


def _plain(value: object) -> object:
    return next(iter(value.values())) if isinstance(value, dict) else value


def _numbers(met: Varying, found: RenewalThroughput) -> tuple[Predicted, ...]:
    path = f"flows.{met.one.flow['name']}.throughput_bits_per_second"
    mean = found.mean_capacity
    each, most = (
        met.data(mean * part) for part in (found.efficiency.each_once, found.efficiency.optimistic)
    )
    return (
        Predicted("throughput, each packet counted once", each, "bit/s", path),
        Predicted("throughput, optimistic", most, "bit/s", path),
        Predicted("part of the mean capacity, each packet once", found.efficiency.each_once, "1"),
        Predicted("round trips in which a loss begins", found.losses_per_round_trip, "1"),
    )


def _assumptions(
    met: Varying, found: RenewalThroughput, pacing: Table | None, exact: list[float]
) -> tuple[Assumption, ...]:
    tcp, trip = met.one.said, met.round_trip
    slot = met.said["capacity"]["two_state"].get("slot")
    timers = next(iter(tcp["timers"].items())) if isinstance(tcp["timers"], dict) else ("", {})
    own = [
        Assumption(
            "whole packets per round trip",
            all(abs(round(packets) - packets) <= WHOLE * packets for packets in exact),
            " and ".join(f"{packets:.4g}" for packets in exact),
        ),
        Assumption(
            "the rate changes at multiples of the round trip",
            slot is not None and abs(seconds(slot) / trip - 1) < WHOLE,
            "at any time" if slot is None else f"in slots of {slot}",
        ),
        Assumption(
            "a loss is repaired by a timeout and slow start",
            tcp["recovery"] == "vanilla",
            f"recovery is {tcp['recovery']}",
        ),
        Assumption(
            "the timeout ends in the second round trip after that of the loss",
            timers[0] == "fixed",
            f"timers are {timers[0]}",
        ),
        Assumption(
            "every segment is acknowledged", tcp["ack"] == "every_segment", f"ack is {tcp['ack']}"
        ),
    ]
    if pacing is not None and _word(pacing["rate"]) == "instcap":
        heard = seconds(pacing["delay"]) / trip
        own.append(
            Assumption(
                "a rate is heard one round trip late",
                abs(heard - 1) <= 0.1,  # noqa: PLR2004
                f"{heard:.3g} round trips and the interval of {pacing['interval']}",
            )
        )
    if pacing is not None and not met.has_headers:
        own.append(Assumption("no headers of cells", True, "carries packets without cell_headers"))
    theirs = [
        Assumption(
            one.text,
            not one.violated if one.name in BY_NUMBERS else None,
            one.violated or "",
        )
        for one in found.assumptions
        if one.name not in SAID
    ]
    return (*own, *theirs)


def _limits(met: Varying) -> Prediction:
    law = met.link["capacity"]["law"]
    limits = feedback_limits(
        [state["bits_per_second"] for state in law],
        [state["part"] for state in law],
        PAYLOAD_PART if met.has_headers else 1.0,
    )
    part = met.one.segment / met.packet
    return Prediction(
        "limits of EFFCAP",
        met.one.of,
        "Shakkottai, Kumar, Karnik and Anvekar 2001, sections IV and V",
        (
            Predicted("throughput where changes are rare", limits.mean * part, "bit/s"),
            Predicted("where the memory has the lowest rate", limits.minimum * part, "bit/s"),
        ),
        (Assumption("the buffer loses nothing, and the window does not limit", None),),
    )
