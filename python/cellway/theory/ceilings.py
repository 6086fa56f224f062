"""Upper bound of the data that a line carries for full segments."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from cellway import _core
from cellway.theory.domain import whole

Encapsulation = Literal[
    "aal5_vc", "aal5_llc", "pppoa_vc", "pppoa_llc", "pppoe_vc", "pppoe_llc", "ppp", "ppp_sonet"
]
"""IP on a VC of its own or behind LLC/SNAP (RFC 2684), PPP on a VC or behind LLC (RFC 2364),
Ethernet with PPPoE (RFC 2516) on a VC or behind LLC/SNAP, PPP on a serial line (RFC 1662) or on
SONET (RFC 2615)."""

CELL_RATES: Mapping[str, float] = {name: cells for name, _, cells in _core.standard_lines()}
"""Bits of cells per second of standard lines, from how their frames are built (ITU-T G.707, G.804,
G.832, I.432)."""


@dataclass(frozen=True)
class Encapsulated:
    """A full segment on a line.

    Attributes:
        data_part: data of the segment over all its bytes on the line, 53 for each cell.
        line_bytes: bytes on the line; for PPP the expected number, as escapes depend on the data.
        cells: `None` for a line without cells.
    """

    data_part: float
    line_bytes: float
    cells: int | None


def encapsulated(encapsulation: Encapsulation, segment: int, tcp_options: int = 0) -> Encapsulated:
    """A segment with `segment` bytes of data, its headers, and its encapsulation.

    Args:
        encapsulation: the protocols below IP.
        segment: bytes of data, 1 to 65 495.
        tcp_options: bytes, 0 to 40; timestamps take 12.

    Raises:
        TheoryError: a number out of its range.
        ValueError: another encapsulation.

    Source: ITU-T I.363.5 and the standards of `Encapsulation`.

    >>> encapsulated("pppoe_llc", 1452).cells, round(encapsulated("aal5_llc", 9140).data_part, 3)
    (32, 0.898)
    """
    asked = whole("segment", segment, 1), whole("tcp_options", tcp_options)
    return Encapsulated(*_core.encapsulated(encapsulation, *asked))


def goodput_ceiling(
    rate: float, encapsulation: Encapsulation, segment: int, tcp_options: int = 0
) -> float:
    """Largest data rate in bits per second.

    Args:
        rate: bit/s of whole cells, or of the octets that a line without cells carries; `CELL_RATES`
            has the rates of standard lines.
        encapsulation: the protocols below IP.
        segment: bytes of data, 1 to 65 495.
        tcp_options: bytes, 0 to 40.

    Raises:
        TheoryError: a number out of its range.
        ValueError: another encapsulation.

    >>> round(goodput_ceiling(CELL_RATES["OC-3c"], "aal5_llc", 9140) / 1e6, 2)
    134.51
    """
    return rate * encapsulated(encapsulation, segment, tcp_options).data_part
