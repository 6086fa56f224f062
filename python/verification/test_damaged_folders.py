"""Folders of runs and studies whose files are damaged, removed or renamed: the numbers, or a line.

`DAMAGED_FOLDERS` says how many of each.
"""

import os
import random
import re
import shutil
from pathlib import Path

import pytest

from cellway import Run, Scenario, load_results, load_study, run
from cellway.errors import CellwayError
from cellway.study import STUDY, Results
from cellway.study.own_files import changed_files
from common import SMALL, text_of

COUNT = int(os.environ.get("DAMAGED_FOLDERS", "200"))
METRICS = re.compile(rb'\{"flows\.[^{}]*\}')
SHORT = SMALL.replace('duration = "1 s"', 'duration = "20 ms"')


def damage(folder: Path, chance: random.Random) -> str:
    """Does something to one file below `folder`; says what."""
    file = chance.choice(sorted(one for one in folder.rglob("*") if one.is_file()))
    whole = file.read_bytes() or b"\0"
    at = chance.randrange(len(whole))
    how = chance.randrange(6)
    if how == 0:
        file.unlink()
    elif how == 1:
        file.write_bytes(whole[:at])
    elif how == 2:
        file.write_bytes(whole[:at] + chance.randbytes(chance.randint(1, 40)) + whole[at:])
    elif how == 3:
        file.rename(file.with_name(f"{file.name}.old"))
    elif how == 4:
        other = chance.choice(sorted(one for one in folder.rglob("*") if one.is_file()))
        file.write_bytes(other.read_bytes())
    else:
        file.write_bytes(
            whole[:at] + bytes([whole[at] ^ 1 << chance.randrange(8)]) + whole[at + 1 :]
        )
    return f"{file.name}: {how} at {at}"


def flip(folder: Path, chance: random.Random) -> str:
    """Turns a bit of a study's database, each second time among the numbers that it is about."""
    file = folder / "runs.sqlite"
    whole = bytearray(file.read_bytes())
    metrics = [at for one in METRICS.finditer(whole) for at in range(*one.span())]
    at, bit = (
        chance.choice([chance.randrange(len(whole)), chance.choice(metrics)]),
        chance.randrange(8),
    )
    whole[at] ^= 1 << bit
    file.write_bytes(whole)
    return f"{file.name}: bit {bit} at {at}"


def numbers(folder: Path) -> object:
    """All numbers of a saved run."""
    found = Run.load(folder)
    values = {name: found.series(name).value.tobytes() for name in found.series_names}
    return found.summary_json, values


def tried(folder: Path) -> tuple[object, str]:
    """The numbers, or what a user is told instead."""
    try:
        return numbers(folder), ""
    except (CellwayError, OSError) as error:
        return None, str(error)


@pytest.mark.timeout(1800)
def test_a_damaged_folder_gives_its_numbers_or_one_line(tmp_path: Path) -> None:
    whole, folder = tmp_path / "whole", tmp_path / "damaged"
    run(Scenario.parse(SHORT)).save(whole)
    expected = numbers(whole)
    chance, refused = random.Random(1996), 0
    for _ in range(COUNT):
        shutil.copytree(whole, folder)
        said = damage(folder, chance)
        found, refusal = tried(folder)
        assert found == expected or len(refusal.splitlines()) == 1, said
        refused += bool(refusal)
        shutil.rmtree(folder)
    print(f"{COUNT} damaged folders, {refused} refused")  # noqa: T201
    assert COUNT // 4 < refused < COUNT


MEANS = (
    text_of("windows.toml")
    .replace("replications = 4", "replications = 2")
    .replace('"run.duration" = "1 s"', '"run.duration" = "200 ms"')
    .replace(', "128 KiB"', "")
)


def answers(results: Results) -> object:
    """All numbers that a study gives."""
    shown = (
        [(results.values(one.name, point), results.estimate(one.name, point)) for point in range(2)]
        for one in results.study.responses
    )
    return results.conditions[1].parameters, [one.unit for one in results.study.responses], [*shown]


def asked(folder: Path, *, again: bool) -> tuple[object, str]:
    """The numbers of a study's folder, or what a user is told instead or besides."""
    try:
        if not again:
            results = load_results(folder)
        else:
            results = load_study(folder / STUDY).run(folder, workers=1)
        said = "changed" if changed_files(folder) else ""
        assert all(len(note.splitlines()) == 1 for note in results.notes)
        return answers(results), said if results.complete else "not complete"
    except (CellwayError, OSError) as error:
        return None, str(error)


@pytest.mark.timeout(1800)
@pytest.mark.parametrize("rows", [1, 3, 10_000])
def test_a_damaged_study_gives_its_numbers_or_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, rows: int
) -> None:
    """A flipped bit in a row of `runs.sqlite` once was a mean that nobody could doubt."""
    monkeypatch.setattr("cellway.study.columnar.ROWS", rows)  # Rows of a partition.
    (tmp_path / "base.toml").write_text(SMALL)
    (tmp_path / "means.toml").write_text(MEANS)
    whole, folder = tmp_path / "whole", tmp_path / "damaged"
    expected = answers(load_study(tmp_path / "means.toml").run(whole))
    assert asked(whole, again=False) == (expected, "")
    chance, counts = random.Random(1998), {"told": 0, "same": 0}
    for _ in range(COUNT):
        shutil.copytree(whole, folder)
        done = damage(folder, chance) if chance.random() < 0.5 else flip(folder, chance)
        for again in (False, True):
            found, said = asked(folder, again=again)
            assert found == expected or len(said.splitlines()) == 1, (done, again)
            if again:
                counts["told" if said else "same"] += 1
        shutil.rmtree(folder)
    print(f"{COUNT} damaged studies: {counts}")  # noqa: T201
    assert counts["told"] > COUNT // 10
    assert counts["same"] > COUNT // 10
