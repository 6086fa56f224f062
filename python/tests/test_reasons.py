"""Reasons: what is blamed is taken out, with seeds that nothing was chosen by; on a small paper."""

from collections.abc import Iterable

import pytest

import cellway
from cellway.catalogue import Finding, Reproduction, Verdict, load_paper, reproduce
from cellway.catalogue.reason_tests import ReasonTest, cases_of
from cellway.catalogue.rows import FRESH_SEED, FRESH_SEEDS, Result
from cellway.statistics import estimate
from common import (
    CLAIMS,
    PAPER,
    SMALL,
    Files,
    Make,
    breaking,
    changed,
    joined,
    known,
    refusal,
    texts_of,
)

BOTH = joined(PAPER, CLAIMS)
PACED = '{ "flow.bulk.service.ubr.pace" = "20 Mbit/s of payload" }'


def outcome(done: Reproduction, code: str) -> ReasonTest:
    return known(done.reason_test(code))


def with_reason(reason: str, *changes: tuple[str, str, str]) -> Files:
    """The paper with `reason` as the only one; changes: (file, old, new)."""
    files: Files = {**PAPER, "reasons.toml": reason}
    for change in changes:
        files = changed(files, *change)
    return files


def verdicts(results: Iterable[Result | Finding]) -> list[Verdict]:
    return [one.verdict for one in results]


def test_a_reason_that_takes_the_difference_away_passes(small_done: Reproduction) -> None:
    """Without pacing 136 cells are lost whatever the seed, with it none: 1 ± 1.5 was published."""
    found = outcome(small_done, "T1-R2")
    assert found.passed
    assert (found.chosen.verdict, found.without.verdict) == (Verdict.DIFFERS, Verdict.AGREES)
    assert [known(one.ours).mean for one in (found.chosen, found.without)] == [136.0, 0.0]
    assert known(small_done.result("T1-R2")).verdict is Verdict.BECAUSE


def test_twenty_fresh_seeds_are_run(small_done: Reproduction) -> None:
    """Two of them by hand; T1-R1 has eight when it is judged."""
    assert (FRESH_SEED, FRESH_SEEDS) == (2001, 20)
    (paced, _) = outcome(small_done, "T1-R2").also_without
    assert len(paced.values) == 20
    sets = [("flow.bulk.service.ubr.pace", "20 Mbit/s of payload")]
    for at in (0, 19):
        run = cellway.run(cellway.Scenario.parse(SMALL).with_sets([*sets, ("run.seed", 2001 + at)]))
        assert paced.values[at] == run.flows["bulk"]["throughput_bits_per_second"] / 1e6


def test_what_the_setting_breaks_is_shown_beside_it(small_done: Reproduction) -> None:
    """A window of 8 KiB loses nothing, as C2 says, but is too slow for T1-R1."""
    found = outcome(small_done, "C2")
    assert found.passed
    assert [one.code for one in found.also_chosen] == ["T1-R1", "T2-R1"]
    assert verdicts(found.also_chosen) == [Verdict.AGREES, Verdict.DIFFERS]
    assert verdicts(found.also_without) == [Verdict.DIFFERS, Verdict.DIFFERS]
    assert [one.code for one in found.broken] == ["T1-R1"]


def test_rows_beside_it_are_as_judged_and_a_worse_verdict_counts_as_broken(
    small_done: Reproduction,
) -> None:
    """T1-R1 is paced already. T1-D1 is undecided with its eight seeds, outside with the twenty."""
    found = outcome(small_done, "T1-R2")
    assert found.also_chosen == (small_done.result("T1-R1"), small_done.result("T1-D1"))
    assert verdicts(found.also_chosen) == [Verdict.AGREES, Verdict.UNDECIDED]
    assert verdicts(found.also_without) == [Verdict.AGREES, Verdict.DIFFERS]
    assert [one.code for one in found.broken] == ["T1-D1"]


def test_a_reason_that_leaves_the_difference_fails(make: Make) -> None:
    """64 KiB overflow 256 cells as 128 KiB do."""
    files = changed(PAPER, "reasons.toml", PACED, '{ "flow.bulk.tcp.window" = "64 KiB" }')
    done = reproduce(load_paper(make(files)), "T1-R2")
    found = outcome(done, "T1-R2")
    assert not found.passed
    assert found.without.verdict is Verdict.DIFFERS
    assert verdicts(done.results) == [Verdict.DIFFERS]
    assert not done.passed


UNLUCKY = texts_of("reasons")["unlucky.toml"]


def one_run_of(published: float, relative: float) -> list[tuple[str, str, str]]:
    """Changes: T1-R1 is judged by seed 1 alone, which gives 19.08 Mbit/s."""
    return [
        ("published.toml", "simulated = 17.5", f"simulated = {published}"),
        ("published.toml", "replications = 8", "replications = 1"),
        ("criteria.toml", "relative = 0.10", f"relative = {relative}"),
    ]


def test_a_difference_that_fresh_seeds_do_not_show_has_no_reason(make: Make) -> None:
    """Seed 1 gives 19.08 Mbit/s, outside 17.3 ± 5 %; twenty fresh ones 17.27 ± 0.59, inside."""
    files = with_reason(UNLUCKY, *one_run_of(17.3, 0.05))
    done = reproduce(load_paper(make(files)), "T1-R1")
    found = outcome(done, "T1-R1")
    assert found.chosen.verdict is found.without.verdict is Verdict.AGREES
    assert not found.passed
    assert verdicts(done.results) == [Verdict.DIFFERS]


def test_fresh_seeds_that_leave_it_undecided_are_not_enough(make: Make) -> None:
    """The same, judged by 3 %: the interval of fresh seeds reaches over both 16.8 and 17.8."""
    files = with_reason(UNLUCKY, *one_run_of(17.3, 0.03))
    found = outcome(reproduce(load_paper(make(files)), "T1-R1"), "T1-R1")
    assert found.chosen.verdict is Verdict.UNDECIDED
    assert not found.passed


def test_a_reason_that_only_may_take_the_difference_away_fails(make: Make) -> None:
    """Paced, the fresh seeds give 17.27 ± 0.59 Mbit/s, astride the lower end of 17.9 ± 5 %."""
    entry = 'replications = 4\npublished = { simulated = 17.9 }\ncompare = "simulated"'
    tolerance = '[[tolerance]]\nrows = ["T2-R2"]\nrelative = 0.05\nreason = "made up"\n\n[[score]]'
    files = with_reason(
        texts_of("reasons")["pacing.toml"],
        ("published.toml", "replications = 4", entry),
        ("criteria.toml", "[[score]]", tolerance),
    )
    done = reproduce(load_paper(make(files)), "T2-R2")
    found = outcome(done, "T2-R2")
    assert found.chosen.verdict is Verdict.DIFFERS
    assert found.without.verdict is Verdict.UNDECIDED
    assert not found.passed
    assert verdicts(done.results) == [Verdict.DIFFERS]


def test_agreement_with_a_reason_on_record_is_agreement(make: Make) -> None:
    """The reason is tested and found idle; it does not turn an agreement into a difference."""
    done = reproduce(load_paper(make(with_reason(UNLUCKY))), "T1-R1")
    assert verdicts(done.results) == [Verdict.AGREES]
    assert not outcome(done, "T1-R1").passed


def test_agreement_stays_agreement_though_a_reason_passes(make: Make) -> None:
    """Seed 1 gives 19.08, within 3 % of 19.4; twenty fresh ones only with runs of 4 s."""
    reason = changed({"it": UNLUCKY}, "it", '"1 s"', '"4 s"')["it"]
    files = with_reason(reason, *one_run_of(19.4, 0.03))
    done = reproduce(load_paper(make(files)), "T1-R1")
    assert outcome(done, "T1-R1").passed
    assert verdicts(done.results) == [Verdict.AGREES]


def test_a_claims_reason_is_tested_on_the_rows_behind_it(small_done: Reproduction) -> None:
    found = outcome(small_done, "C2")
    assert found.chosen.ours == estimate([136.0] * 20)
    assert found.without.ours == estimate([0.0] * 20, deterministic=True)


def test_a_derived_numbers_reason_is_tested_on_the_rows_behind_it(make: Make) -> None:
    """Paced, of the ceiling: 8 KiB make it 10 % of the 19 published."""
    reason = texts_of("reasons")["window.toml"]
    files = with_reason(reason, ("published.toml", "simulated = 19.0", "simulated = 10.0"))
    done = reproduce(load_paper(make(files)), "T1-D1")
    found = outcome(done, "T1-D1")
    assert found.passed
    assert known(found.without.ours).mean == pytest.approx(100 * 8.912896 / 88.1558640644654)
    assert verdicts(done.results) == [Verdict.BECAUSE]


def test_a_run_that_breaks_beside_it_is_said(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    """T1-R1 breaks with the last fresh seed: the reason passes, the paper does not."""

    fault = cellway.SimulationFault("cells of VC 3 are not conserved")
    breaking(monkeypatch, fault, '"20 Mbit/s', '"64 KiB"', "seed = 2020\n")
    window = 'set = { "flow.bulk.tcp.window" = "64 KiB", "flow'
    done = reproduce(
        load_paper(make(changed(PAPER, "published.toml", 'set = { "flow', window))), "T1"
    )
    assert outcome(done, "T1-R2").passed
    assert done.failures == ["T1-R1, seed 2020: cells of VC 3 are not conserved"]
    assert not done.passed


def test_only_the_reasons_of_what_is_chosen_are_tested(make: Make) -> None:
    paper = load_paper(make(BOTH))
    assert [one.reason.of for one in reproduce(paper, "T1", quick=True).reason_tests] == ["T1-R2"]
    assert [one.reason.of for one in reproduce(paper, "C3", quick=True).reason_tests] == []


def test_a_quick_test_runs_no_rows_but_its_own(make: Make) -> None:
    paper = load_paper(make())
    (quick,) = reproduce(paper, "T1-R2", quick=True).reason_tests
    assert (quick.reason.of, quick.also_chosen, quick.also_without) == ("T1-R2", (), ())


def test_a_test_runs_its_rows_twice_and_the_others_once(make: Make) -> None:
    """T1-R2 as chosen and paced; T1-R1 and, for T1-D1, the ceiling under the pacing."""
    paper = load_paper(make())
    cases = cases_of(paper.reasons[0], paper)
    paced = [(code, True) for code in ("T1-R2", "T1-R1", "T2-R1")]
    assert [(case.code, bool(case.sets)) for case in cases] == [("T1-R2", False), *paced]


def test_the_points_of_a_study_cannot_be_run_under_another_setting(make: Make) -> None:
    said, there = refusal(make(joined(PAPER, texts_of("figure"))), "reasons.toml")
    assert said == "C9 has a study behind it; a reason for rows or claims of rows is accepted"
    assert there.startswith('"C9"')
