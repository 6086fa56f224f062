"""Claims: sentences of a paper, calculated from rows seed by seed, judged by a range."""

import json
import re

import pytest

from cellway import RunError
from cellway.catalogue import Reproduction, Verdict, load_paper, reproduce
from cellway.cli.reproduction import report
from cellway.statistics import estimate
from common import CLAIMS, PAPER, Files, Make, changed, joined

BOTH = joined(PAPER, CLAIMS)


def claim(names: str, value: str) -> Files:
    """A claim X that expects nothing below 0."""
    return {
        "published.toml": f"""
[[claim]]
code = "X"
table = "X"
text = "a test"
names = {{ {names} }}
value = "{value}"
unit = "1"
""",
        "criteria.toml": '\n[[expected]]\nclaim = "X"\nmin = 0\nreason = "a test"\n',
    }


def one(make: Make, names: str, value: str) -> Reproduction:
    """A paper with a single claim, that claim chosen."""
    return reproduce(load_paper(make(joined(PAPER, claim(names, value)))), "X")


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


def test_a_value_is_calculated_seed_by_seed_and_single_values_are_constants(
    small_done: Reproduction,
) -> None:
    paced, _, ceiling, *_ = small_done.results
    finding = small_done.findings[0]
    shares = [100 * value / ceiling.values[0] for value in paced.values]
    assert len(shares) == 8
    assert finding.values == pytest.approx(shares)
    assert finding.ours == estimate(finding.values)


def test_what_two_rows_of_one_seed_share_cancels(make: Make) -> None:
    """Common random numbers: a row has an interval, its difference from itself has none."""
    (finding,) = one(make, 'a = "T1-R1", b = "T1-R1"', "a - b").findings
    assert finding.ours is not None
    assert (finding.ours.mean, finding.ours.half_width, finding.ours.n) == (0.0, None, 8)


def test_rows_with_different_numbers_of_seeds_use_those_that_they_share(
    small_done: Reproduction,
) -> None:
    """Eight paced runs and four others: the value is that of the first four seeds."""
    paced, _, _, plain, _ = small_done.results
    finding = small_done.findings[2]
    shared = [ours / other for ours, other in zip(paced.values, plain.values, strict=False)]
    assert len(shared) == 4
    assert not finding.on_means
    assert finding.values == pytest.approx(shared)
    assert finding.ours == estimate(finding.values)


def test_a_claim_of_a_derived_number_runs_the_rows_behind_it(make: Make) -> None:
    done = one(make, 'share = "T1-D1"', "share / 100")
    paper = done.paper
    assert [row.code for row in paper.rows_of("X")] == ["T1-R1", "T2-R1"]
    (derived,) = reproduce(paper, "T1-D1").results
    assert done.findings[0].values == tuple(value / 100 for value in derived.values)


def test_a_published_number_follows_a_dot(make: Make) -> None:
    """The paper has 17.5 and 16.5 Mbit/s in T1-R1; its numbers need no run."""
    done = one(make, 'row = "T1-R1"', "row.simulated - row.measured")
    assert done.findings[0].values == (1.0,)
    assert done.results == ()


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


def test_a_zero_divisor_is_reported_with_the_numbers(make: Make) -> None:
    with pytest.raises(RunError) as failed:
        one(make, 'paced = "T1-R1", lost = "T1-R2"', "paced / (lost - 136)")
    assert "X: paced / (lost - 136) of seed 1 has no finite value: paced = " in str(failed.value)
    assert "lost = 136" in str(failed.value)


def test_claims_are_in_the_report_and_json(small_done: Reproduction) -> None:
    text = "\n".join(report(small_done))
    assert re.search(
        r"C1 +pacing leaves a fifth of the ceiling +19\.\d+ ± \S+ % \(8\) +15 to 25 % +agrees", text
    )
    claims = json.loads(json.dumps(small_done.as_data(), allow_nan=False))["claims"]
    assert [claim["code"] for claim in claims] == ["C1", "C2", "C3"]
    assert [(claim["n"], claim["on_means"]) for claim in claims] == [
        (8, False),
        (2, False),
        (4, False),
    ]
