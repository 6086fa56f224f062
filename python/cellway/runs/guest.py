"""First program of a kernel in virtual time: measures the scenario of its folder, and halts.

`virtual.py` starts the kernel in a folder of the host and reads what is left there. Everything but
console and fault goes through files of that folder: the kernel writes them at once, without an
interrupt of the host whose instant would be another one in every run.
"""

import ctypes
import os
import pickle

from cellway.errors import CellwayError
from cellway.runs.capture import Capture
from cellway.runs.measured import measure
from cellway.runs.runs import Run
from cellway.runs.virtual import ANSWER, ASKED, CAPTURED, END, FOLDER, PROGRESS, PROGRESS_BYTES

_POWER_OFF = 0x4321FEDC
"""Word of reboot(2)."""
_PLACES = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
"""Folders of programs such as `ip`."""
_MOUNTS = (
    ("proc", "/proc", "proc", ""),
    ("sysfs", "/sys", "sysfs", ""),
    ("devtmpfs", "/dev", "devtmpfs", ""),
    # The folder in which the host started the kernel, whatever its name.
    ("folder", str(FOLDER), "hostfs", "/proc/self/cwd"),
)
"""Source, place, kind and options of what is mounted."""


def main() -> None:
    """Measures and halts the kernel, whatever happens."""
    library = ctypes.CDLL(None, use_errno=True)
    try:
        for mount in _MOUNTS:
            source, place, kind, options = (word.encode() for word in mount)
            if library.mount(source, place, kind, 0, options):
                raise OSError(ctypes.get_errno(), f"mounting {mount[1]}")
        os.environ.update(PATH=_PLACES, TMPDIR=str(FOLDER))
        (FOLDER / ANSWER).write_bytes(pickle.dumps(_answer()))
    finally:
        library.reboot(_POWER_OFF)


def _answer() -> Run | CellwayError:
    """The measurement that the folder asks for, or why there is none."""
    scenario, asked = pickle.loads((FOLDER / ASKED).read_bytes())  # noqa: S301 - of our own.
    capture = None
    if asked is not None:
        at, whole, layer = asked
        capture = Capture(FOLDER / CAPTURED, at=at, whole=whole, layer=layer)
    try:
        with (FOLDER / PROGRESS).open("r+b", buffering=0) as file:

            def tell(at: float, of: float) -> bool:
                times = f"{at:{PROGRESS_BYTES}.9f}{of:{PROGRESS_BYTES}.9f}"
                os.pwrite(file.fileno(), times.encode(), 0)
                return (FOLDER / END).exists()

            return measure(scenario, tell, pcap=capture)
    except CellwayError as fault:
        return type(fault)(str(fault))


if __name__ == "__main__":
    main()
