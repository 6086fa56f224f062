"""Part of one paper on the page on all: its numbers in its order, then what differs."""

import re
from collections.abc import Mapping, Sequence

from cellway.catalogue.claims import Finding
from cellway.catalogue.entry import Entry
from cellway.catalogue.explained import Told, attempts
from cellway.catalogue.folded import folded
from cellway.catalogue.markup import (
    NONE,
    cited,
    counted,
    escaped,
    estimated,
    in_unit,
    listed,
    ours_of,
    set_when,
    source_cited,
    titled_grid,
)
from cellway.catalogue.measured_text import made_by, measured_cell
from cellway.catalogue.published import Paper
from cellway.catalogue.rows import Result
from cellway.catalogue.runner import Reproduction
from cellway.catalogue.summary import OUTSIDE, differences
from cellway.catalogue.tally import is_distinct
from cellway.catalogue.verdict import JUDGED, Verdict

FOLDER = "docs/reproduced"
MAX_ENTRIES = 10
"""Most entries on what differs; the last ones have all that are left."""
_LABEL, _REASON, _TEST, _NOTE = 70, 130, 160, 170
"""Letters of a label, a reason, its test and a note: an entry has about two lines."""
_BREAKS = "That breaks "
_IN_BRACKETS = re.compile(r" \((?:[^()]|\([^()]*\))*\)")
_MANY = 4
"""Parts of an agreeing sentence that are listed; more are counted."""

One = Result | Finding


def section(entry: Entry, *, figures: bool = True) -> list[str]:
    """Part of one paper: its numbers in its order, then what differs.

    Args:
        entry: of the paper.
        figures: true for links to its own page.
    """
    paper = entry.paper
    everything = f" All else: [{paper.id}.md]({FOLDER}/{paper.id}.md)." if figures else ""
    parts = [
        f"## {paper.id}",
        f"{cited(paper)} `cellway reproduce {paper.id}`.{everything}",
        *_sources(paper),
        *_measured(paper),
    ]
    if lines := [_line(one, paper) for one in in_paper_order(entry.shown)]:
        parts.append(titled_grid("llrrrlll", lines))
    notes = notes_on(entry)
    parts += ["\n".join(notes)] if notes else []
    return [*parts, *differences_on(entry)]


def notes_on(entry: Entry) -> list[str]:
    """Items on what the table of numbers leaves out: repeated numbers, sentences, scores."""
    return [*_repeating(entry), *_sentences(entry), *_scores(entry), *_reasons(entry)]


def _sources(paper: Paper) -> list[str]:
    lines = [f"- {listed(one.tables)}: {source_cited(one)}" for one in paper.sources]
    return ["\n".join(lines)] if lines else []


def _measured(paper: Paper) -> list[str]:
    if not paper.measurements.kept:
        return []
    made = made_by(paper.measurements.kept.values())
    return [f"*Measured* is ours, {made}, with senders of its own, not judged."]


def in_paper_order(shown: Reproduction) -> list[One]:
    """Distinct published numbers, and claims with a place, in the order of the paper."""
    places = shown.paper.layout.places
    found: list[One] = [
        one for one in shown.results if one.number.published is not None and is_distinct(one)
    ]
    found += [one for one in shown.findings if one.code in places]
    return _in_order(found, shown.paper)


def _in_order(found: Sequence[One], paper: Paper) -> list[One]:
    """Entries in the order of the paper; those without a place come last."""
    order = {code: at for at, code in enumerate(paper.layout.places)}
    return sorted(found, key=lambda one: order.get(one.code, len(order)))


def cells_of(one: One, paper: Paper) -> dict[str, str]:
    """A number or a claim beside what was published, by column, as plain text."""
    return {
        "in the paper": paper.layout.places.get(one.code, NONE),
        "number": _label(one),
        "published": _published(one),
        "ours": _ours(one) if isinstance(one, Finding) else ours_of(one),
        "measured": measured_cell(paper, one.code),
        "verdict": one.verdict.value if isinstance(one, Finding) else one.said,
        "criterion set": set_when(paper, one.code),
        "code": one.code,
    }


def _line(one: One, paper: Paper) -> dict[str, str]:
    cells = cells_of(one, paper)
    said = cells["verdict"]
    return cells | {
        "number": escaped(cells["number"]),
        "published": escaped(cells["published"]),
        "verdict": f"**{said}**" if one.verdict in OUTSIDE else said,
    }


def _label(one: One) -> str:
    return one.claim.text.rstrip(".") if isinstance(one, Finding) else one.number.label


def _published(one: One) -> str:
    if isinstance(one, Finding):
        return f"expected {one.claim.measured(str(one.claim.expected))}"
    return in_unit(f"{one.number.published:g}", one.number.unit)


def _ours(one: One) -> str:
    return estimated(one.ours).partition(" (")[0]


def _repeating(entry: Entry) -> list[str]:
    derived = entry.counted.tally.derived
    said = f"- Numbers that repeat these or follow from them: {counted(derived)}."
    return [said] if any(derived.values()) else []


def _sentences(entry: Entry) -> list[str]:
    """Codes of claims by verdict, those of one number together."""
    found = entry.shown.findings
    parts = []
    for verdict in (*JUDGED, Verdict.NOT_JUDGED):
        having = [one.code for one in found if one.verdict is verdict]
        most = _MANY if verdict is Verdict.AGREES else len(having)
        if having:
            parts.append(f"{len(having)} *{verdict}*: {', '.join(_numbers(having, most))}")
    if not parts:
        return []
    before = [one.code for one in found if entry.paper.set_before(one.code)]
    dated = f" Criteria set before: {', '.join(_numbers(before, _MANY))}." if before else ""
    return [f"- Sentences of the text, by number. {'; '.join(parts)}.{dated}"]


def _numbers(codes: Sequence[str], most: int) -> list[str]:
    """Numbers of sentences, and in brackets their parts, or the count of more than `most`."""
    parts: dict[str, list[str]] = {}
    for code in codes:
        number, _, part = code.partition("-")[2].partition("-")
        parts.setdefault(number, []).append(part)
    said = []
    for number, found in parts.items():
        named = [one for one in found if one]
        said += [number] if len(named) < len(found) <= most else []
        if len(found) > most:
            said.append(f"{number} ({len(found)})")
        elif named:
            said.append(f"{number} ({', '.join(named)})")
    return said


def _scores(entry: Entry) -> list[str]:
    scores = entry.shown.scores
    if not scores:
        return []
    tables: dict[str, list[str]] = {}
    for one in (one for one in scores if one.tests):
        subject = escaped(one.score.subject or one.score.text).rstrip(".")
        tables.setdefault(subject, []).append(one.score.table)
    texts = [f"{listed(list(dict.fromkeys(of)))}, {subject}" for subject, of in tables.items()]
    those = f": {'; '.join(texts)}" if texts else ""
    testing = sum(map(len, tables.values()))
    return [f"- Scores that tell our model from null models: {testing} of {len(scores)}{those}."]


def _reasons(entry: Entry) -> list[str]:
    """Number of reasons that were given and that fell: on record so, or failed in their tests."""
    fell = [code for one in entry.paper.fallen for code in one.of]
    fell += [code for code, one in entry.reasons.items() if not one.passed]
    fell = list(dict.fromkeys(fell))
    given = len(fell) + sum(one.passed for one in entry.reasons.values())
    said = f"- Reasons: {given} were given, {len(fell)} of them fell: {', '.join(fell)}."
    return [said] if fell else []


def differences_on(entry: Entry) -> list[str]:
    """Entries on failures: those with a reason first, then those with a note, then all others."""
    found = differences(entry.shown)
    if not found:
        return ["Nothing differs."]
    copies = folded(entry.shown)
    roots = _in_order([one for one in found if one.code not in copies], entry.paper)
    groups = _grouped([one for one in roots if _has_words(one, entry)], entry)
    most = MAX_ENTRIES - 2 if len(groups) < len(roots) or len(groups) > MAX_ENTRIES else MAX_ENTRIES
    lines = [_entry(group, copies, entry) for group in groups[:most]]
    left = [one for one in roots if not _has_words(one, entry)]
    left += [one for group in groups[most:] for one in group]
    lines += _rest(left, copies)
    return ["**What differs**", "\n".join(f"- {line}" for line in lines)]


def _has_words(one: One, entry: Entry) -> bool:
    return one.code in entry.reasons or bool(attempts(one, entry.paper))


def _grouped(roots: Sequence[One], entry: Entry) -> list[list[One]]:
    """Failures with a reason or a note, passed reasons first.

    Those that share it and its outcome are together.
    """
    groups: dict[tuple[str, bool], list[One]] = {}
    for one in roots:
        reason = entry.reasons.get(one.code)
        text = reason.reason.text if reason else attempts(one, entry.paper)
        groups.setdefault((text, one.verdict is Verdict.BECAUSE), []).append(one)
    return sorted(groups.values(), key=lambda group: group[0].verdict is not Verdict.BECAUSE)


def _entry(group: Sequence[One], copies: Mapping[str, str], entry: Entry) -> str:
    first, reason = group[0], entry.reasons.get(group[0].code)
    names = "; ".join(_name(one, copies, entry.paper) for one in group)
    if reason and first.verdict is Verdict.BECAUSE:
        said = f"because: {cut(reason.reason.text, _REASON)} {_test(reason)}"
    elif reason:
        said = f"no reason is known; one failed its test: {cut(reason.reason.text, _REASON)} "
        said += _failed_test(reason)
    else:
        said = f"no reason is known. {cut(attempts(first, entry.paper), _NOTE)}"
    return f"{names}: {escaped(said)}"


def _test(reason: Told) -> str:
    """Result with the reason taken out, whole, and as much of what else it does as fits."""
    said = reason.said[reason.said.find("With ") :]
    whole = said.find(". ") + 1 or len(said)
    return cut(said, max(whole, _TEST))


def _failed_test(reason: Told) -> str:
    """Result with the reason taken out, and codes of what its setting breaks, without values."""
    said = reason.said[reason.said.find("With ") :]
    taken_out, _, broken = said.partition(_BREAKS)
    return f"{taken_out}{_BREAKS}{_IN_BRACKETS.sub('', broken)}" if broken else said


def _name(one: One, copies: Mapping[str, str], paper: Paper) -> str:
    """Place and label of a failure, its values if the table has none, its code, and copies."""
    label = escaped(cut_words(_label(one), _LABEL))
    place = paper.layout.places.get(one.code)
    if place is None:
        words = f"*{label}*" if isinstance(one, Finding) else label
        return f"**{one.code}**{_also(one, copies)}, {words}{_values(one)}"
    too = [code for code, root in copies.items() if root == one.code]
    codes = "; also ".join([one.code, *([listed(too)] if too else [])])
    return f"**{place}**, {label}{_values(one)} ({codes})"


def _values(one: One) -> str:
    """Values of a failure that is in no table of the page."""
    if isinstance(one, Finding):
        return f", {escaped(_published(one))}, ours {_ours(one)}"
    return "" if is_distinct(one) else f", published {_published(one)}, ours {_ours(one)}"


def _rest(left: Sequence[One], copies: Mapping[str, str]) -> list[str]:
    """Failures without an entry of their own: numbers, then sentences."""
    numbers = [one for one in left if not isinstance(one, Finding)]
    sentences = [one for one in left if isinstance(one, Finding)]
    lines = []
    if numbers:
        names = ", ".join(f"{one.code}{_values(one)}{_also(one, copies)}" for one in numbers)
        lines.append(f"No reason is known for other numbers: {names}.")
    if sentences:
        names = "; ".join(
            f"{one.code}{_also(one, copies)}, *{escaped(cut_words(_label(one), _LABEL))}*"
            f"{_values(one)}"
            for one in sentences
        )
        lines.append(f"No reason is known for other sentences: {names}.")
    return lines


def _also(one: One, copies: Mapping[str, str]) -> str:
    too = [code for code, root in copies.items() if root == one.code]
    return f" (also {listed(too)})" if too else ""


def cut(text: str, letters: int) -> str:
    """As many sentences of a text as fit, at least the beginning of the first."""
    text = f"{text.rstrip('.')}."
    ends = [one.end() for one in re.finditer(r"\.(?= |$)", text) if one.end() <= letters]
    return text[: ends[-1]] if ends else cut_words(text, letters)


def cut_words(text: str, letters: int) -> str:
    """As many words of a text as fit."""
    if len(text) <= letters:
        return text
    return f"{text[:letters].rpartition(' ')[0].rstrip(',;:')} …"
