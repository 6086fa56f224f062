"""Claims: sentences of a paper, calculated from rows seed by seed, judged by a range."""

import json

from cellway.catalogue import Reproduction, Verdict, load_paper, reproduce
from common import CLAIMS, PAPER, Make, changed, joined, texts_of

BOTH = joined(PAPER, CLAIMS)


def test_claims_are_judged_and_counted_beside_the_rows(small_done: Reproduction) -> None:
    assert {finding.code: finding.verdict for finding in small_done.findings} == {
        "C1": Verdict.AGREES,
        "C2": Verdict.BECAUSE,
        "C3": Verdict.DIFFERS,
    }
    assert small_done.counts == {
        Verdict.AGREES: 2,
        Verdict.UNDECIDED: 1,
        Verdict.BECAUSE: 2,
        Verdict.DIFFERS: 2,
    }
    assert not small_done.passed


def test_a_claim_whose_interval_reaches_over_an_end_is_undecided(make: Make) -> None:
    """Pacing leaves 19.78 ± 1.4 % of the ceiling: astride 19, and astride 20."""
    verdicts = []
    for least, most in ((15, 19), (20, 25), (15, 18), (22, 25)):
        files = changed(BOTH, "criteria.toml", "min = 15\nmax = 25", f"min = {least}\nmax = {most}")
        (finding,) = reproduce(load_paper(make(files)), "C1").findings
        verdicts.append(finding.verdict)
    assert verdicts == [Verdict.UNDECIDED, Verdict.UNDECIDED, Verdict.DIFFERS, Verdict.DIFFERS]


def test_a_claim_is_chosen_by_its_code_or_its_table(make: Make) -> None:
    paper = load_paper(make(BOTH))
    assert paper.tables == ("T1", "T2", "C")
    assert [claim.code for claim in paper.select("c").claims] == ["C2", "C3"]
    table = paper.select("T2")
    assert [row.code for row in table.rows] == ["T2-R1", "T2-R2"]
    assert [claim.code for claim in table.claims] == ["C1"]
    chosen = reproduce(paper, "C3", quick=True)
    assert chosen.results == ()
    assert [finding.code for finding in chosen.findings] == ["C3"]
    assert not chosen.passed


DERIVED = texts_of("derived")


def test_a_claim_of_a_derived_number_runs_the_rows_behind_it(make: Make) -> None:
    """A published number, 17.5 Mbit/s, needs no run."""
    paper = load_paper(make(joined(PAPER, DERIVED)))
    assert [row.code for row in paper.rows_of("X")] == ["T1-R1", "T2-R1"]
    done, (derived,) = reproduce(paper, "X"), reproduce(paper, "T1-D1").results
    assert done.results == ()
    assert done.findings[0].values == tuple(value / 17.5 for value in derived.values)


def test_claims_are_reported_as_data(small_done: Reproduction) -> None:
    claims = json.loads(json.dumps(small_done.as_data(), allow_nan=False))["claims"]
    assert [(one["code"], one["n"], one["on_means"]) for one in claims] == [
        ("C1", 8, False),
        ("C2", 2, False),
        ("C3", 4, False),
    ]
