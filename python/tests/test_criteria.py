"""Criteria: dated and sealed by a hash; a criterion that changes without an edition is refused."""

import datetime
import hashlib
import json

import pytest

from cellway.catalogue import Verdict, load_paper, reproduce
from cellway.catalogue.criteria import load_criteria
from cellway.cli.reproduction_text import report
from common import CLAIMS, GOLDEN, PAPER, UNSEALED, Make, changed, joined, refusal

BOTH = joined(PAPER, CLAIMS)

EDITION = """\
[[edition]]
date = 2001-02-04
sha256 = "%s"
results = "known"
why = "the first was a mistake"
changed = ["T1-R1"]
"""


def test_every_criterion_reaches_what_it_judges(make: Make) -> None:
    paper = load_paper(make(BOTH))
    assert [str(row.tolerance) for row in paper.numbers] == ["10 %", "1.5", "10 %", "None", "5 %"]
    assert [str(claim.expected) for claim in paper.claims] == [
        "15 to 25",
        "at most 0",
        "1.5 to 2.5",
    ]
    (edition,) = paper.editions
    assert edition.date == datetime.date(2001, 2, 3)
    assert (edition.results, edition.why, edition.changed) == (
        "unknown",
        "written before anything was run",
        (),
    )


def test_the_hash_is_that_of_every_number_that_judges(make: Make) -> None:
    """Written down again by hand: sorted keys, no reasons, no dates."""
    canonical = json.loads((GOLDEN / "criteria.json").read_text())
    by_hand = hashlib.sha256(json.dumps(canonical).encode()).hexdigest()
    criteria, _ = load_criteria(make(BOTH))
    assert criteria.sha256 == by_hand
    assert criteria.editions[-1].sha256 == by_hand


CHANGES = [
    ("relative = 0.10", "relative = 0.11"),
    ("absolute = 1.5", "absolute = 1.6"),
    ("absolute = 1.5", "relative = 1.0"),
    ("max = 25", "max = 26"),
    ("min = 15", "min = 16"),
    ('scale = "linear"', 'scale = "log"'),
    ('rows = ["T1-R1", "T2-R1"]', 'rows = ["T2-R1", "T1-R1"]'),
    ("[10, 17.5]", "[10, 17.4]"),
    ("numbers = [10, 17.5]", 'set = { "flow.bulk.tcp.window" = "8 KiB" }'),
    ('nulls = [{ label = "the other way round", numbers = [10, 17.5] }]', ""),
]


@pytest.mark.parametrize(("old", "new"), CHANGES, ids=[f"{old} {new}" for old, new in CHANGES])
def test_a_criterion_that_changes_without_an_edition_is_refused(
    make: Make, old: str, new: str
) -> None:
    """The message has the hash that a new edition needs; with it the paper is accepted."""
    folder = make(BOTH)
    criteria = folder / "criteria.toml"
    before = load_criteria(folder)[0].sha256
    after = changed({"it": criteria.read_text()}, "it", old, new)["it"]
    criteria.write_text(after)
    said, there = refusal(folder, "criteria.toml")
    assert said.startswith(
        "the criteria below are not those of this edition; a new edition with its date"
    )
    assert there.startswith(f'"{before}"')
    right = said.partition('sha256 = "')[2].partition('"')[0]
    edition = f"{EDITION % right}\n[[tolerance]]"
    criteria.write_text(after.replace("[[tolerance]]", edition, 1))
    paper = load_paper(folder)
    assert [edition.sha256 for edition in paper.editions] == [before, right]
    assert paper.editions[-1].changed == ("T1-R1",)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("slow start takes part of the second", "slow start takes some of the second"),
        ("20 of 88 Mbit/s, less the start", "a fifth"),
        ('text = "throughput"', 'text = "how fast it is"'),
        ("written before anything was run", "written first"),
    ],
)
def test_wording_may_change_without_an_edition(make: Make, old: str, new: str) -> None:
    folder = make(BOTH)
    criteria = folder / "criteria.toml"
    criteria.write_text(changed({"it": criteria.read_text()}, "it", old, new)["it"])
    assert len(load_paper(folder).editions) == 1


def test_the_order_of_entries_is_not_judged_by(make: Make) -> None:
    """Rows of one tolerance may be apart, and entries have any order."""
    folder = make(BOTH)
    text = BOTH["criteria.toml"]
    head, *entries = text.split("\n[[")
    turned = "\n[[".join([head, *(f"{entry.rstrip()}\n" for entry in reversed(entries))])
    assert turned != text
    again = make({**BOTH, "criteria.toml": turned})
    assert load_criteria(again)[0].sha256 == load_criteria(folder)[0].sha256


def test_a_paper_that_nobody_sealed_is_refused(make: Make) -> None:
    said, there = refusal(make(BOTH, sealed=False), "criteria.toml")
    assert "is expected" in said
    assert there.startswith(f'"{UNSEALED}"')


def test_editions_follow_each_other(make: Make) -> None:
    late = changed(BOTH, "criteria.toml", "2001-02-03", "2001-02-05")
    text = f"{EDITION % UNSEALED}\n[[tolerance]]"
    said, there = refusal(
        make(changed(late, "criteria.toml", "[[tolerance]]", text)), "criteria.toml"
    )
    assert said == "an edition of 2001-02-05 stands before it; the last comes last"
    assert there.startswith("2001-02-04")


UNFAILING = {
    "lost.simulated": "no number of ours is in `value`",
    "max(lost, 2) / 2": "no numbers make `max(lost, 2) / 2` leave the range, at least 1",
    "abs(lost)": "no numbers make `abs(lost)` leave the range, at least 0",
}
"""Values of C2 that no run can fail, by what is said of them."""


@pytest.mark.parametrize("value", UNFAILING)
def test_a_criterion_that_no_result_can_fail_is_refused(make: Make, value: str) -> None:
    files = changed(BOTH, "published.toml", 'value = "lost"', f'value = "{value}"')
    least = 1 if "/" in value else 0
    files = changed(files, "criteria.toml", "max = 0", f"min = {least}")
    said, there = refusal(make(files), "criteria.toml")
    assert said.startswith(f"C2: {UNFAILING[value]}")
    assert there.startswith('"C2"')


def test_a_number_may_be_the_end_of_its_range(make: Make) -> None:
    """At most 20 %, as a sentence may have it."""
    files = changed(BOTH, "criteria.toml", "min = 15\nmax = 25", "max = 20")
    assert str(load_paper(make(files)).claims[0].expected) == "at most 20"


def test_a_claim_may_be_shown_and_not_judged(make: Make) -> None:
    files = changed(BOTH, "criteria.toml", "min = 15\nmax = 25", "judged = false")
    done = reproduce(load_paper(make(files)), "C1", quick=True)
    (found,) = done.findings
    assert found.claim.expected.reason == "20 of 88 Mbit/s, less the start"
    assert (str(found.claim.expected), found.verdict) == ("not judged", Verdict.NOT_JUDGED)
    assert found.finished
    assert "not judged: 1 of 1 rows and claims (1 because their criteria say why not)" in report(
        done
    )
