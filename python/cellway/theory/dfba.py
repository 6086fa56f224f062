"""Shares of VCs of TCP connections in a FIFO buffer under Differential Fair Buffer Allocation."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass

from cellway._core import dfba_sharing


@dataclass(frozen=True)
class DfbaBuffer:
    """A buffer guarded by DFBA, and the link and the path that it is on.

    Attributes:
        capacity: of the link, cells per second.
        low: L, cells; frames are dropped only above it.
        high: H, cells; every frame is dropped above it.
        round_trip: seconds without queueing.
        frame: cells per segment; 32 are those of an MSS of 1460 bytes.
        alpha: weight of the fairness component, 0 to 1.
        timeout_cost: seconds of timeouts per segment and squared loss; `None` is 4.8,
            calibrated for BSD timers with a minimum of 1 s.
    """

    capacity: float
    low: float
    high: float
    round_trip: float
    frame: int = 32
    alpha: float = 0.5
    timeout_cost: float | None = None


@dataclass(frozen=True)
class DfbaShares:
    """Mean queue of a buffer, and the shares of its VCs in the order in which they were given.

    Attributes:
        mean_queue: cells.
        shares: by VC, its part of the link and of the queue; they add up to 1.
        rates: by VC, cells per second on the link.
        losses: by VC, the part of its frames that is dropped.
    """

    mean_queue: float
    shares: tuple[float, ...]
    rates: tuple[float, ...]
    losses: tuple[float, ...]


def dfba_shares(
    buffer: DfbaBuffer, mcr: Sequence[float], z: Sequence[float], connections: Sequence[float]
) -> DfbaShares:
    """Shares of VCs of greedy TCP connections on a full link behind a FIFO buffer with DFBA.

    A fixed point: FIFO gives a VC its part of the queue; TCP sends at the rate that its loss
    allows; DFBA drops by the part of the fluctuating queue that a VC has beyond its fair share.
    Derivation, assumptions and range are in ``crates/theory/src/buffer/dfba.rs``; against
    simulation the rms error of excess/MCR is 0.06. It holds for selective acknowledgements, an ACK
    per segment, equal round trips, and windows that do not bind.

    Args:
        buffer: the buffer that the VCs share.
        mcr: minimum cell rate of each VC, cells per second; at least two are above 0.
        z: scale Z of the drop probability of each VC, above 0 and at most 1.
        connections: TCP connections of each VC, at least 1.

    Raises:
        ValueError: `mcr`, `z` and `connections` are not equally long.
        TheoryError: a number out of its range, a link that would not be full, or a queue that would
            not stay below `high`.

    Source: DFBA of Goyal, Jain, Fahmy and Vandalore, ATM Forum 98-0405; the formula is this
    program's own.
    """
    if not len(mcr) == len(z) == len(connections):
        lengths = f"{len(mcr)}, {len(z)} and {len(connections)}"
        raise ValueError(
            f"mcr, z and connections have {lengths} values; expected one of each per VC"
        )
    mean_queue, found = dfba_sharing(asdict(buffer), list(zip(mcr, z, connections, strict=True)))
    shares = tuple(share for share, _ in found)
    losses = tuple(loss for _, loss in found)
    return DfbaShares(
        mean_queue, shares, tuple(share * buffer.capacity for share in shares), losses
    )
