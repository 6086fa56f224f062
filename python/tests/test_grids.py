"""Grids of rows: what they expand to, and the places of their faults."""

from cellway.catalogue import load_paper
from cellway.catalogue.digest import first_runs_of
from cellway.catalogue.published import Row
from cellway.catalogue.runner import reproduce
from common import PAPER, Files, Make, texts_of
from faults import Fault, faults, require_refused

FIRST = PAPER["published.toml"].index("[[rows]]")
THIRD = PAPER["published.toml"].index('[[rows]]\ncode = "T2-R1"')
GRID = texts_of("grid")["published.toml"]


def in_grid(old: str = "", new: str = "") -> Files:
    """The small paper with its first two rows as a grid, `old` in it replaced."""
    text = PAPER["published.toml"]
    assert old in GRID
    return {**PAPER, "published.toml": text[:FIRST] + GRID.replace(old, new) + text[THIRD:]}


def rows_of(make: Make, files: Files) -> list[Row]:
    return [
        Row(**{**vars(row), "scenario": row.scenario.name}) for row in load_paper(make(files)).rows
    ]


def test_a_grid_is_its_rows_one_by_one(make: Make) -> None:
    assert rows_of(make, in_grid()) == rows_of(make, PAPER)


def test_the_form_of_rows_does_not_change_the_hash_of_the_data(make: Make) -> None:
    grid, single = (
        first_runs_of(reproduce(load_paper(make(files)), "T2-R1")).data
        for files in (in_grid(), PAPER)
    )
    assert grid == single


def test_a_row_without_a_published_number_is_compared_with_nothing(make: Make) -> None:
    """A grid with a column `compare`, which the row leaves out."""
    text = in_grid('compare = "simulated"\n')["published.toml"].replace(
        '["set.flow.bulk.service.ubr.pace"],', '"set.flow.bulk.service.ubr.pace", "compare",'
    )
    for sides in ("17.5, 16.5", '1.0, "", 2'):
        text = text.replace(sides, f'"simulated", {sides}')
    more = '\n    ["T1-R3", "paced", "rate", "20 Mbit/s of payload"],\n]\n\n'
    files = {**PAPER, "published.toml": text.replace("\n]\n\n", more, 1)}
    assert rows_of(make, files)[:2] == rows_of(make, PAPER)[:2]
    paced = load_paper(make(files)).rows[2]
    assert (paced.simulated, paced.measured, paced.compare) == (None, None, None)


@faults("grid")
def test_a_fault_in_a_grid_has_the_place_of_its_cell(make: Make, fault: Fault) -> None:
    require_refused(make, in_grid(), "published.toml", fault)
