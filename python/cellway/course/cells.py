"""Unit 6: frames of many cells in a full switch, and the rates that ERICA gives to ABR."""

from cellway.course.exercise import Exercise, Mistake, Unit
from cellway.course.setting import number, total
from cellway.theory import CELL_RATES

FRAME, VCS, ROOM = 192, 10, 3000
"""Cells of a frame of 9180 bytes; VCs; cells of the laboratory's buffer."""
LOSS = 0.001
CELL = 424
LINE, VIDEO, TARGET, ABR = CELL_RATES["OC-3c"], 60e6, 0.9, 5
"""Bit/s of cells of the trunk and of the stream; the part of it that ERICA aims at; ABR VCs."""
POLICIES = {"tail": '"tail"', "ppd": '"ppd"', "epd": '{ epd = { threshold = "1080 cell" } }'}
"""Drop policies of the laboratory, as ``--set`` has them."""
CELL_DATA = 9140 / (FRAME * 53)


def broken(policy: str) -> float:
    """Frames that reach a host without all their cells, counted VC by VC."""
    return total("cells", "vcs.*.frames_broken", _under(policy))


def delivered(policy: str) -> float:
    """Data of whole frames per second in the laboratory, bit/s."""
    return total("cells", "flows.*.throughput_bits_per_second", _under(policy))


def allowed() -> float:
    """Mean allowed rate of an ABR source in the second laboratory, cell/s."""
    return number("cells-abr", "vcs.bulk[1].abr.mean_acr_cells_per_second")


def _under(policy: str) -> tuple[str, str]:
    return ("switch.west.drop", POLICIES[policy])


def _cells(policy: str) -> float:
    """Cells that the trunk sends in the laboratory."""
    return number("cells", "ports.west.trunk.sent", _under(policy))


def _forward_rm() -> float:
    """Forward RM cells of a source in the second that is measured."""
    return number("cells-abr", "vcs.bulk[1].abr.forward_rm")


_SURVIVAL = Exercise(
    name="survival",
    text=f"Cells are lost at random, one in 1000. What fraction of the frames of {FRAME} cells is "
    "whole when it arrives?",
    unit="%",
    right=lambda: (1 - LOSS) ** FRAME,
    how="Every cell must arrive: 0.999 to the power of 192.",
    tolerance=0.01,
    mistakes=(
        Mistake(lambda: 1 - LOSS, "this is the part of the cells; a frame needs all of its 192"),
        Mistake(
            lambda: 1 - FRAME * LOSS, "the first term alone: a frame may lose more than one cell"
        ),
        Mistake(lambda: 1 - (1 - LOSS) ** FRAME, "this is the part that is broken"),
        Mistake(lambda: (1 - LOSS) ** (FRAME / 4), "48 is the bytes of a cell, 192 are its cells"),
    ),
)
_THRESHOLD = Exercise(
    name="threshold",
    text=f"A switch has a buffer of {ROOM} cells and {VCS} VCs with frames of {FRAME} cells. What "
    "is the largest threshold of EPD with which an accepted frame never loses a cell, even if all "
    "VCs begin a frame at once and the line sends nothing?",
    unit="cell",
    right=lambda: float(ROOM - VCS * FRAME),
    how="Above the threshold no frame begins, so ten frames of 192 cells must fit: 3000 - 1920.",
    tolerance=0.01,
    mistakes=(
        Mistake(
            lambda: float(ROOM - FRAME), "one frame; each of the ten VCs may have one under way"
        ),
        Mistake(lambda: float(VCS * FRAME), "this is the buffer above the threshold"),
        Mistake(lambda: 0.8 * ROOM, "80 % is usual, and leaves place for three frames of ten"),
        Mistake(
            lambda: ROOM - VCS * 9180 / 53, "5 of the 53 bytes of a cell are its header: 192 cells"
        ),
    ),
)
_WHOLE = Exercise(
    name="whole",
    text="Under which drop policy of the laboratory, with EPD at 1080 cells, does no broken frame "
    "reach a host?",
    unit="",
    right=lambda: next(one for one in POLICIES if not broken(one)),
    how="EPD discards a frame as a whole, at its first cell. Count `frames_broken` of the VCs in "
    "`cellway run --json`.",
    words=(*POLICIES, "none"),
    mistakes=(
        Mistake(lambda: "tail", "tail drop discards cells, and the rest of their frame is sent"),
        Mistake(
            lambda: "ppd",
            "PPD discards the rest after the first lost cell; the part before it is sent",
        ),
        Mistake(
            lambda: "none", "above a threshold of 1080 cells each VC can finish its frame: one does"
        ),
    ),
)
_GAIN = Exercise(
    name="gain",
    text="How many times as much data in whole frames does the laboratory deliver with EPD at 1080 "
    "cells as with tail drop?",
    unit="1",
    right=lambda: delivered("epd") / delivered("tail"),
    how="The line is busy with both, but under tail drop about a quarter of the frames that it "
    "carries are broken.",
    tolerance=0.03,
    mistakes=(
        Mistake(
            lambda: _cells("epd") / _cells("tail"),
            "these are cells; those of broken frames are worth nothing",
        ),
        Mistake(lambda: delivered("tail") / delivered("epd"), "inverted"),
        Mistake(lambda: delivered("epd") / delivered("ppd"), "this is the gain over PPD"),
    ),
)
_SHARE = Exercise(
    name="share",
    text="ERICA aims at 90 % of a port with 149.76 Mbit/s of cells. A stream of 60 Mbit/s of cells "
    "goes first, and five ABR VCs have always something to send. What rate does each get? "
    "`cells-abr.toml` runs it.",
    unit="Mbit/s of cell",
    right=lambda: allowed() * CELL,
    how="(0.9 × 149.76 - 60) / 5 Mbit/s.",
    tolerance=0.01,
    mistakes=(
        Mistake(
            lambda: TARGET * (LINE - VIDEO) / ABR, "90 % of the whole port, less the stream then"
        ),
        Mistake(lambda: (LINE - VIDEO) / ABR, "the target of 90 % is forgotten"),
        Mistake(lambda: TARGET * LINE / ABR, "the stream goes first, and takes 60 Mbit/s"),
        Mistake(lambda: (TARGET * LINE - VIDEO) / (ABR + 1), "the stream is no ABR VC: five share"),
        Mistake(
            lambda: allowed() * CELL * 31 / 32 * CELL_DATA,
            "this is data; the rate of cells is asked for, with headers and RM cells",
        ),
    ),
)
_RM = Exercise(
    name="rm_rate",
    text="How many forward RM cells a second does such a source send? Every 32nd of its cells is "
    "one (Nrm).",
    unit="cell/s",
    right=_forward_rm,
    how="14.976 Mbit/s / 424 bit / 32: the RM cell is one of the 32.",
    tolerance=0.01,
    mistakes=(
        Mistake(lambda: allowed() / 33, "the RM cell is one of the 32, not a 33rd"),
        Mistake(lambda: allowed() / 31, "one RM cell and 31 of data: 32 cells"),
        Mistake(allowed, "this is the rate of all its cells"),
        Mistake(lambda: allowed() * CELL / 53 / 32, "53 are bytes; a cell has 424 bits"),
        Mistake(lambda: allowed() * CELL / 384 / 32, "the rate counts whole cells, 53 bytes each"),
    ),
)


UNIT = Unit(
    name="cells",
    reading={
        "models/aal5.md": "cells of a frame",
        "models/drop-policies.md": "tail drop, PPD, EPD",
        "models/abr-explained.md": "how ABR rates come about",
    },
    setting="cells.toml",
    files=("cells-abr.toml",),
    exercises=(_SURVIVAL, _THRESHOLD, _WHOLE, _GAIN, _SHARE, _RM),
)
