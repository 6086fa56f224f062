"""Settings of the course: scenario files that come with the package, and their runs."""

from functools import cache
from pathlib import Path

from cellway.course.answers import template
from cellway.course.exercise import Unit
from cellway.runs.quantity import Quantity
from cellway.runs.runs import Run, run
from cellway.scenario.scenario import Scenario

FOLDER = Path(__file__).with_name("settings")


def text_of(name: str) -> str:
    """The text of a file of the settings."""
    return (FOLDER / name).read_text(encoding="utf-8")


def files_of(unit: Unit) -> dict[str, str]:
    """Texts of the files of a unit by name: its setting, others, and a file for answers."""
    files = {name: text_of(name) for name in (unit.setting, *unit.files)}
    return files | {f"{unit.name}-answers.toml": template(unit)}


@cache
def setting(name: str, *sets: tuple[str, str]) -> Scenario:
    """The scenario of the unit `name`, with keys set as ``--set`` sets them."""
    return Scenario(f"{name}.toml", text_of(f"{name}.toml").encode()).with_sets(sets)


@cache
def run_of(name: str, *sets: tuple[str, str]) -> Run:
    """One run of that scenario; equal runs are made once."""
    return run(setting(name, *sets))


def number(name: str, path: str, *sets: tuple[str, str]) -> float:
    """A number of a run's summary, such as ``channels.line.utilisation``, in base units."""
    return Quantity(path).of(run_of(name, *sets).summary)


def total(name: str, path: str, *sets: tuple[str, str]) -> float:
    """The sum of the numbers that a path with ``*`` names."""
    return Quantity(path, reduce="sum").of(run_of(name, *sets).summary)
