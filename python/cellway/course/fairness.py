"""Unit 4: Jain's index, max-min shares, and the round trips of flows that share a line."""

from cellway.course.exercise import Exercise, Mistake, Unit
from cellway.course.setting import number
from cellway.statistics.reductions import jain_index
from cellway.theory import Claim, max_min_shares, square_root_rate

RATES = (6.0, 2.0, 1.0, 1.0)
NEAR, FAR = 0.02, 0.14
"""Round trips of the laboratory's flows in seconds, with empty queues."""
FIRST, SECOND = 10e6, 6e6
"""Bit/s of the two lines of the second exercise."""
HALF = 4.87e6
"""Bit/s of data that are half of a line of 10 Mbit/s."""
QUEUES = ("tail", "codel", "pie", "fq_codel")


def _jain() -> float:
    return jain_index(RATES) or 0.0


def shares() -> list[float]:
    """Max-min shares of A, over both lines, B, over the first, C and D, over the second."""
    claims = [Claim([0, 1]), Claim([0]), Claim([1]), Claim([1])]
    return [share.rate for share in max_min_shares([FIRST, SECOND], claims)]


def _law_ratio() -> float:
    return square_root_rate(0.01, NEAR) / square_root_rate(0.01, FAR)


def measured_ratio() -> float:
    """Goodput of the near flow over that of the far one, in the laboratory under tail drop."""
    near, far = (
        number("fairness", f"flows.{flow}.throughput_bits_per_second") for flow in ("near", "far")
    )
    return near / far


def fairness_of(queue: str) -> float:
    """Jain's index of both flows in the laboratory."""
    return number("fairness", "groups.tcp.fairness", ("switch.router.drop", f'"{queue}"'))


def _with_queue() -> float:
    return number("fairness", "flows.far.rtt.mean_s") / number("fairness", "flows.near.rtt.mean_s")


_JAIN = Exercise(
    name="jain",
    text="Four flows get 6, 2, 1 and 1 Mbit/s. What is Jain's index?",
    unit="1",
    right=_jain,
    how="(Σx)² / (n Σx²) = 100 / (4 × 42).",
    mistakes=(
        Mistake(lambda: 1 / _jain(), "inverted; it is 1 at most"),
        Mistake(lambda: 4 * _jain(), "the number of flows is forgotten"),
        Mistake(lambda: 10 / (4 * 42), "the sum is not squared"),
        Mistake(lambda: min(RATES) / max(RATES), "that is the minimum over the maximum"),
    ),
)
_MAX_MIN = Exercise(
    name="max_min",
    text="Flow A crosses a line of 10 Mbit/s and one of 6 Mbit/s; B crosses the first line alone, "
    "C and D the second alone. What is B's max-min fair rate?",
    unit="Mbit/s",
    right=lambda: shares()[1],
    how="The second line gives A, C and D 2 Mbit/s each; A cannot use more of the first, so B has "
    "the other 8.",
    mistakes=(
        Mistake(lambda: FIRST / 2, "A cannot use its half of the first line: B may have the rest"),
        Mistake(lambda: FIRST - SECOND / 2, "three flows share the second line, not two"),
        Mistake(lambda: FIRST, "A crosses this line, too"),
        Mistake(lambda: SECOND / 3, "this is A's rate; B does not cross the second line"),
    ),
)
_LAW = Exercise(
    name="law_ratio",
    text="Two Reno flows with segments of one size see the same loss probability; their round "
    "trips are 20 and 140 ms. How many times as fast is the near one, by the square-root law?",
    unit="1",
    right=_law_ratio,
    how="The rate is proportional to 1/RTT: 140 / 20.",
    mistakes=(
        Mistake(
            lambda: _law_ratio() ** 2,
            "squared: that is for flows that lose at the same instants, not with one probability",
        ),
        Mistake(lambda: _law_ratio() ** 0.5, "the root is of the loss, not of the round trip"),
        Mistake(lambda: 1 / _law_ratio(), "inverted: the near one is the faster one"),
        Mistake(lambda: 1.0, "a window grows once per round trip, and so seven times as often"),
    ),
)
_MEASURED = Exercise(
    name="measured_ratio",
    text="How many times as fast is the near flow in the laboratory, with tail drop?",
    unit="1",
    right=measured_ratio,
    how="The queue makes both round trips longer; their ratio is about 3. But both windows are "
    "halved about equally often, and that of the near flow grows again three times as fast. So the "
    "ratio of rates tends to the square of 3.",
    tolerance=0.05,
    mistakes=(
        Mistake(
            _law_ratio,
            "that takes one loss probability for both and no queue; the far flow loses a larger "
            "part of its segments",
        ),
        Mistake(
            _with_queue,
            "that takes one loss probability for both; the far flow loses a larger part",
        ),
        Mistake(lambda: 1 / measured_ratio(), "inverted: the near one is the faster one"),
        Mistake(lambda: 1.0, "tail drop does not share a line equally between round trips"),
    ),
)
_WINDOW = Exercise(
    name="fair_window",
    text="The far flow of the laboratory gets half of the line, 4.87 Mbit/s of data, and the queue "
    "stays empty. How large is its window on average?",
    unit="kB",
    right=lambda: HALF * FAR / 8,
    how="A window per round trip: 4.87 Mbit/s × 140 ms / 8.",
    mistakes=(
        Mistake(lambda: HALF * NEAR / 8, "this is the window of the near flow"),
        Mistake(lambda: HALF * FAR / 2 / 8, "one way; a window is acknowledged in a round trip"),
        Mistake(lambda: HALF * FAR, "in bits: divide by 8"),
        Mistake(lambda: 2 * HALF * FAR / 8, "this is the window for the whole line"),
    ),
)
_QUEUE = Exercise(
    name="queue",
    text="Under which queue is Jain's index of the laboratory's two flows largest?",
    unit="",
    right=lambda: max(QUEUES, key=fairness_of),
    how="FQ-CoDel serves the flows in turn, so each gets half as long as it has packets waiting. "
    "The others have one queue, in which rates follow the round trips.",
    words=QUEUES,
    mistakes=(
        Mistake(
            lambda: "tail",
            "one queue, in which the shorter round trip wins more than under the others",
        ),
        Mistake(lambda: "codel", "a short queue, but one for both: the shorter round trip wins"),
        Mistake(lambda: "pie", "a short queue, but one for both: the shorter round trip wins"),
    ),
)
UNIT = Unit(
    name="fairness",
    reading={
        "models/groups.md": "Jain's index of groups of flows",
        "theory.md": "max-min shares; the square-root law",
    },
    setting="fairness.toml",
    exercises=(_JAIN, _MAX_MIN, _LAW, _MEASURED, _WINDOW, _QUEUE),
)
