"""Reasons: what is blamed is taken out, with seeds that nothing was chosen by; on a small paper."""

from collections.abc import Iterable
from dataclasses import replace

import pytest

import cellway
from cellway.catalogue import Finding, Reproduction, Verdict, load_paper, reproduce
from cellway.catalogue.entry import entry
from cellway.catalogue.explained import reason_text, told
from cellway.catalogue.reason_tests import ReasonTest, cases_of, family, trial
from cellway.catalogue.rows import FRESH_SEED, FRESH_SEEDS, Result
from cellway.catalogue.section import section
from cellway.cli.reproduction_text import report
from cellway.statistics import Estimate, estimate
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
    (short, *_) = outcome(small_done, "C2").also_without
    assert (short.code, len(short.values)) == ("T1-R1", 20)
    paced = ("flow.bulk.service.ubr.pace", "20 Mbit/s of payload")
    sets = [paced, ("flow.bulk.tcp.window", "8 KiB")]
    for at in (0, 19):
        run = cellway.run(cellway.Scenario.parse(SMALL).with_sets([*sets, ("run.seed", 2001 + at)]))
        assert short.values[at] == run.flows["bulk"]["throughput_bits_per_second"] / 1e6


def test_a_setting_is_tried_on_every_number_that_it_concerns(make: Make) -> None:
    """T1-R1 is paced already, T1-D1 follows from others, and nothing was published for T2-R2."""
    paper = load_paper(make(BOTH))
    pace, window = paper.reasons
    assert (pace.of, family(pace, paper)) == (("T1-R2",), ("T2-R1",))
    assert (window.of, family(window, paper)) == (("C2",), ("T1-R1", "T1-R2", "T2-R1"))


def test_a_scenario_without_the_key_is_not_concerned(make: Make) -> None:
    """No row has an impaired link, though each could be given one."""
    key = '"link.path.impairments.loss.share" = 0.1'
    files = changed(PAPER, "reasons.toml", PACED, f"{{ {key} }}")
    files = changed(files, "choices.toml", '"flow.*.service.ubr.pace"', '"link.*.impairments"')
    paper = load_paper(make(files))
    assert family(paper.reasons[0], paper) == ()


def test_a_key_that_is_off_by_default_is_tried_on_every_number(make: Make) -> None:
    """No row has a limited send buffer, and each is another scenario with one."""
    key = '"flow.*.tcp.send_buffer" = "8 KiB"'
    files = changed(PAPER, "reasons.toml", PACED, f"{{ {key} }}")
    files = changed(files, "choices.toml", '"flow.*.service.ubr.pace"', '"flow.*.tcp.send_buffer"')
    paper = load_paper(make(files))
    assert family(paper.reasons[0], paper) == ("T1-R1", "T2-R1")


def test_what_the_setting_breaks_and_mends_is_shown_beside_it(small_done: Reproduction) -> None:
    """A window of 8 KiB loses nothing, as C2 says and T1-R2, but is too slow for T1-R1."""
    found = outcome(small_done, "C2")
    assert found.passed
    assert [one.code for one in found.also_chosen] == ["T1-R1", "T1-R2", "T2-R1"]
    assert [one.code for one in found.broken] == ["T1-R1"]
    assert [one.code for one in found.mended] == ["T1-R2"]
    assert found.mends == 2


def test_numbers_beside_it_are_as_judged(small_done: Reproduction) -> None:
    found = outcome(small_done, "C2")
    (chosen, *_) = found.also_chosen
    assert chosen == small_done.result("T1-R1")
    assert verdicts(found.also_chosen) == [Verdict.AGREES, Verdict.DIFFERS, Verdict.DIFFERS]
    assert verdicts(found.also_without) == [Verdict.DIFFERS, Verdict.AGREES, Verdict.DIFFERS]


def test_a_reason_that_breaks_more_than_it_mends_fails(small_done: Reproduction) -> None:
    """One entry is mended by itself; two that get worse are more."""
    found = outcome(small_done, "C2")
    (paced, lost, ceiling) = found.also_without
    (_, _, was) = found.also_chosen
    agreed = replace(was, verdict=Verdict.AGREES)
    worse = replace(found, also_chosen=(*found.also_chosen[:2], agreed))
    assert [one.code for one in worse.broken] == ["T1-R1", "T2-R1"]
    assert worse.passed
    assert not replace(
        worse, also_without=(paced, replace(lost, verdict=was.verdict), ceiling)
    ).passed


def test_a_number_that_differs_is_broken_if_it_goes_away(small_done: Reproduction) -> None:
    """By more than its tolerance: T2-R1 is published as 10 with a tenth, ours 88.2."""
    found = outcome(small_done, "C2")
    (*others, ceiling) = found.also_without
    assert "T2-R1" not in [one.code for one in found.broken]
    for mean, broken in ((89.0, False), (89.3, True)):
        away = replace(ceiling, ours=Estimate(mean, None, 1))
        worse = replace(found, also_without=(*others, away))
        assert ("T2-R1" in [one.code for one in worse.broken]) is broken


def test_one_setting_that_explains_many_is_one_reason(make: Make) -> None:
    """Each of its entries has a verdict of its own, and they count together as mended."""
    reason = texts_of("claims")["reasons.toml"].replace('"C2"', '"C2", "T1-R2"')
    done = reproduce(
        load_paper(make(joined({**PAPER, "reasons.toml": ""}, {**CLAIMS, "reasons.toml": reason})))
    )
    tests = [outcome(done, code) for code in ("C2", "T1-R2")]
    assert [test.of for test in tests] == ["C2", "T1-R2"]
    assert [test.explained for test in tests] == [2, 2]
    assert tests[0].reason is tests[1].reason
    assert known(done.result("T1-R2")).verdict is Verdict.BECAUSE


FALLEN = """
[[fallen]]
of = ["T1-R2"]
text = "the sun shone"
because = "it rained."
"""


def test_a_reason_that_fell_leaves_a_difference(make: Make) -> None:
    done = reproduce(load_paper(make(with_reason(FALLEN))), "T1-R2")
    (found,) = done.results
    assert found.verdict is Verdict.DIFFERS
    assert done.fallen == ("T1-R2",)
    said = reason_text(found, told(found, done), done.paper)
    assert said == "No reason is known. One fell: it rained. It was that the sun shone."
    assert "- Reasons: 1 were given, 1 of them fell: T1-R2." in "\n".join(section(entry(done)))


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
    """T1-R1 breaks with the last fresh seed of the short window."""
    fault = cellway.SimulationFault("cells of VC 3 are not conserved")
    breaking(monkeypatch, fault, '"20 Mbit/s', '"8 KiB"', "seed = 2020\n")
    done = reproduce(load_paper(make(BOTH)), "C2")
    assert done.failures == ["T1-R1, seed 2020: cells of VC 3 are not conserved"]
    assert not done.passed


def test_only_the_reasons_of_what_is_chosen_are_tested(make: Make) -> None:
    paper = load_paper(make(BOTH))
    assert [one.of for one in reproduce(paper, "T1").reason_tests] == ["T1-R2"]
    assert [one.of for one in reproduce(paper, "C3").reason_tests] == []


def test_a_quick_run_explains_no_difference(make: Make) -> None:
    """One fresh seed without the family earned the verdict that the whole test may refuse."""
    quick = reproduce(load_paper(make()), "T1-R2", quick=True)
    assert quick.reason_tests == ()
    assert verdicts(quick.results) == [Verdict.DIFFERS]
    assert quick.passed
    said = "\n".join(report(quick))
    assert "A reason is on record; only the stated replications test it." in said
    assert "No reason is known" not in said
    assert "(one run, no interval)" in said


def test_a_test_runs_its_rows_twice_and_the_others_once(make: Make) -> None:
    """T1-R2 as chosen and paced, and the ceiling under the pacing."""
    paper = load_paper(make())
    cases = cases_of(trial(paper.reasons[0], paper), paper)
    paced = [(code, True) for code in ("T1-R2", "T2-R1")]
    assert [(case.code, bool(case.sets)) for case in cases] == [("T1-R2", False), *paced]


def test_the_points_of_a_study_cannot_be_run_under_another_setting(make: Make) -> None:
    said, there = refusal(make(joined(PAPER, texts_of("figure"))), "reasons.toml")
    assert said == "C9 has a study behind it; a reason for rows or claims of rows is accepted"
    assert there.startswith('"C9"')
