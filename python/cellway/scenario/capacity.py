"""The rates of a link over a run as text: time and rate, or opportunities as mahimahi has them."""

from dataclasses import dataclass
from typing import Literal

PICOSECONDS = 10**12
"""Picoseconds in a second."""
_MILLISECOND = 10**9
_OPPORTUNITY = 12_000 * PICOSECONDS
"""Bits of a packet of 1500 bytes in units of 1e-12 bit; a rate sends a whole number of these per
ps."""

Format = Literal["csv", "mahimahi"]
FORMATS: tuple[Format, ...] = ("csv", "mahimahi")


@dataclass(frozen=True)
class CapacityPath:
    """The rate of one direction of a link in a run: exact, and known without running it.

    Attributes:
        times: instants from which the rates hold, picoseconds, the first 0.
        rates: bits per second.
        end: end of the run, picoseconds.
        layer: layer of the bits, `line` for a link of packets, `cell` for a link of cells.
    """

    times: list[int]
    rates: list[int]
    end: int
    layer: str

    def text(self, kind: Format) -> str:
        """The rates as a file for `link.capacity`: `steps.rates`, or `mahimahi.opportunities`.

        Raises:
            ValueError: not even one packet of 1500 bytes is sent, so that there is no trace.
        """
        return self._csv() if kind == "csv" else self._mahimahi()

    def _csv(self) -> str:
        lines = [f"time [s], rate [bit/s of {self.layer}]"]
        lines += [
            f"{_seconds(at)}, {rate}" for at, rate in zip(self.times, self.rates, strict=True)
        ]
        return "\n".join(lines) + "\n"

    def _mahimahi(self) -> str:
        """One opportunity per 12 000 bits, at the end of the millisecond that completes them.

        A packet that is incomplete at the end of the run has none. The trace repeats after its last
        opportunity, not after the run.
        """
        instants: list[int] = []
        sent, due = 0, _OPPORTUNITY
        ends = [*self.times[1:], self.end]
        for start, end, rate in zip(self.times, ends, self.rates, strict=True):
            after = sent + rate * (end - start)
            while due <= after:
                at = start + -(-(due - sent) // rate)
                instants.append(-(-at // _MILLISECOND))
                due += _OPPORTUNITY
            sent = after
        if not instants:
            raise ValueError("not one packet of 1500 bytes is sent in the run")
        return "".join(f"{instant}\n" for instant in instants)


def _seconds(picoseconds: int) -> str:
    whole, part = divmod(picoseconds, PICOSECONDS)
    digits = f"{part:012d}".rstrip("0")
    return f"{whole}.{digits}" if digits else str(whole)
