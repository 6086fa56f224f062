"""Scenarios and studies that come with cellway, with the files that they need."""

import re
from dataclasses import dataclass
from pathlib import Path

from cellway import _core
from cellway.disk.files import write_text
from cellway.errors import CellwayError
from cellway.scenario.list_files import ListFiles
from cellway.scenario.scenario import Scenario
from cellway.text.nearest import did_you_mean

STUDIES = "studies/"


@dataclass(frozen=True)
class Shipped:
    """A scenario or a study that comes with cellway.

    Attributes:
        name: such as ``"rate-mismatch"`` or ``"studies/window"``.
        about: the first line of its comment.
        files: texts by path: its own first, then those of the files that it names.
    """

    name: str
    about: str
    files: dict[str, str]

    def scenario(self) -> Scenario:
        """The scenario, checked; a study has none of its own.

        Raises:
            ScenarioError: it is a study.
        """
        (path, text), *_ = self.files.items()
        lists = ListFiles.of({name: said for name, said in self.files.items() if name != path})
        return Scenario(path, text.encode(), lists=lists)

    def write(self, folder: Path) -> list[Path]:
        """Writes all its files below `folder` and replaces others; returns them, its own first.

        Raises:
            OSError: a file cannot be written.
        """
        for path, text in self.files.items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            write_text(folder / path, text)
        return [folder / path for path in self.files]


def shipped() -> list[Shipped]:
    """All scenarios and studies, scenarios first."""
    texts = dict(_core.shipped())
    names = [path.removesuffix(".toml") for path in texts if path.endswith(".toml")]
    return [
        Shipped(name, _about(texts[f"{name}.toml"]), _needed(f"{name}.toml", texts))
        for name in sorted(names, key=lambda name: (name.startswith(STUDIES), name))
    ]


def called(name: str) -> Shipped:
    """The one called `name`; `studies/` may be left out where no scenario has that name.

    Raises:
        CellwayError: there is none.
    """
    known = {one.name: one for one in shipped()}
    wanted = name.removesuffix(".toml")
    for candidate in (wanted, STUDIES + wanted):
        if candidate in known:
            return known[candidate]
    whole = wanted.startswith(STUDIES)
    names = known if whole else dict.fromkeys(one.removeprefix(STUDIES) for one in known)
    near = did_you_mean(wanted, names)
    raise CellwayError(f"no scenario {name!r} is shipped{near} (cellway init lists them)")


def _about(text: str) -> str:
    """The first sentence of the comment that a file begins with."""
    lines = []
    for line in text.splitlines():
        if not line.startswith("#"):
            break
        lines.append(line.removeprefix("#").strip())
    return re.split(r"(?<=[?])\s|[.:]\s", " ".join(lines))[0].removesuffix(".")


def _needed(path: str, texts: dict[str, str]) -> dict[str, str]:
    """The file and those that it names: the scenario of a study, lists of rates, scripts."""
    found = {path: texts[path]}
    for other in texts:
        is_named = f'"../{other}"' in texts[path] or (
            not other.endswith(".toml") and other in texts[path]
        )
        if is_named and other not in found:
            found |= _needed(other, texts)
    return found
