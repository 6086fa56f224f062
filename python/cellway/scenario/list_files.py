"""Files that a scenario names where a list is expected; each is read once.

A list is found beside the scenario file, at the path that stands in the scenario. The frozen copy
of a study keeps the files of its scenario by path in `files.json`, and they are read from there.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Self

from cellway.disk.folders import is_as_written

LISTS = "files.json"
LIST_LIMIT = 1 << 30
"""Most bytes of a file that a scenario names; a larger one is taken for a mistake."""


class ListFiles:
    """The files beside one scenario file; a file that was read once keeps its text.

    A scenario shares them with its copies that have other keys set.
    """

    __slots__ = ("_folder", "_frozen", "_texts")

    def __init__(self, folder: Path) -> None:
        """Starts with no file of `folder` read."""
        self._folder = folder
        self._frozen: Mapping[str, str] | None = None
        self._texts: dict[str, str] = {}

    @classmethod
    def of(cls, texts: Mapping[str, str]) -> Self:
        """Files with these texts, by path, and no others."""
        lists = cls(Path())
        lists._frozen, lists._texts = {}, dict(texts)
        return lists

    @property
    def texts(self) -> dict[str, str]:
        """Texts of the files read so far, by path."""
        return dict(self._texts)

    def read(self, path: str) -> tuple[str | None, str | None]:
        """The text of the file at `path` and `None`, or `None` and why it cannot be read."""
        if path not in self._texts:
            try:
                self._texts[path] = self._found(path)
            except (OSError, ValueError) as error:
                return None, _reason(error)
        return self._texts[path], None

    def _found(self, path: str) -> str:
        if self._frozen is None:
            self._frozen = frozen_lists(self._folder)
        if path in self._frozen:
            return self._frozen[path]
        with (self._folder / path).open("rb") as file:
            content = file.read(LIST_LIMIT + 1)
        if len(content) > LIST_LIMIT:
            raise ValueError(f"more than {LIST_LIMIT >> 20} MiB")
        return content.decode()


def frozen_lists(folder: Path) -> Mapping[str, str]:
    """The files in the frozen copy of a study, by path; none in another folder."""
    file = folder / LISTS
    if not is_as_written(file):
        return {}
    texts: dict[str, str] = json.loads(file.read_bytes())
    return texts


def lists_json(texts: Mapping[str, str]) -> str:
    """The JSON of `texts`, which `frozen_lists` reads."""
    return json.dumps(texts, indent=1, sort_keys=True, ensure_ascii=False) + "\n"


def _reason(error: OSError | ValueError) -> str:
    if isinstance(error, UnicodeDecodeError):
        return "it is not UTF-8"
    strerror = error.strerror if isinstance(error, OSError) else None
    return strerror.lower() if strerror else str(error)
