"""Names of the files of a study in its folder, and those that somebody changed there."""

from pathlib import Path

from cellway.disk.folders import is_ours, marker_of
from cellway.scenario.list_files import LISTS

STUDY = "study.toml"
SCENARIO = "scenario.toml"


def changed_files(folder: Path) -> list[Path]:
    """Files of the study in `folder` that are not as cellway wrote them there.

    Raises:
        OSError: they cannot be read.
    """
    marker = marker_of(folder)
    names = () if marker is None else (STUDY, SCENARIO, LISTS)
    return [
        folder / name
        for name in names
        if marker and name in marker.files and not is_ours(folder, name, marker)
    ]
