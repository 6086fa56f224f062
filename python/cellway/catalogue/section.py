"""Part of one paper on the page on all: its numbers in its order, then what differs."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence

from cellway.catalogue.claims import Finding
from cellway.catalogue.entry import Entry
from cellway.catalogue.explained import note_of
from cellway.catalogue.folded import folded
from cellway.catalogue.markup import (
    NONE,
    cited,
    escaped,
    estimated,
    in_unit,
    listed,
    ours_of,
    set_when,
    titled_grid,
)
from cellway.catalogue.measured_text import made_by, measured_cell
from cellway.catalogue.published import Paper
from cellway.catalogue.rows import Result
from cellway.catalogue.summary import differences
from cellway.catalogue.tally import is_distinct
from cellway.catalogue.verdict import JUDGED, Verdict

FOLDER = "docs/reproduced"
MAX_ENTRIES = 10
"""Most entries on what differs; the last one has all that are left."""
_REASON, _TEST, _NOTE = 130, 110, 170
"""Letters of a reason, of its test and of a note: an entry has about two lines."""


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
        *_measured(paper),
    ]
    if lines := _lines(entry):
        parts.append(titled_grid("llrrrlll", lines))
    parts.append("\n".join([*_repeating(entry), *_sentences(entry), *_fallen(paper)]))
    return [part for part in parts if part] + _differences(entry)


def in_order(results: Sequence[Result], paper: Paper) -> list[Result]:
    """Results in the order of the paper; those without a place come last."""
    order = {code: at for at, code in enumerate(paper.layout.places)}
    return sorted(results, key=lambda one: order.get(one.code, len(order)))


def _measured(paper: Paper) -> list[str]:
    kept = paper.measurements.kept
    return [f"The column *measured* is ours, {made_by(kept.values())}."] if kept else []


def _lines(entry: Entry) -> list[dict[str, str]]:
    paper = entry.paper
    distinct = [
        one for one in entry.shown.results if one.number.published is not None and is_distinct(one)
    ]
    return [_line(one, paper) for one in in_order(distinct, paper)]


def _line(one: Result, paper: Paper) -> dict[str, str]:
    number = one.number
    return {
        "in the paper": paper.layout.places.get(one.code, NONE),
        "number": escaped(number.label),
        "published": in_unit(f"{number.published:g}", number.unit),
        "ours": ours_of(one),
        "measured": measured_cell(paper, one.code),
        "verdict": _marked(one.said),
        "criterion": set_when(paper, one.code),
        "code": one.code,
    }


def _marked(verdict: str) -> str:
    """Verdict; in bold if it is no agreement."""
    return verdict if verdict == Verdict.AGREES else f"**{verdict}**"


def _repeating(entry: Entry) -> list[str]:
    found = Counter(
        one.verdict
        for one in entry.shown.results
        if one.number.published is not None and not is_distinct(one)
    )
    if not found:
        return []
    counts = ", ".join(f"{found[one]} {one}" for one in JUDGED if found[one])
    return [f"- Numbers that repeat these or follow from them: {counts}."]


def _sentences(entry: Entry) -> list[str]:
    """Codes of claims by verdict, those of one number together."""
    found = entry.shown.findings
    parts = []
    for verdict in (*JUDGED, Verdict.NOT_JUDGED):
        having = [one.code for one in found if one.verdict is verdict]
        if having:
            parts.append(f"{len(having)} {verdict}: {', '.join(_numbers(having))}")
    if not parts:
        return []
    before = [one.code for one in found if entry.paper.set_before(one.code)]
    dated = f" Criteria set before: {', '.join(_numbers(before))}." if before else ""
    return [f"- Sentences of the text. {'; '.join(parts)}.{dated}"]


def _numbers(codes: Sequence[str]) -> list[str]:
    """Numbers of sentences without the paper's; what they are split into in brackets."""
    parts: dict[str, list[str]] = {}
    for code in codes:
        _, _, rest = code.partition("-")
        number, _, part = rest.partition("-")
        parts.setdefault(number, []).append(part)
    return [
        number if found == [""] else f"{number} ({', '.join(one or 'itself' for one in found)})"
        for number, found in parts.items()
    ]


def _fallen(paper: Paper) -> list[str]:
    """Number of reasons that the rule on reasons took away; nothing if it is not on record."""
    fallen = getattr(paper, "fallen", None)
    return [f"- Reasons that fell: {len(fallen)} ({', '.join(fallen)})."] if fallen else []


def _differences(entry: Entry) -> list[str]:
    """Entries on failures: those with a reason first, then those with a note, then all others."""
    found = differences(entry.shown)
    if not found:
        return ["Nothing differs."]
    copies = folded(entry.shown)
    roots = [one for one in found if one.code not in copies]
    groups = _grouped([one for one in roots if _has_words(one, entry)], entry)
    plain = [one for one in roots if not _has_words(one, entry)]
    most = MAX_ENTRIES - 1 if plain or len(groups) > MAX_ENTRIES else MAX_ENTRIES
    told, plain = groups[:most], [*plain, *(one for group in groups[most:] for one in group)]
    lines = [_entry(group, copies, entry) for group in told]
    if plain:
        names = "; ".join(_name(one, copies) for one in plain)
        lines.append(f"No reason is known{' either' if told else ''} for {names}.")
    return ["**What differs**", "\n".join(f"- {line}" for line in lines)]


def _has_words(one: Result | Finding, entry: Entry) -> bool:
    return one.code in entry.reasons or bool(note_of(one))


def _grouped(roots: Sequence[Result | Finding], entry: Entry) -> list[list[Result | Finding]]:
    """Failures with a reason or a note; those that share it together, passed reasons first."""
    groups: dict[str, list[Result | Finding]] = {}
    for one in roots:
        reason = entry.reasons.get(one.code)
        groups.setdefault(reason.reason.text if reason else note_of(one) or "", []).append(one)
    return sorted(groups.values(), key=lambda group: group[0].verdict is not Verdict.BECAUSE)


def _entry(group: Sequence[Result | Finding], copies: Mapping[str, str], entry: Entry) -> str:
    first, reason = group[0], entry.reasons.get(group[0].code)
    names = "; ".join(_name(one, copies) for one in group)
    if reason and first.verdict is Verdict.BECAUSE:
        text = reason.reason.text
        said = f"because: {cut(text, _REASON)} {cut(reason.said, _TEST)}"
    elif reason:
        said = f"no reason is known; one failed its test: {cut(reason.reason.text, _NOTE)}"
    else:
        said = f"no reason is known. {cut(_capital(note_of(first) or ''), _NOTE)}"
    return f"{names}: {escaped(said)}"


def _name(one: Result | Finding, copies: Mapping[str, str]) -> str:
    """Code of a failure, of a claim with its text and numbers, and the copies of it."""
    too = [code for code, root in copies.items() if root == one.code]
    also = f" (so {'does' if len(too) == 1 else 'do'} {listed(too)})" if too else ""
    if isinstance(one, Finding):
        claim = one.claim
        said = f" *{escaped(cut(claim.text, _TEST))}*, expected {_expected(one)}, ours {_ours(one)}"
        return f"**{one.code}**{said}{also}"
    return f"**{one.code}**{also}"


def _expected(one: Finding) -> str:
    return escaped(one.claim.measured(str(one.claim.expected)))


def _ours(one: Finding) -> str:
    return NONE if one.ours is None else estimated(one.ours).partition(" (")[0]


def _capital(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}"


def cut(text: str, letters: int) -> str:
    """As many sentences of a text as fit, at least the beginning of the first."""
    text = f"{text.rstrip('.')}."
    ends = [one.end() for one in re.finditer(r"\.(?= |$)", text) if one.end() <= letters]
    if ends:
        return text[: ends[-1]]
    return f"{text[:letters].rpartition(' ')[0].rstrip(',;:')} …"
