"""Files that a scenario of the page may name: those in its folder, and no others."""

from pathlib import Path

from cellway.scenario.list_files import ListFiles


class FolderFiles(ListFiles):
    """Files beside a scenario whose text may come from a page: none outside its folder."""

    __slots__ = ("_root",)

    def __init__(self, folder: Path) -> None:
        """Starts with no file of `folder` read."""
        super().__init__(folder)
        self._root = folder.resolve()

    def _found(self, path: str) -> str:
        # Links are followed first: a link to another place is another place.
        found = (self._root / path).resolve()
        if not found.is_relative_to(self._root):
            raise ValueError("outside the folder of the scenario; expected a file in it")
        # Reading from a pipe would wait for whoever writes.
        if found.exists() and not found.is_file():
            raise ValueError("neither a text nor a list; expected a file")
        return super()._found(path)
