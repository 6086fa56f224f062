"""Unit 5: what three lost segments cost under four rules of recovery, and the timer."""

from cellway.course.exercise import Exercise, Mistake, Unit
from cellway.course.setting import number, run_of

SEGMENT = 1460
FIRST, SECOND = 0.1, 0.14
"""Seconds of the two samples of the round trip."""
RULES = ("tahoe", "reno", "new_reno", "sack")
IN_FLIGHT = 25
"""Segments in flight when the first duplicate ACK comes in the laboratory."""


def repairs(rule: str) -> list[float]:
    """Instants of the laboratory at which segments are sent again, seconds."""
    at: list[float] = run_of("recovery", *_under(rule)).series("bulk.resent").time.tolist()
    return at


def threshold() -> float:
    """Bytes of ssthresh after the first loss, under New Reno."""
    return float(run_of("recovery", *_under("new_reno")).series("bulk.ssthresh").value[1])


def rto(*samples: float) -> float:
    """The retransmission timeout without bounds after these round trips (RFC 6298, section 2)."""
    smoothed, varied = samples[0], samples[0] / 2
    for sample in samples[1:]:
        varied = 0.75 * varied + 0.25 * abs(smoothed - sample)
        smoothed = 0.875 * smoothed + 0.125 * sample
    return smoothed + 4 * varied


def _under(rule: str) -> tuple[tuple[str, str], ...]:
    return (("flow.bulk.tcp.recovery", f'"{rule}"'),)


def _needs_timer(rule: str) -> bool:
    return number("recovery", "flows.bulk.timeouts", *_under(rule)) > 0


def _span(rule: str) -> float:
    """Seconds from the first repair to the last."""
    at = repairs(rule)
    return at[-1] - at[0]


_FIRST_RTO = Exercise(
    name="first_rto",
    text="The first sample of the round trip is 100 ms. What is the retransmission timeout by RFC "
    "6298, before its lower bound of 1 s, on a clock without ticks?",
    unit="ms",
    right=lambda: rto(FIRST),
    how="SRTT = R, RTTVAR = R/2, RTO = SRTT + 4 RTTVAR = 3 R.",
    tolerance=0.01,
    mistakes=(
        Mistake(lambda: FIRST + 4 * FIRST, "RTTVAR begins at half of the first sample"),
        Mistake(lambda: FIRST + FIRST / 2, "RTTVAR counts four times"),
        Mistake(lambda: 2 * FIRST, "2 × SRTT is the rule of RFC 793, without the variation"),
        Mistake(lambda: 1.0, "the lower bound is not asked for"),
    ),
)
_SECOND_RTO = Exercise(
    name="second_rto",
    text="The next sample is 140 ms. What is it now?",
    unit="ms",
    right=lambda: rto(FIRST, SECOND),
    how="RTTVAR = 3/4 × 50 + 1/4 × |100 - 140| = 47.5 ms first, with the old SRTT; then SRTT = 7/8 "
    "× 100 + 1/8 × 140 = 105 ms.",
    tolerance=0.005,
    mistakes=(
        Mistake(lambda: 3 * SECOND, "3 R is for the first sample alone"),
        Mistake(
            lambda: 0.105 + 4 * (0.75 * 0.05 + 0.25 * 0.035),
            "RTTVAR is calculated before SRTT, with the old one",
        ),
        Mistake(lambda: 0.105 + 0.0475, "RTTVAR counts four times"),
        Mistake(lambda: 0.105 + 4 * 0.05, "RTTVAR changes, too"),
    ),
)
_BACKOFF = Exercise(
    name="backoff",
    text="The timeout is 1 s, and the path is down. How long after it was sent is a segment "
    "sent again for the third time?",
    unit="s",
    right=lambda: float(sum(2**n for n in range(3))),
    how="Each timeout doubles the next one (RFC 6298, 5.5): 1 + 2 + 4.",
    tolerance=0.01,
    mistakes=(
        Mistake(lambda: 3.0, "the timeout doubles each time"),
        Mistake(lambda: 4.0, "this is the third timeout alone; two are before it"),
        Mistake(lambda: 8.0, "the third timeout is 4 s, and the sum of all 7 s"),
        Mistake(lambda: 6.0, "the timeout doubles; 1 + 2 + 3 adds a second each time"),
    ),
)
_THRESHOLD = Exercise(
    name="ssthresh",
    text=f"In the laboratory under New Reno {IN_FLIGHT} segments of {SEGMENT} bytes are in flight "
    "when the first duplicate ACK comes, and limited transmit sends one for each of the first two. "
    "The third one starts the repair. What is ssthresh then, by RFC 5681?",
    unit="kB",
    right=threshold,
    how="Half of what is in flight, 12.5 segments; limited transmit is left out (section 3.2).",
    tolerance=0.01,
    mistakes=(
        Mistake(
            lambda: threshold() + 3 * SEGMENT,
            "this is cwnd, which the three duplicate ACKs inflate; ssthresh is half of the flight",
        ),
        Mistake(
            lambda: float(IN_FLIGHT // 2 * SEGMENT),
            "rounded to whole segments, as Reno of BSD does; the RFC has bytes",
        ),
        Mistake(lambda: float(IN_FLIGHT * SEGMENT), "not halved"),
        Mistake(
            lambda: (IN_FLIGHT + 2) * SEGMENT / 2,
            "what limited transmit sends does not count as in flight here",
        ),
        Mistake(
            lambda: IN_FLIGHT * 1500 / 2, "ssthresh counts data, 1460 bytes of a packet of 1500"
        ),
    ),
)
_NEW_RENO = Exercise(
    name="new_reno",
    text="Three segments are lost in the laboratory. How long is it under New Reno from the first "
    "repair to the third?",
    unit="ms",
    right=lambda: _span("new_reno"),
    how="A repair each round trip, when the partial ACK of the one before has come: two round "
    "trips of 104 ms.",
    tolerance=0.05,
    mistakes=(
        Mistake(
            lambda: _span("new_reno") / 2,
            "one round trip; the partial ACK of the second repair takes another one",
        ),
        Mistake(
            lambda: 1.5 * _span("new_reno"), "the first repair is at 0: two round trips follow"
        ),
        Mistake(lambda: _span("sack"), "this is SACK, which knows all holes at once"),
        Mistake(lambda: _span("reno"), "this is Reno, which waits for the timer"),
    ),
)
_TIMER = Exercise(
    name="timer",
    text="Under which rule does the laboratory's connection need the retransmission timer?",
    unit="",
    right=lambda: next(rule for rule in RULES if _needs_timer(rule)),
    how="Reno ends its recovery at the first new ACK, halves again for the second loss, and then "
    "too few segments follow for three duplicate ACKs.",
    words=RULES,
    mistakes=(
        Mistake(
            lambda: "tahoe",
            "Tahoe begins anew from the first hole in slow start, and sends all later ones again",
        ),
        Mistake(lambda: "new_reno", "a partial ACK shows New Reno the next hole, without a timer"),
        Mistake(lambda: "sack", "the receiver's blocks show SACK all holes"),
    ),
)
UNIT = Unit(
    name="recovery",
    reading={
        "loss-episode.md": "three rules in time-sequence diagrams",
        "models/time-sequence.md": "how to read such a diagram",
        "models/tcp.md": "rules of recovery",
    },
    setting="recovery.toml",
    exercises=(_FIRST_RTO, _SECOND_RTO, _BACKOFF, _THRESHOLD, _NEW_RENO, _TIMER),
)
