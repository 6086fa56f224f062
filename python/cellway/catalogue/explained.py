"""Sentences on differences, their reasons, and the results of tests of these reasons."""

from dataclasses import dataclass

from cellway.catalogue.claims import Finding
from cellway.catalogue.markup import estimated_in, in_unit, listed, several, short
from cellway.catalogue.published import Paper
from cellway.catalogue.reason_tests import ReasonTest
from cellway.catalogue.reasons import Reason
from cellway.catalogue.rows import FRESH_SEEDS, Result
from cellway.catalogue.runner import Reproduction
from cellway.catalogue.tally import is_distinct
from cellway.catalogue.verdict import Verdict

UNTESTED = "A reason is on record; only the stated replications test it."
"""Sentence on a difference of a quick run."""
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


@dataclass(frozen=True)
class Told:
    """Reason on record.

    Attributes:
        reason: the reason.
        passed: true if it passed its test.
        said: the result of the test, in sentences.
    """

    reason: Reason
    passed: bool
    said: str


def told(one: Result | Finding, reproduction: Reproduction) -> Told | None:
    """Reason on record of an entry, with the result of its test; `None` without one."""
    test = reproduction.reason_test(one.code)
    return None if test is None else Told(test.reason, test.passed, tested_text(test))


def attempts(one: Result | Finding, paper: Paper) -> str:
    """Attempts to find a reason: one that was given and fell, and the note of an entry."""
    note = one.claim.note if isinstance(one, Finding) else one.number.note
    fell = next((fallen for fallen in paper.fallen if one.code in fallen.of), None)
    fallen = [f"One fell: {fell.because}", f"It was that {fell.text}"] if fell else []
    texts = [*fallen, note]
    return " ".join(f"{text[:1].upper()}{text[1:].rstrip('.')}." for text in texts if text)


def reason_text(one: Result | Finding, reason: Told | None, paper: Paper) -> str:
    """Reason of a difference with the result of its test; without one, the attempts on record."""
    if reason is None and any(one.code in known.of for known in paper.reasons):
        return UNTESTED
    if reason is None:
        return f"No reason is known. {attempts(one, paper)}".rstrip()
    text = reason.reason.text.rstrip(".")
    if reason.passed:
        return f"{'' if one.verdict is Verdict.BECAUSE else 'On record: '}{text}. {reason.said}"
    return f"A reason was proposed and failed its test: {text}. {reason.said}"


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
