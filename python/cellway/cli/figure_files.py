"""Figures as files: PNG, SVG or PDF, the same bytes every time, with a mark that they are ours."""

import io
import re
import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from cellway.cli.exits import BadInputError, unwritable
from cellway.cli.parameters import Option
from cellway.disk.files import whole_file
from cellway.figures import SizeName

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SIGNATURES = (
    b"Software\0cellway",
    b"<dc:title>cellway</dc:title>",
    b"<metadata>cellway</metadata>",
    b"/Creator (cellway)",
)
"""The mark of a figure of ours in PNG, SVG, shortened SVG and PDF."""

_TRUETYPE = 42
"""Fonts of PDFs: journals refuse those of Type 3, which are the default of Matplotlib."""

Format = Literal["png", "svg", "pdf"]
Size = Annotated[
    SizeName | None,
    Option(
        "--size",
        help="Lay out for a slide of 16 × 9, or for a column of 3.5 in or a page of 7.2 in in "
        "print.",
    ),
]
"""Option of the commands that draw."""
ABOUT: Mapping[str, dict[str, str | None]] = {
    "png": {"Software": "cellway"},
    "svg": {"Creator": "cellway", "Date": None},
    "pdf": {"Creator": "cellway", "CreationDate": None},
}
"""Metadata of a figure by its format."""


def is_figure(content: bytes) -> bool:
    """True if a file was written by `save_figure`."""
    return any(signature in content for signature in SIGNATURES)


def form_of(option: str, file: Path) -> str:
    """The format of a figure, from the ending of its name.

    Raises:
        BadInputError: there is no such format; `option` and the file stand in front.
    """
    form = file.suffix[1:].lower()
    if form not in ABOUT:
        ending = f"unknown ending {file.suffix}" if form else "no ending"
        raise BadInputError(f"{option} {file}: {ending}; expected one of .png, .svg, .pdf")
    return form


def save_figure(figure: "Figure", target: Path, *, as_text: bool = False) -> None:
    """Writes `figure` whole, in the form of the name's ending; the same bytes every time.

    Args:
        figure: to be written.
        target: the file; its folder is made when it is not there.
        as_text: of SVG, keep letters as text, for the viewer's fonts, rather than as outlines, and
            leave out what no viewer needs: far smaller.

    Raises:
        BadInputError: it cannot be written.
    """
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with whole_file(target) as file:
            file.write(figure_content(figure, target.suffix[1:].lower(), as_text=as_text))
    except OSError as error:
        raise unwritable("--out", target, error) from error


def figure_content(figure: "Figure", form: str, *, as_text: bool = False) -> bytes:
    """Bytes of `figure` in the form `form`; `as_text` as for `save_figure`."""
    import matplotlib as mpl  # noqa: PLC0415

    letters = "none" if as_text else "path"
    with (
        mpl.rc_context(
            {"svg.hashsalt": "cellway", "svg.fonttype": letters, "pdf.fonttype": _TRUETYPE}
        ),
        warnings.catch_warnings(),
    ):
        # Letters that no font has are boxes in the figure: nothing to be done about it here.
        warnings.filterwarnings("ignore", "Glyph .* missing from font")
        plotted = io.BytesIO()
        figure.savefig(plotted, format=form, metadata=ABOUT[form])
    return _shortened(plotted.getvalue()) if as_text else plotted.getvalue()


_SHORTER = (
    (
        rb"font-family: 'DejaVu Sans'[^;\"]*",
        b"font-family: 'DejaVu Sans', Verdana, Arial, sans-serif",
    ),
    (rb' transform="rotate\(-?0 [^)]*\)"', b""),
    (
        (
            rb' id="(?:line2d|text|patch|ytick|xtick|matplotlib\.axis|PathCollection'
            rb'|LineCollection)_\d+"'
        ),
        b"",
    ),
    (rb"\n\s+", b"\n"),
    (rb"<g/>\n", b""),
)


def _hundredths(number: "re.Match[bytes]") -> bytes:
    return f"{float(number[0]):.2f}".encode()


def _shortened(svg: bytes) -> bytes:
    """All coordinates in hundredths, texts as they are, and nothing that no viewer needs."""
    svg = re.sub(rb"<[^>]*>", lambda tag: re.sub(rb"\d+\.\d{3,}", _hundredths, tag[0]), svg)
    for pattern, shorter in _SHORTER:
        svg = re.sub(pattern, shorter, svg)
    return svg


def fit(figure: "Figure", size: SizeName | None) -> None:
    """Lays out a figure for a size, if one is asked for."""
    if size is not None:
        from cellway.plot import sizes  # noqa: PLC0415 - with Matplotlib

        sizes.fit(figure, size)
