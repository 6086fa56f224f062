"""Sentences on differences, their reasons, and the results of tests of these reasons."""

from cellway.catalogue.claims import Finding
from cellway.catalogue.markup import estimated_in, in_unit, listed, several, short
from cellway.catalogue.reason_tests import ReasonTest
from cellway.catalogue.rows import FRESH_SEEDS, Result
from cellway.catalogue.runner import Reproduction
from cellway.catalogue.tally import is_distinct
from cellway.catalogue.verdict import Verdict

_MAX_BROKEN = 6
"""Most broken numbers that are written out."""


def what_differs(one: Result | Finding) -> str:
    """Name, published or expected value, and ours."""
    if isinstance(one, Finding):
        claim = one.claim
        given = (
            ""
            if claim.published is None
            else f"published {claim.measured(f'{claim.published:g}')}, "
        )
        ours = one.text(short)
        return (
            f"{claim.text.rstrip('.')}: {given}expected {claim.measured(str(claim.expected))}, "
            f"ours {ours}"
        )
    number = one.number
    published = in_unit(f"{number.published:g}", number.unit)
    said = "published" if is_distinct(one) else "published, or implied by what was,"
    return f"{number.label}: {said} {published}, ours {estimated_in(one.ours, number.unit)}"


def difference_cells(one: Result | Finding) -> list[str]:
    """Name, published or expected value, and ours, for the cells of a table."""
    if isinstance(one, Finding):
        claim = one.claim
        return [claim.text.rstrip("."), claim.measured(str(claim.expected)), one.text(short)]
    number = one.number
    published = in_unit(f"{number.published:g}", number.unit)
    return [number.label, published, estimated_in(one.ours, number.unit)]


def is_reported(one: Result | Finding, reproduction: Reproduction) -> bool:
    """True if a reason, one that fell, or an attempt to find one is on record."""
    on_record = reproduction.reason_test(one.code) or reproduction.paper.fallen_reason(one.code)
    return bool(on_record or _note(one))


def fallen_text(reproduction: Reproduction) -> str:
    """Number of entries whose reason fell, with their codes; empty without."""
    if not (fallen := reproduction.fallen):
        return ""
    hold = [test.of for test in reproduction.reason_tests if test.passed]
    given = len(fallen) + len(hold)
    return f"Reasons: {given} were given, {len(fallen)} of them fell: {', '.join(fallen)}."


def _note(one: Result | Finding) -> str | None:
    return one.claim.note if isinstance(one, Finding) else one.number.note


def reason_text(one: Result | Finding, reproduction: Reproduction) -> str:
    """Reason of a difference with the result of its test; without one, the attempts on record."""
    test = reproduction.reason_test(one.code)
    if test is None:
        tried = f" {_sentence(note)}" if (note := _note(one)) else ""
        return f"No reason is known.{tried}{_fallen(one, reproduction)}"
    text = test.reason.text.rstrip(".")
    if test.passed:
        return (
            f"{'' if one.verdict is Verdict.BECAUSE else 'On record: '}{text}. {tested_text(test)}"
        )
    return f"A reason was proposed and failed its test: {text}. {tested_text(test)}"


def _fallen(one: Result | Finding, reproduction: Reproduction) -> str:
    fallen = reproduction.paper.fallen_reason(one.code)
    if fallen is None:
        return ""
    return f" One was given and fell: {fallen.text.rstrip('.')}. {_sentence(fallen.because)}"


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:].rstrip('.')}."


def command_of(one: Result | Finding, reproduction: Reproduction) -> str:
    """Command that shows the reason, as code behind a sentence; empty without a reason."""
    test = reproduction.reason_test(one.code)
    return f" `{' '.join(test.reason.run.split())}`" if test and test.reason.run else ""


def tested_text(test: ReasonTest) -> str:
    """Result of a test with the reason taken out, and the rows that this breaks."""
    parts = [f"With {test.reason.without.rstrip('.')}: {_result_text(test.without)}."]
    if test.chosen.verdict is not Verdict.DIFFERS:
        parts.insert(0, f"As chosen, with {_seeds(test.chosen)}: {_result_text(test.chosen)}.")
    return " ".join([*parts, broken_text(test)]).rstrip()


def broken_text(test: ReasonTest) -> str:
    """Numbers of the family that get worse with the reason taken out."""
    if not test.also_chosen:
        return ""
    others = f"of {several(len(test.also_chosen), 'other number')} tested with it"
    if not test.broken:
        return f"That breaks none {others}."
    broken = [
        f"{one.code} ({estimated_in(one.ours, one.number.unit)}, {one.verdict})"
        for one in test.broken[:_MAX_BROKEN]
    ]
    if (more := len(test.broken) - len(broken)) > 0:
        broken.append(f"{more} more")
    return f"That breaks {listed(broken)}, {others}, and mends {test.mends}."


def _seeds(one: Result | Finding) -> str:
    count = len(one.values)
    return (
        f"{count} fresh seeds"
        if count == FRESH_SEEDS
        else "a fresh seed"
        if count == 1
        else "fresh seeds"
    )


def _result_text(one: Result | Finding) -> str:
    if one.ours is None:
        return "no result"
    unit = one.claim.unit if isinstance(one, Finding) else one.number.unit
    return f"{estimated_in(one.ours, unit)}, which {_verb(one.verdict)}"


def _verb(verdict: Verdict) -> str:
    return "is undecided" if verdict is Verdict.UNDECIDED else str(verdict)
