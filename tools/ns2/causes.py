"""Causes of the difference of a case, as far as facts of the run show them."""

from typing import Any, NamedTuple

from cases import Case, Pair
from parting import APART, Parted, Sent
from peer import Found
from receiver import met

INFINITE = float("inf")
TO_SENDER = 0.05
SAME = APART / 10
THRESHOLD = 3
BURST = 2
AGREED = ("agree", "one ACK apart")


class Repairs(NamedTuple):
    """Instants of repairs; infinite if there is none."""

    begins: float = INFINITE
    # True if half of the outstanding data is a whole number of segments then.
    is_even: bool = True
    # The ACK of all that had been sent before the first repair.
    ends: float = INFINITE
    # Whether nothing else was outstanding then.
    is_empty: bool = False
    times_out: float = INFINITE
    # True if three duplicate ACKs had come before the first timeout, since the last new ACK.
    in_recovery: bool = False
    # The first fast retransmit after that.
    needless: float = INFINITE
    # The first with one of the two duplicate ACKs of which limited transmit makes use.
    limited: float = INFINITE


def end(sent: Sent, heard: Sent, highest: int) -> dict[str, Any]:
    """Repairs of the recovery from losses among the segments up to `highest`."""
    for at, acked in heard:
        if acked >= highest:
            outstanding = (segment for instant, segment in sent if instant < at - SAME)
            return {"ends": at, "is_empty": max(outstanding) <= acked}
    return {}


def repairs(sent: Sent, heard: Sent) -> Repairs:
    """Finds repairs in sent and heard segments: repairs that no ACK triggers are timeouts.

    A repeated repair at the instant of a duplicate ACK that is not the third is one, too.
    """
    of, highest, again = Repairs(), -1, set[int]()
    for instant, segment in sent:
        if segment <= highest:
            if of.begins == INFINITE:
                of = of._replace(begins=instant, **end(sent, heard, highest))
                of = of._replace(is_even=(highest - segment) % 2 == 1)
            before = [last for at, last in heard if at < instant + SAME]
            duplicates = before.count(before[-1]) - 1 if before else 0
            has_ack = any(abs(at - instant) < SAME for at, _ in heard)
            if not has_ack or (segment in again and duplicates > THRESHOLD):
                if of.times_out == INFINITE:
                    of = of._replace(times_out=instant, in_recovery=duplicates >= THRESHOLD)
            elif instant > of.times_out and duplicates == THRESHOLD:
                of = of._replace(needless=min(of.needless, instant))
            elif 0 < duplicates < THRESHOLD:
                of = of._replace(limited=min(of.limited, instant))
            again.add(segment)
        highest = max(highest, segment)
    return of


def name(pair: Pair, case: Case, found: Found, own: Sent, parted: Parted) -> str:
    """Name of the first difference of a kind that the page lists, at or before the parting."""
    if parted.at is None:
        return AGREED[parted.rounded > 0]
    seen, of = met(found.arrived, delayed=case.delayed), repairs(found.sent, found.heard)
    now = parted.instant + APART
    together = [segment for at, segment in own if abs(at - parted.instant) < APART]
    is_new_reno = "Newreno" in pair.agent
    reasons = {
        "first segment": 0 in case.lost and pair.has_recover,
        "last segment again": seen.last_again + TO_SENDER < now,
        "advancing report": "Sack" in pair.agent and seen.advancing_report + TO_SENDER < now,
        "pipe": pair.rule == "sack" and len(case.lost) > 1 and of.begins < now,
        "old data": pair.settings.get("singledup_") == 1 and of.limited < now,
        "timeout in recovery": of.times_out < now and of.in_recovery,
        "floor": pair.agent == "TCP/Reno" and of.needless < now,
        "timeout": is_new_reno and of.times_out < now,
        "burst of two": is_new_reno and of.begins < now < of.ends and len(together) > BURST,
        "fraction": pair.halves_fraction and case.path.avoids and of.begins < now,
        "nothing outstanding": pair.adds_flight and of.is_empty and of.ends < now,
        "half": pair.halves_flight and not of.is_even and of.begins < now,
    }
    return next((reason for reason, applies in reasons.items() if applies), "unexplained")
