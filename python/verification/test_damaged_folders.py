"""Folders of runs whose files are damaged, removed or renamed: the numbers, or one line.

`DAMAGED_FOLDERS` says how many.
"""

import os
import random
import shutil
from pathlib import Path

import pytest

from cellway import Run, Scenario, run
from cellway.errors import CellwayError
from common import SMALL

COUNT = int(os.environ.get("DAMAGED_FOLDERS", "200"))
SHORT = SMALL.replace('duration = "1 s"', 'duration = "20 ms"')


def damage(folder: Path, chance: random.Random) -> str:
    """Does something to one file below `folder`; says what."""
    file = chance.choice(sorted(one for one in folder.rglob("*") if one.is_file()))
    whole = file.read_bytes()
    at = chance.randrange(max(1, len(whole)))
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
