"""The catalogue's pages: every sentence that counts, equal bytes, and digests of the first runs."""

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

from cellway.catalogue import Paper, Reproduction
from cellway.catalogue.appendix import appendix, is_appendix
from cellway.catalogue.digest import changed, first_runs, models_of
from cellway.catalogue.entry import entry, is_entry
from cellway.catalogue.explained import attempts
from cellway.catalogue.markdown import is_markdown, markdown
from cellway.catalogue.page import is_page
from cellway.catalogue.page import page as page_of
from cellway.catalogue.pages import entries_kept, figures, files, texts
from cellway.catalogue.published import Source
from cellway.catalogue.verdict import Verdict
from cellway.cli.figure_files import is_figure
from cellway.cli.reproduction import report
from cellway.errors import CatalogueError
from common import known, require_golden
from reproduced import loaded, made


def page(done: Sequence[Reproduction]) -> str:
    return page_of([entry(one) for one in done])


@pytest.fixture(scope="module")
def done(tmp_path_factory: pytest.TempPathFactory) -> Reproduction:
    return made(loaded(tmp_path_factory.mktemp("shelf")))


def test_page_appendix_and_report_are_as_reviewed(done: Reproduction) -> None:
    """The two pages of a paper, and what the command prints of it and gives as JSON."""
    require_golden("page.md", page([done]))
    require_golden("appendix.md", appendix(entry(done)))
    require_golden("report.txt", "\n".join([*report(done), ""]))
    require_golden("reproduction.json", json.dumps(done.as_data(), indent=1) + "\n")


def test_agreement_in_a_table_that_does_not_test_is_counted(done: Reproduction) -> None:
    blind = replace(done.scores[0], nulls=(replace(done.scores[0].nulls[0], rms=0.0),))
    text = page([replace(done, scores=(blind,))])
    assert "0 stand in a score that tells our model" in text
    assert "1 only in scores that a null model meets about as well" in text
    assert "and 1 in no score." in page([replace(done, scores=())])


def test_a_score_of_what_is_derived_is_one_of_the_numbers_behind_it(done: Reproduction) -> None:
    (throughput, derived) = done.scores
    assert not derived.tests
    telling = replace(
        derived, nulls=(replace(derived.nulls[0], rms=10.0 * derived.ours.rms + 1.0),)
    )
    blind = replace(throughput, nulls=(replace(throughput.nulls[0], rms=0.0),))
    assert "Of these, 1 stands in a score that tells our model" in page(
        [replace(done, scores=(blind, telling))]
    )
    assert "Of these, 0 stand in a score that tells our model" in page(
        [replace(done, scores=(blind,))]
    )


def test_a_difference_without_a_reason_says_so_and_none_is_said_too(done: Reproduction) -> None:
    untold = page([replace(done, reason_tests=())])
    assert "- No reason is known for other numbers: P-T1-R3, P-T1-R4." in untold
    differing = done.results[2]
    number = replace(differing.number, note="tried: rain and snow")
    noted = replace(differing, number=number, verdict=Verdict.DIFFERS)
    (first, second, third, *others), results = done.paper.rows, done.results
    results = (*results[:2], noted, *results[3:])
    rows = (first, second, replace(third, note=number.note), *others)
    paper = replace(done.paper, rows=rows)
    text = page([replace(done, paper=paper, reason_tests=(), results=results)])
    assert "(P-T1-R3): no reason is known. Tried: rain and snow." in text
    agreeing = replace(done, results=done.results[:1], reason_tests=())
    assert "Nothing differs." in page([agreeing])


def test_entries_of_one_reason_are_together_if_its_outcome_is_one(done: Reproduction) -> None:
    """One reason for both, which takes only the difference of the first away."""
    first, second = (known(done.reason_test(code)) for code in ("P-T1-R3", "P-T1-R4"))
    shared = replace(first.reason, of=(first.of, second.of))
    paper = replace(done.paper, reasons=(shared,))
    tests = (replace(first, reason=shared), replace(second, reason=shared))
    text = page([replace(done, paper=paper, reason_tests=tests)])
    assert "(P-T1-R3): because: the window is scaled." in text
    assert "no reason is known; one failed its test: the window is scaled." in text


def test_a_reason_that_fell_is_said_with_its_cause(done: Reproduction) -> None:
    fell = SimpleNamespace(of=("P-T1-R3",), text="the sun shone", because="it was night")
    paper = cast("Paper", SimpleNamespace(fallen=[fell]))
    assert attempts(done.results[2], paper) == "One fell: it was night. It was that the sun shone."
    assert attempts(done.results[0], paper) == ""


def test_quick_and_failed_runs_are_said_on_top(done: Reproduction) -> None:
    failed = replace(
        done.results[0], verdict=Verdict.NOT_JUDGED, finished=False, failed=("seed 2: no memory",)
    )
    text = page([replace(done, quick=True, results=(failed, *done.results[1:]))])
    top = text.partition("\n## ")[0]
    assert "**Quick: one run per row" in top
    assert "**Failed:** pages-2001: P-T1-R1, seed 2: no memory." in top


def test_one_text_has_the_summary_first_and_no_figure(done: Reproduction) -> None:
    text = markdown([done])
    assert is_markdown(text.encode())
    assert is_page(page([done]).encode())
    assert is_appendix(appendix(entry(done)).encode())
    assert "![" not in text
    order = ("**Answer:**", "## pages-2001\n", "### P-T1\n")
    assert sorted(order, key=text.index) == [*order]


def test_equal_results_give_equal_texts_and_nothing_of_today(
    done: Reproduction, tmp_path: Path
) -> None:
    again = made(loaded(tmp_path))
    assert texts([entry(done)]) == texts([entry(again)])
    assert str(tmp_path) not in "".join(texts([entry(again)]).values())


def written(done: Sequence[Reproduction], folder: Path) -> dict[str, str]:
    """The pages, as files."""
    found = texts([entry(one) for one in done])
    for name, text in found.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return found


def test_a_paper_that_is_not_run_again_keeps_its_place(done: Reproduction, tmp_path: Path) -> None:
    """What was kept of it gives the page, byte for byte, that it had with it; before or behind."""
    other = renamed(done, "others-2001")
    both = written([other, done], tmp_path)
    for again, left in ((done, other), (other, done)):
        assert texts([entry(again), *entries_kept(tmp_path, [left.paper])]) == both
    assert "that 2 papers published" in both["REPRODUCED.md"]
    assert "**Answer:** 2 of 8 distinct published numbers agree" in both["REPRODUCED.md"]
    assert first_runs([other, done]) == both["docs/reproduced/first-runs.txt"]


def test_other_literature_is_counted_apart_with_its_sources(done: Reproduction) -> None:
    sources = (
        Source(("P-T1",), "A. Uthor:\n*First*", "read at home"),
        Source(("P-T2", "P-T3"), "B. Ook: *Second*.", "read"),
    )
    apart = renamed(done, "apart")
    apart = replace(apart, paper=replace(apart.paper, sources=sources))
    text = page([done, apart])
    assert "that 1 paper published" in text
    assert "**Answer:** 1 of 4 distinct published numbers agrees" in text
    assert "Other literature, 2 sources with criteria that were dated before" in text
    lines = [line for line in text.splitlines() if line.startswith(("|pages-2001", "|apart"))]
    assert [line.partition("|")[2].partition("|")[0] for line in lines] == ["pages-2001", "apart"]
    assert lines[0].split("|")[2:] == lines[1].split("|")[2:]
    assert "- P-T1: A. Uthor: *First*.\n- P-T2 and P-T3: B. Ook: *Second*." in text
    assert "A. Uthor: *First*. read at home." in appendix(entry(apart))
    assert "that other literature published" in page([apart])


def test_an_entry_is_read_as_it_was_written(done: Reproduction, tmp_path: Path) -> None:
    assert is_entry(written([done], tmp_path)["docs/reproduced/pages-2001.json"].encode())
    assert entries_kept(tmp_path, [done.paper]) == [entry(done)]
    assert entries_kept(tmp_path / "empty", [done.paper]) == []


ENTRY, FIRST_RUNS = "docs/reproduced/pages-2001.json", "docs/reproduced/first-runs.txt"


@pytest.mark.parametrize(
    ("damaged", "before", "now"),
    [
        (ENTRY, "}", ""),
        (ENTRY, '"numbers": {', '"others": {'),
        (ENTRY, '"scores": {', '"marks": {'),
        (FIRST_RUNS, "# model pages-2001", "# model"),
        (FIRST_RUNS, " P-T1-R1 9.9", " P-T1-R1"),
    ],
)
def test_a_damaged_entry_is_named_with_what_to_do(
    done: Reproduction, tmp_path: Path, damaged: str, before: str, now: str
) -> None:
    text = written([done], tmp_path)[damaged]
    assert before in text
    (tmp_path / damaged).write_text(text.replace(before, now))
    with pytest.raises(CatalogueError) as error:
        entries_kept(tmp_path, [done.paper])
    assert str(error.value) == (
        f"{tmp_path / damaged}: has no entry of pages-2001 as `cellway reproduce pages-2001 "
        f"--pages` writes it; remove {tmp_path / ENTRY} and run that again"
    )


def renamed(done: Reproduction, identifier: str) -> Reproduction:
    return replace(done, paper=replace(done.paper, id=identifier))


def test_every_figure_of_a_page_is_plotted_and_every_file_known(done: Reproduction) -> None:
    written, plotted = texts([entry(done)]), figures(done)
    known = files([done.paper], is_figure)
    assert {*written, *plotted} == set(known)
    for name in plotted:
        assert (
            name in written["REPRODUCED.md"]
            or Path(name).name in written["docs/reproduced/pages-2001.md"]
        )


def test_a_digest_that_changes_is_reported_row_by_row(done: Reproduction) -> None:
    before = first_runs([done])
    moved = replace(done.results[0], values=(9.8, *done.results[0].values[1:]))
    now = first_runs([replace(done, results=(moved, *done.results[1:]))])
    assert changed(before, now) == ["-pages-2001 P-T1-R1 9.9", "+pages-2001 P-T1-R1 9.8"]
    assert changed(before, before.replace(models_of(before)["pages-2001"], "another")) == []
