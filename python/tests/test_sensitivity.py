"""Sensitivity entries: chosen by code, limited to rows, merged into lines, compared, timed."""

import json

import pytest

from cellway.catalogue import Reproduction, load_paper, reproduce
from cellway.catalogue.markdown import markdown
from cellway.cli.reproduction import report
from common import PAPER, Make, joined, known, texts_of


@pytest.fixture
def done(make: Make) -> Reproduction:
    return reproduce(load_paper(make(joined(PAPER, texts_of("without-pacing")))), "T6")


def test_an_entry_is_chosen_by_its_code_and_runs_unasked(done: Reproduction) -> None:
    (variation,) = done.variations
    assert done.results == ()
    assert [found.code for found in variation.rows] == ["T1-R1", "T1-R2", "T2-R1"]
    assert done.passed
    assert "of 0 rows" not in "\n".join(report(done))


def test_alternatives_of_one_label_share_a_line_and_leave_other_rows_out(
    done: Reproduction,
) -> None:
    cases = done.variations[0].cases
    labels = [(case.label, case.published) for case in cases]
    assert labels == [("as chosen", None), ("slower", "High"), ("short", None)]
    paced, lost, ceiling = cases[1].results
    assert ceiling is None
    assert 0.0 < known(paced).values[0] < 2.0
    assert known(lost).values == (0.0, 0.0)


def test_changes_are_relative_to_the_numbers_as_chosen(done: Reproduction) -> None:
    chosen, slower, _ = done.variations[0].cases
    assert chosen.changes == (None, None, None)
    before, after = (known(known(case.results[0]).ours).mean for case in (chosen, slower))
    assert slower.changes[0] == pytest.approx(after / before - 1.0)
    assert slower.changes[1:] == (-1.0, None)
    assert "0 (2, all the same), -100 %|–|" in markdown([done])


def test_time_is_measured_per_simulated_second_and_never_in_markdown(done: Reproduction) -> None:
    chosen, slower, _ = done.variations[0].cases
    assert all(known(case.cpu_per_second) > 0.0 for case in done.variations[0].cases)
    assert chosen.cpu_ratio == 1.0
    # 128 KiB windows at 20 Mbit/s move far more cells in a second than 1 and 2 Mbit/s do.
    assert known(slower.cpu_ratio) < 1.0
    assert "CPU s per simulated s" in "\n".join(report(done))
    assert "CPU" not in markdown([done])
    cases = json.loads(json.dumps(done.as_data()))["sensitivity"][0]["cases"]
    assert cases[1]["cpu_ratio"] == slower.cpu_ratio
    assert [found["code"] for found in cases[1]["rows"]] == ["T1-R1", "T1-R2"]


def test_markdown_has_a_column_of_what_was_published(done: Reproduction) -> None:
    page = markdown([done])
    assert "**A-T6, without pacing** — what the pacer is worth." in page
    assert "|choice|published|T1-R1, Mbit/s|T1-R2, cell|T2-R1, Mbit/s|" in page
    assert "|slower|High|" in page
    assert "|short|–|" in page


def test_many_rows_go_down_the_page(make: Make) -> None:
    codes = [f"W-R{number}" for number in range(1, 7)]
    files = texts_of("ceilings")
    rows = "\n".join(files["published.toml"].replace("CODE", code) for code in codes)
    entry = files["choices.toml"].replace("CODES", str(codes))
    more = {"published.toml": rows, "choices.toml": entry}
    paper = load_paper(make(joined(PAPER, more)))
    page = markdown([reproduce(paper, "W", sensitivity=True)])
    lines = page.partition("**window**")[2].splitlines()
    assert lines[2:5] == [
        "|row|condition|as chosen|8 KiB|",
        "|---|---|---:|---:|",
        "|published||–|less|",
    ]
    assert lines[5].startswith("|W-R1, Mbit/s|ceiling W-R1|88.16 (1)|")
    assert len(lines) == 2 + 3 + len(codes)
