"""Figures of what is judged: one, or one per table where it would be taller than a page."""

from dataclasses import replace
from pathlib import Path

import pytest

from cellway import catalogue
from cellway.catalogue import Paper
from cellway.catalogue.plots.reproductions import plot_reproduction
from cellway.catalogue.sheets import PAGE, judged_figure, sheets, table_of
from reproduced import loaded, made


@pytest.fixture(scope="module")
def paper(tmp_path_factory: pytest.TempPathFactory) -> Paper:
    return loaded(tmp_path_factory.mktemp("papers"))


def published(paper: Paper) -> list[str]:
    numbers = [one.code for one in (*paper.rows, *paper.derived) if one.published is not None]
    return numbers + [claim.code for claim in paper.claims]


def many(paper: Paper, times: int) -> Paper:
    """The same with each row so many times, under other codes."""
    rows = [replace(row, code=f"{row.code}-{n}") for row in paper.rows for n in range(times)]
    return replace(paper, rows=tuple(rows))


def test_a_paper_of_one_page_has_one_figure(paper: Paper) -> None:
    (sheet,) = sheets(paper)
    assert (sheet.name, table_of(sheet, paper)) == ("", "")
    assert list(sheet.codes) == published(paper)
    assert judged_figure(paper.id, sheet) == "pages-2001-judged"


def test_a_taller_one_has_a_figure_per_table_and_a_tall_table_several(paper: Paper) -> None:
    found = sheets(many(paper, 20))
    assert {sheet.name for sheet in found} >= {"P-T1", "P-T1-2", "P-T2"}
    assert sorted(code for sheet in found for code in sheet.codes) == sorted(
        published(many(paper, 20))
    )
    assert all(table_of(sheet, many(paper, 20)) == sheet.name[:4] for sheet in found)


@pytest.mark.parametrize("identifier", catalogue.paper_ids())
def test_each_number_of_a_paper_is_in_one_figure_and_names_are_unique(identifier: str) -> None:
    shipped = catalogue.paper(identifier)
    found = sheets(shipped)
    assert sorted(code for sheet in found for code in sheet.codes) == sorted(published(shipped))
    names = [sheet.name for sheet in found]
    assert len(set(names)) == len(names)
    assert not {one.code for one in shipped.figures} & set(names)


def test_no_figure_is_taller_than_a_page(tmp_path: Path) -> None:
    done = made(loaded(tmp_path / "papers"))
    tall = many(done.paper, 14)
    results = [
        replace(one, number=row)
        for one in done.results
        for row in tall.rows
        if row.code.rsplit("-", 1)[0] == one.code
    ]
    more = replace(done, paper=tall, results=tuple(results))
    for sheet in sheets(tall):
        if any(one.code in sheet.codes for one in results):
            assert plot_reproduction(more, sheet).get_figheight() <= 1.1 * PAGE
