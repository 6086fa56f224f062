"""Captured packets of a run: a pcapng file for Wireshark and its relatives."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import KW_ONLY, dataclass
from pathlib import Path
from typing import Literal, get_args

from cellway.disk.files import whole_file
from cellway.errors import StackFault
from cellway.text.converted import Converted

HEAD = 4096
"""Bytes read to recognise a file of ours: enough unless its writer has a very long name."""
Layer = Literal["ip", "sunatm", "erf"]
"""Layers at which packets of links of cells are shown."""
_SECTION_HEADER = b"\x0a\x0d\x0d\x0a"


@dataclass(frozen=True)
class Capture:
    """The file that packets of a run are written to, and the packets that it gets.

    Attributes:
        path: the file; it is replaced when the run ends, and stays as it was if the run fails. If a
            stack fails it has the packets until then.
        at: names of hosts, or patterns with `*`: all packets that they send or receive. Without
            names every flow is captured at the host that it comes from, so that no packet is twice
            in the file.
        whole: true keeps the payloads, which are zeros; false cuts packets behind their headers.
        layer: how packets of links of cells are shown: `"ip"`, as all others; `"sunatm"`, with
            their virtual channel; `"erf"`, likewise, and RM cells of ABR beside them.
    """

    path: Converted[Path, str | Path] = Converted(Path)
    _: KW_ONLY
    at: Converted[tuple[str, ...], Sequence[str]] = Converted(tuple, ())
    whole: bool = False
    layer: Layer = "ip"

    def __post_init__(self) -> None:
        if self.layer not in get_args(Layer):
            known = ", ".join(f"`{one}`" for one in get_args(Layer))
            raise ValueError(f"layer `{self.layer}`: expected one of {known}")

    @contextmanager
    def writing(self) -> Iterator[tuple[Callable[[bytes], object], list[str], bool, str]]:
        """Arguments of a capture for the simulator; the file takes its name when the block ends.

        Raises:
            OSError: it cannot be written; an earlier one is still there.
            StackFault: one was raised in the block; the file has what was written until then.
        """
        fault = None
        with whole_file(self.path) as file:
            try:
                yield file.write, list(self.at), self.whole, self.layer
            except StackFault as raised:
                fault = raised
        if fault is not None:
            raise StackFault(f"{fault}; {self.path} has the packets until then") from None


def is_capture(head: bytes) -> bool:
    """True if a file that begins with `head` was written by cellway."""
    return head.startswith(_SECTION_HEADER) and b"cellway " in head
