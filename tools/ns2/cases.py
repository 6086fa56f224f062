"""Cases to compare: paths, losses and receivers, and the agents of ns-2 for each rule."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

UNLIMITED = 100_000


@dataclass(frozen=True)
class Path:
    """A line of 1 ms per segment and 50 ms; windows and ssthresh in segments.

    The losses are in one round trip, whose segments are `first` to `last`, counted from 0.
    """

    name: str
    initial_window: int
    ssthresh: int
    window: int
    first: int
    last: int

    @property
    def avoids(self) -> bool:
        """True if the losses are in congestion avoidance, where a window has fractions."""
        return self.ssthresh < self.window


PATHS = (
    Path("avoidance", initial_window=20, ssthresh=10, window=45, first=40, last=59),
    Path("slow start", initial_window=14, ssthresh=UNLIMITED, window=45, first=14, last=34),
    Path("full window", initial_window=28, ssthresh=UNLIMITED, window=28, first=0, last=27),
)


@dataclass(frozen=True)
class Case:
    """Segments that are lost, and those whose first repair is lost, too."""

    path: Path
    delayed: bool
    pattern: str
    lost: tuple[int, ...]
    repairs: tuple[int, ...] = ()

    @property
    def seconds(self) -> float:
        """Seconds of the run, until well after the last timeout: the first segment's is at 3 s."""
        return 3 + len(self.repairs) + 1.5 * (0 in self.lost)

    def __str__(self) -> str:
        acks = "delayed ACKs" if self.delayed else "every segment"
        repairs = f", repairs of {list(self.repairs)}" if self.repairs else ""
        return f"{self.path.name}, {acks}, {self.pattern} {list(self.lost)}{repairs}"


def patterns(path: Path) -> Iterator[tuple[str, tuple[int, ...]]]:
    """Patterns of one to eight losses, in five places of a window."""
    size = path.last - path.first + 1
    middle = path.first + size // 3
    for count in range(1, 9):
        yield "first", tuple(range(path.first, path.first + count))
        yield "middle", tuple(range(middle, middle + count))
        yield "last", tuple(range(path.last - count + 1, path.last + 1))
        if count > 1:
            start = path.first + 3
            yield "every other", tuple(range(start, start + 2 * count, 2))
            yield "spread", tuple(path.first + 1 + (size - 2) * at // count for at in range(count))


def cases() -> Iterator[Case]:
    """Cases of each pattern on each path; in the middle and spread ones repairs are lost, too."""
    for path in PATHS:
        for delayed in (False, True):
            for pattern, lost in patterns(path):
                yield Case(path, delayed, pattern, lost)
                if pattern == "middle":
                    yield Case(path, delayed, pattern, lost, lost[:1])
                if pattern == "spread":
                    yield Case(path, delayed, pattern, lost, lost[-1:])
            size = path.last - path.first + 1
            lost = (path.first + size // 3,)
            yield Case(path, delayed, "middle", lost, lost * 2)


@dataclass(frozen=True)
class Pair:
    """A rule with its keys, and the agent with its settings.

    `base` is the pair that differs from it in one key alone.
    """

    name: str
    rule: str
    agent: Literal["TCP", "TCP/Reno", "TCP/Newreno", "TCP/Sack1"]
    keys: tuple[str, ...] = ()
    settings: dict[str, float] = field(default_factory=dict)
    base: str = ""

    def but(self, *keys: str, **settings: float) -> "Pair":
        """A pair with another key, and a setting that goes with it."""
        name = f"{self.name}, {', '.join((*keys, *settings))}"
        base = "" if settings else self.name
        return Pair(
            name, self.rule, self.agent, (*self.keys, *keys), {**self.settings, **settings}, base
        )

    @property
    def has_recover(self) -> bool:
        """True if ns-2 compares with the data sent before the last recovery."""
        return self.settings.get("bugFix_", 1) == 1 and self.settings.get("noFastRetrans_") != 1

    @property
    def halves_flight(self) -> bool:
        """True if ours halves what is in flight, in bytes."""
        return self.rule.startswith("new_reno") or self.rule == "sack"

    @property
    def adds_flight(self) -> bool:
        """True if a full ACK of ns-2 leaves a segment more than is outstanding."""
        return self.settings.get("exit_recovery_fix_") == 1

    @property
    def halves_fraction(self) -> bool:
        """True if ns-2 halves cwnd with the fraction that it has above whole segments."""
        return self.settings.get("precisionReduce_") == 1


AT_SSTHRESH = "slow_start_at_ssthresh = true"
LIMITED = "limited_transmit = true"
NOT_LIMITED = "limited_transmit = false"
GROWS = "growth_after_recovery = true"
NO_GROWTH = "growth_after_recovery = false"
FLIGHT = 'full_ack = "flight"'
SSTHRESH = 'full_ack = "ssthresh"'
# ns-2 is linear from ssthresh on, and the third duplicate sends.
AS_NS2 = ("slow_start_at_ssthresh = false", "third_duplicate_sends = true")

VANILLA = Pair("vanilla", "vanilla", "TCP", settings={"noFastRetrans_": 1})
TAHOE = Pair("tahoe", "tahoe", "TCP")
RENO = Pair("reno as ns-2", "reno", "TCP/Reno", AS_NS2, {"bugFix_": 0})
SACK_PIPE = Pair("sack_pipe", "sack_pipe", "TCP/Sack1")
# Its full ACK opens the window.
NEW_RENO = Pair(
    "new_reno as ns-2",
    "new_reno",
    "TCP/Newreno",
    (NOT_LIMITED, GROWS, FLIGHT),
    {"exit_recovery_fix_": 1},
)
STEADY = Pair(
    "new_reno_steady as ns-2",
    "new_reno_steady",
    "TCP/Newreno",
    NEW_RENO.keys,
    {**NEW_RENO.settings, "newreno_changes1_": 0},
)
SACK = Pair("sack", "sack", "TCP/Sack1", (NOT_LIMITED,))


def counting(pair: Pair) -> Iterator[Pair]:
    """Appropriate byte counting, which ns-2 has not."""
    for limit in (1, 2):
        yield pair.but(f"byte_counting = {limit}")


def new_reno(pair: Pair) -> Iterator[Pair]:
    """Both windows after a full ACK, each against both of ns-2, and each key in both positions."""
    ssthresh = pair.but(SSTHRESH, exit_recovery_fix_=0)
    yield pair
    yield pair.but(SSTHRESH)
    yield pair.but(NO_GROWTH)
    yield ssthresh
    yield pair.but(SSTHRESH, exit_recovery_fix_=0, precisionReduce_=1)
    yield ssthresh.but(FLIGHT)
    yield ssthresh.but(NO_GROWTH)
    yield pair.but(LIMITED, singledup_=1)
    yield pair.but(AT_SSTHRESH)
    yield from counting(pair)


# A pair stands before the pairs that differ from it in a key.
PAIRS = (
    VANILLA,
    VANILLA.but(AT_SSTHRESH),
    *counting(VANILLA),
    TAHOE,
    TAHOE.but(LIMITED, singledup_=1),
    TAHOE.but(AT_SSTHRESH),
    *counting(TAHOE),
    RENO,
    RENO.but(LIMITED, singledup_=1),
    RENO.but(NO_GROWTH),
    RENO.but("third_duplicate_sends = false"),
    RENO.but(AT_SSTHRESH),
    *counting(RENO),
    RENO.but('fast_retransmit_guard = "always"', bugFix_=1),
    SACK_PIPE,
    SACK_PIPE.but(LIMITED, singledup_=1),
    SACK_PIPE.but(AT_SSTHRESH),
    *counting(SACK_PIPE),
    *new_reno(NEW_RENO),
    *new_reno(STEADY),
    SACK,
    SACK.but(LIMITED, singledup_=1),
    SACK.but(AT_SSTHRESH),
    *counting(SACK),
)
