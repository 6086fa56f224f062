"""Captured packets of a run: a pcapng file for Wireshark and its relatives."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import KW_ONLY, dataclass
from pathlib import Path

from cellway.converted import Converted
from cellway.files import whole_file

HEAD = 4096
"""The head of a file of ours, with the name of what wrote it, is shorter but for long names."""
_SECTION_HEADER = b"\x0a\x0d\x0d\x0a"


@dataclass(frozen=True)
class Capture:
    """Where the packets of a run are written, and which.

    Attributes:
        path: the file; it is replaced when the run is through, and else stays as it was.
        at: names of hosts, or patterns with `*`: all packets that they send or receive. For none
            every flow is captured at the host that it comes from, so that no packet is twice in the
            file.
        whole: whether payloads, zeros, are kept, too; else packets are cut behind their headers.
    """

    path: Converted[Path, str | Path] = Converted(Path)
    _: KW_ONLY
    at: Converted[tuple[str, ...], Sequence[str]] = Converted(tuple, ())
    whole: bool = False

    @contextmanager
    def writing(self) -> Iterator[tuple[Callable[[bytes], object], list[str], bool]]:
        """What the simulator needs to know; the file takes its place when the block ends.

        Raises:
            OSError: it cannot be written; an earlier one is still there.
        """
        with whole_file(self.path) as file:
            yield file.write, list(self.at), self.whole


def is_capture(head: bytes) -> bool:
    """Whether a file with this head is one that cellway wrote."""
    return head.startswith(_SECTION_HEADER) and b"cellway " in head
