"""What `make site` leaves, for as long as it is newer than its sources."""

from collections.abc import Iterable
from pathlib import Path

from common import ROOT

SITE = ("docs", "tools/pages", "python/cellway", "scenarios", "mkdocs.yml", "README.md")
"""Sources of the pages."""
NOTEBOOK = (
    "python/cellway",
    "scenarios",
    *(file.relative_to(ROOT).as_posix() for file in ROOT.glob("crates/*/src")),
)
"""Sources of the outputs of a notebook besides itself."""


def newest(place: Path) -> float:
    files = [place] if place.is_file() else [one for one in place.rglob("*") if one.is_file()]
    kept = (one for one in files if one.suffix not in {".pyc", ".so"})
    return max(one.stat().st_mtime for one in kept)


def is_newer(made: Path, sources: Iterable[str]) -> bool:
    """Whether a file is there and newer than all files of places in the source tree."""
    return made.exists() and all(newest(ROOT / source) < made.stat().st_mtime for source in sources)
