"""The digest of first runs, kept with results to show whether the program still gives them."""

import hashlib
from dataclasses import replace

from cellway.catalogue import Reproduction, load_paper, reproduce
from cellway.catalogue.digest import body_of, changed, first_runs, first_runs_of, models_of
from cellway.runs.models import MODEL_VERSION
from common import PAPER, Make


def test_a_line_for_each_row_with_its_first_seed(small_done: Reproduction) -> None:
    text = first_runs([small_done])
    rows = small_done.results[:4]
    assert body_of(text) == [f"small-2001 {one.code} {one.values[0]!r}" for one in rows]
    assert body_of(text)[1] == "small-2001 T1-R2 136.0"
    assert text.endswith("\n")
    assert text.splitlines()[0].startswith("# ")


def test_the_digest_is_that_of_the_bytes_of_the_lines(small_done: Reproduction) -> None:
    text = first_runs([small_done])
    lines = text[text.index("\nsmall-2001") + 1 :]
    assert f"\n# sha256 {hashlib.sha256(lines.encode()).hexdigest()}\n" in text


def test_one_run_of_each_row_gives_the_same_bytes_as_all_of_them(
    small_done: Reproduction, make: Make
) -> None:
    assert body_of(first_runs([reproduce(load_paper(make()), quick=True)])) == body_of(
        first_runs([small_done])
    )


def test_the_version_of_the_model_is_reported_and_does_not_count(small_done: Reproduction) -> None:
    text = first_runs([small_done])
    assert models_of(text) == {"small-2001": MODEL_VERSION}
    older = text.replace(MODEL_VERSION, "0.0.1-older")
    assert models_of(older) == {"small-2001": "0.0.1-older"}
    assert body_of(older) == body_of(text)
    assert models_of("# nothing\n") == {}


def test_the_last_bit_of_a_number_counts(small_done: Reproduction) -> None:
    first, *others = small_done.results
    values = (first.values[0] + 2.0**-48, *first.values[1:])
    assert f"{values[0]:.12g}" == f"{first.values[0]:.12g}"
    moved = replace(small_done, results=(replace(first, values=values), *others))
    assert body_of(first_runs([moved])) != body_of(first_runs([small_done]))


def test_other_seeds_and_what_is_derived_do_not_count(small_done: Reproduction) -> None:
    first, *others = small_done.results
    later = replace(small_done, results=(replace(first, values=first.values[:1]), *others[:-1]))
    assert first_runs([later]) == first_runs([small_done])


def test_papers_follow_each_other(small_done: Reproduction) -> None:
    assert body_of(first_runs([small_done, small_done])) == 2 * body_of(first_runs([small_done]))
    assert body_of(first_runs([])) == []


def test_other_data_with_the_same_numbers_are_reported(make: Make) -> None:
    """Criteria, reasons and words make pages other, though no run changes."""
    other = reproduce(load_paper(make()), quick=True)
    (folder,) = {row.scenario.parent for row in other.paper.rows}
    before = first_runs([other])
    (folder / "criteria.toml").write_text(
        (folder / "criteria.toml").read_text() + "# a word more\n"
    )
    reported = changed(before, first_runs([other]))
    assert [line[:19] for line in reported] == ["-# data small-2001 ", "+# data small-2001 "]


def test_the_order_of_keys_that_overlap_counts(make: Make) -> None:
    """The later one holds, so that another order may be other runs."""
    every, one = '"flow.*.tcp.window" = "16 KiB"', '"flow.bulk.tcp.window" = "32 KiB"'
    pace = '"flow.bulk.service.ubr.pace" = "20 Mbit/s of payload"'
    assert pace in PAPER["published.toml"]
    reports = [
        first_runs_of(reproduce(load_paper(make({**PAPER, "published.toml": text})), "T2-R1"))
        for keys in ((every, one), (one, every))
        for text in [PAPER["published.toml"].replace(pace, ", ".join(keys))]
    ]
    assert reports[0].numbers == reports[1].numbers
    assert reports[0].data != reports[1].data


def test_the_time_of_the_runs_is_no_data(make: Make) -> None:
    timed = PAPER["published.toml"].replace("[paper]", "[paper]\ncpu_seconds = 7", 1)
    kept = [
        first_runs_of(reproduce(load_paper(make({**PAPER, "published.toml": text})), "T2-R1"))
        for text in (PAPER["published.toml"], timed)
    ]
    assert timed != PAPER["published.toml"]
    assert kept[0].data == kept[1].data
