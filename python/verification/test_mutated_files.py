"""Scenario and study files with random mistakes: accepted, or refused with a line for each fault.

`MUTATED_FILES` says how many, and `MUTATED_SEED` which; a file that goes wrong is kept.
"""

import os
import random
import resource
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

import cellway
from cellway.errors import MOST_SHOWN, CellwayError, FileError
from cellway.scenario.shipped import STUDIES, shipped
from cellway.study import load_study

COUNT = int(os.environ.get("MUTATED_FILES", "2000"))
SEED = int(os.environ.get("MUTATED_SEED", "1996"))
LONGEST = 5.0
"""CPU seconds to read a file and explain it."""
MOST_MEMORY = 4 << 30
ODD = ["0", "-1", "1e309", "nan", '""', '"1 ps"', '"1000 d"', "[]", "{}", "true", '"\\u0000"', "é"]
ODD += ["9" * 40, '"1e-9 s"', '"100000000 cell"', '"[*]"', '"*"', "100000", '"1 bit/s of cell"']


@pytest.fixture(autouse=True)
def _memory() -> Iterator[None]:
    """A file that takes all memory is an error of its own."""
    before = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, before[1]))
    yield
    resource.setrlimit(resource.RLIMIT_AS, before)


def mutated(text: str, chance: random.Random) -> str:
    """`text` with one to four changes of a line, a value or a few letters."""
    lines = text.splitlines()
    for _ in range(chance.randint(1, 4)):
        at = chance.randrange(len(lines))
        how = chance.randrange(6)
        if how == 0:
            del lines[at]
        elif how == 1:
            lines.insert(at, lines[chance.randrange(len(lines))])
        elif how == 2:
            lines[at] = lines[at].partition("=")[0] + "= " + chance.choice(ODD)
        elif how == 3:
            other = lines[chance.randrange(len(lines))]
            lines[at] = lines[at].partition("=")[0] + "=" + other.partition("=")[2]
        elif how == 4:
            place = chance.randrange(len(lines[at]) + 1)
            lines[at] = lines[at][:place] + chance.choice('"[]{}=.,#\\x07 é9') + lines[at][place:]
        else:
            lines[at] = lines[at][: chance.randrange(len(lines[at]) + 1)]
        lines = lines or [""]
    return "\n".join(lines) + "\n"


def tried(text: str, folder: Path, chance: random.Random, *, is_study: bool) -> bool:
    """Whether the file is accepted; raises what no user should see."""
    file = folder / ("studies/mine.toml" if is_study else "mine.toml")
    file.parent.mkdir(exist_ok=True)
    file.write_text(text, encoding="utf-8")
    try:
        if is_study:
            load_study(file)
            return True
        scenario = cellway.Scenario.load(file)
        scenario.explain()
        assert cellway.Scenario.parse(scenario.to_toml()) == scenario
        if chance.random() < 0.1:
            short = [("run.duration", "1 ms"), ("run.warm_up", "0 s"), ("flow.*.start", "0 s")]
            cellway.run(scenario.with_sets([*short, ("run.memory_limit", "100 MB")]))
    except cellway.SimulationFault:
        raise
    except FileError as error:
        require_lines(error)
        return False
    except CellwayError as error:
        refusal = str(error)
    else:
        return True
    assert len(refusal.splitlines()) == 1, refusal
    return False


def require_lines(error: FileError) -> None:
    """A line for each fault, in the order of the file, none twice, and twenty at most."""
    shown = list(map(str, error.faults))
    assert all(len(line.splitlines()) == 1 for line in shown), shown
    assert len(set(shown)) == len(shown), shown
    by_file: dict[str, list[tuple[int, int]]] = {}
    for fault in error.faults:
        by_file.setdefault(fault.origin, []).append((fault.line, fault.column))
    assert all(places == sorted(places) for places in by_file.values()), shown
    lines = str(error).splitlines()
    assert lines[:MOST_SHOWN] == shown[:MOST_SHOWN]
    assert len(lines) == min(len(shown), MOST_SHOWN + 1)


@pytest.mark.timeout(3600)
def test_mutated_files_are_accepted_or_refused_line_by_line(tmp_path: Path) -> None:
    chance = random.Random(SEED)
    known = shipped()
    for one in known:
        one.write(tmp_path)
    accepted, slowest = 0, 0.0
    for _ in range(COUNT):
        one = chance.choice(known)
        text = mutated(next(iter(one.files.values())), chance)
        began = time.process_time()
        try:
            is_study = one.name.startswith(STUDIES)
            accepted += tried(text, tmp_path, chance, is_study=is_study)
        except BaseException:
            print(f"from {one.name}, seed {SEED}:\n{text}")  # noqa: T201
            raise
        slowest = max(slowest, time.process_time() - began)
        assert slowest < LONGEST, f"from {one.name}:\n{text}"
    print(f"{COUNT} files, {accepted} accepted, slowest {slowest:.2f} s")  # noqa: T201
    assert COUNT // 20 < accepted < COUNT, "most mutations should be mistakes, and some not"
