"""Ownership of folders: which ones cellway may write, and which files in them are its own.

`cellway.json` marks a folder as ours. It says what the folder holds (a run, a study, or the runs of
a catalogue), how that is called, and the SHA-256 of every file that is replaced as a whole. A
folder without it is ours only while it is empty, and a file whose content we did not write is
somebody else's.
"""

import hashlib
import json
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from cellway._core import build_info
from cellway.disk.files import write_text
from cellway.errors import StoreError

MARKER = "cellway.json"
COMPLETE = ".cellway-complete"
"""Folder inside with complete files that are not yet in their places; see `replacement`."""
FRESH = ".cellway-"
"""Beginning of the name of a folder inside whose files are still being written."""
LEFT_BEHIND = re.compile(r"\.cellway-(complete|\w+\.partial)|\.cellway\.json\.\w+\.partial")
"""Names that only cellway gives and that a killed process may leave behind."""
FILE = re.compile(r"\w+\.\w+")
"""Form of the names of our files; any other name in a marker could lead out of the folder."""
FIGURE = re.compile(r"plot[^/\\]*\.(png|svg|pdf)|report\.(html|md)")
"""Form of the names of our plots in a folder, which end in the names of ports or flows, and of our
reports."""
ABOUT = "Written by cellway, which replaces its own files in this folder and no others."

Kind = Literal["run", "study", "campaign"]
KINDS: Mapping[str, Kind] = {"a run": "run", "a study": "study", "runs of a catalogue": "campaign"}


@dataclass(frozen=True)
class Marker:
    """Contents of a folder of ours, as `cellway.json` says.

    Attributes:
        kind: a run, a study with its runs, or the runs of several studies.
        name: of the run, the study or the catalogue.
        files: SHA-256 (hex) of the files that are replaced as a whole, by name.
        figures: SHA-256 (hex) of plots of the content, which go with it but may be missing.
        model: version of the simulator that made a run; empty where it is not known.
    """

    kind: Kind
    name: str
    files: Mapping[str, str] = field(default_factory=dict)
    figures: Mapping[str, str] = field(default_factory=dict)
    model: str = ""

    def text(self) -> str:
        """The text of `cellway.json`."""
        said = {
            "about": ABOUT,
            "kind": self.kind,
            "name": self.name,
            "version": build_info()["version"],
            **({"model": self.model} if self.model else {}),
        }
        plots = {"figures": dict(self.figures)} if self.figures else {}
        return json.dumps({**said, "files": dict(self.files), **plots}, indent=2) + "\n"

    @property
    def content(self) -> str:
        """The content in words, such as ``the study 'window'``."""
        said = next(text for text, kind in KINDS.items() if kind == self.kind)
        return f"the study {self.name!r}" if self.kind == "study" else said


def marker_of(folder: Path) -> Marker | None:
    """The marker in `folder`; `None` if there is none that cellway could have written."""
    return read_marker(folder / COMPLETE) or read_marker(folder)


def figures_in(folder: Path) -> list[Path]:
    """Plots and reports that belong to the run in a folder and go with it."""
    marker = marker_of(folder)
    names = sorted(marker.figures) if marker else ()
    return [folder / name for name in names if (folder / name).exists()]


def require_ours(
    folder: Path, wanted: Marker, writes: Sequence[str] = (), *, force: bool = False
) -> None:
    """Refuses a folder whose content `wanted` may neither replace nor continue.

    Args:
        folder: the folder; it need not exist.
        wanted: the marker of the new content; a study continues only one of its own name.
        writes: the files that would be replaced as a whole.
        force: files that somebody else wrote may be replaced; folders with other content may not.

    Raises:
        StoreError: the folder may not be used; the message names a way out.
    """
    if not folder.is_dir():
        return
    found = marker_of(folder)
    if found is not None and (
        found.kind != wanted.kind or (found.kind == "study" and found.name != wanted.name)
    ):
        raise StoreError(
            f"{folder}: holds {found.content}, and this is {wanted.content}; choose another with "
            "--out"
        )
    for name in writes:
        if (folder / name).is_dir():
            raise StoreError(
                f"{folder / name}: a folder, where a file is to be; choose another with --out"
            )
    if force:
        return
    if found is None:
        _require_empty(folder)
        return
    for name in writes:
        if not is_ours(folder, name, found):
            raise StoreError(
                f"{folder / name}: not as cellway wrote it; choose another folder with --out, "
                "or replace the file with --force"
            )


def mark(folder: Path, marker: Marker) -> None:
    """Marks `folder` as ours unless it has a marker.

    Raises:
        OSError: it cannot be written.
    """
    if marker_of(folder) is None:
        write_text(folder / MARKER, marker.text())


def is_ours(folder: Path, name: str, marker: Marker) -> bool:
    """True if a file is missing, or is as cellway wrote it."""
    file = place_of(folder, name)
    if not os.path.lexists(file):
        return True
    written = marker.files.get(name) or marker.figures.get(name)
    return file.is_file() and not file.is_symlink() and digest(file) == written


def is_as_written(file: Path) -> bool:
    """True if the marker beside a file says that cellway wrote it, with this content."""
    marker = read_marker(file.parent)
    return (
        marker is not None and file.name in marker.files and is_ours(file.parent, file.name, marker)
    )


def place_of(folder: Path, name: str) -> Path:
    """The place of a file, which may be complete and not yet moved."""
    waiting = folder / COMPLETE / name
    return waiting if waiting.exists() else folder / name


def digest(file: Path) -> str:
    """SHA-256 (hex) of the content of `file`."""
    with file.open("rb") as content:
        return hashlib.file_digest(content, "sha256").hexdigest()


def read_marker(folder: Path) -> Marker | None:
    """The marker in `folder` itself, without one that waits to be moved."""
    try:
        said = json.loads((folder / MARKER).read_bytes())
        kind, name, files = said["kind"], said["name"], said["files"]
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return None
    if kind not in KINDS.values() or not isinstance(name, str) or not isinstance(files, dict):
        return None
    figures, model = said.get("figures", {}), said.get("model", "")
    if not isinstance(figures, dict) or not isinstance(model, str):
        return None
    inside = all(FILE.fullmatch(file) and isinstance(text, str) for file, text in files.items())
    plots = all(FIGURE.fullmatch(file) and isinstance(text, str) for file, text in figures.items())
    return Marker(kind, name, files, figures, model) if inside and plots else None


def _require_empty(folder: Path) -> None:
    others = sorted(file.name for file in folder.iterdir() if not LEFT_BEHIND.fullmatch(file.name))
    if others:
        more = f" and {len(others) - 1} more" if len(others) > 1 else ""
        raise StoreError(
            f"{folder}: holds {others[0]}{more}, and nothing says that cellway wrote it; "
            "choose another folder with --out, or use this one with --force"
        )
