"""The catalogue as one Markdown text, the same for the same results: no dates, times or names of machines."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from cellway.catalogue.claims import Finding
from cellway.catalogue.published import PublishedStudy
from cellway.catalogue.reason_tests import ReasonTest
from cellway.catalogue.rows import Result
from cellway.catalogue.runner import Reproduction, unvaried
from cellway.catalogue.sensitivity import Variation, grid
from cellway.catalogue.verdict import JUDGED, Verdict
from cellway.statistics import Estimate
from cellway.statistics.repeats import IN_PROSE
from cellway.study import Results

if TYPE_CHECKING:
    from cellway.catalogue.criteria import Tolerance

INTRODUCTION = f"""\
# Published results, reproduced

Every row is run again with the replications that the catalogue states and judged by a tolerance fixed before
the run: it *agrees* when the mean lies within the tolerance of the published number, *differs, because* when
it does not and a reason is on record, *differs* otherwise. Ours is the mean over the replications with its
95 % interval and, in parentheses, their number. {IN_PROSE} The published numbers are those of
the paper's own simulation and of its measurement; the one in bold is what ours is judged against.
"""

CLAIMS = """\
A claim is a sentence of a paper, calculated from our numbers, seed by seed where the rows it compares have
the same seeds: it *agrees* when its mean lies in the range that was expected before the run, ends included.
"""


def is_markdown(content: bytes) -> bool:
    """Whether a file is one that `markdown` made."""
    return content.startswith(INTRODUCTION.partition("\n")[0].encode() + b"\n")


def markdown(reproductions: Sequence[Reproduction]) -> str:
    """`reproductions` as text that ends in a newline, paper by paper."""
    total = f"All papers together: {_counted(reproductions)}. {unvaried(reproductions)}".rstrip() + "\n"
    head = [INTRODUCTION, *([CLAIMS] if any(one.findings for one in reproductions) else [])]
    return "\n".join([*head, total, *(_paper(reproduction) for reproduction in reproductions)])


def _counted(reproductions: Sequence[Reproduction]) -> str:
    """How many rows and claims came to each verdict; the parts add up to all."""
    verdicts = [result.verdict for one in reproductions for result in one.results]
    verdicts += [finding.verdict for one in reproductions for finding in one.findings]
    shown = [verdict for verdict in Verdict if verdict in JUDGED or verdict in verdicts]
    return ", ".join(f"{verdicts.count(verdict)} *{verdict}*" for verdict in shown)


def _paper(reproduction: Reproduction) -> str:
    paper = reproduction.paper
    head = [
        f"## {paper.id}",
        f"{', '.join(paper.authors)}: *{_escaped(paper.title)}*. {_escaped(paper.venue)}, {paper.year}.",
        f"{_counted([reproduction])}, of {reproduction.judged}. {unvaried([reproduction])}".rstrip(),
    ]
    if reproduction.quick:
        head.append("**Quick: one run per row, not the stated replications.**")
    head += [f"**Failed:** {_escaped(said)}." for said in reproduction.failures]
    if paper.notes:
        head.append(_escaped(paper.notes))
    tables = dict.fromkeys(result.number.table for result in reproduction.results)
    tables |= dict.fromkeys(entry.table for entry, _ in reproduction.studies)
    tables |= dict.fromkeys(finding.claim.table for finding in reproduction.findings)
    parts = [part for name in tables for part in _table(name, reproduction)]
    parts += _choices(reproduction)
    if reproduction.variations:
        parts += ["### Sensitivity", *(_variation(variation) for variation in reproduction.variations)]
    return "\n\n".join([*head, *parts]) + "\n"


def _table(name: str, reproduction: Reproduction) -> list[str]:
    rows = [result for result in reproduction.results if result.number.table == name]
    findings = [finding for finding in reproduction.findings if finding.claim.table == name]
    parts = [f"### {name}"]
    if rows:
        parts += [_lines(_HEADER, "lllrrrrrl", [_row(result) for result in rows])]
        parts += _joined(_reasons(rows) + _remarks(rows, reproduction))
    parts += [_study(entry, results) for entry, results in reproduction.studies if entry.table == name]
    if findings:
        parts += [_lines(_CLAIM_HEADER, "llrrl", [_claim(finding) for finding in findings])]
        parts += _joined(_claim_remarks(findings, reproduction))
    return parts


def _study(entry: PublishedStudy, results: Results) -> str:
    given = results.study
    header = [factor.name for factor in given.factors]
    header += [
        response.name if response.unit == "1" else f"{response.name}, {response.unit}"
        for response in given.responses
    ]
    rows = [
        [
            *(_escaped(str(level)) for level in condition.parameters.values()),
            *(_estimate(results.estimate(r.name, point)) for r in given.responses),
        ]
        for point, condition in enumerate(results.conditions)
    ]
    return f"{entry.code}: {_escaped(entry.text)}.\n\n{_lines(header, 'r' * len(header), rows)}"


def _estimate(found: Estimate | None) -> str:
    if found is None:
        return "–"
    if found.repeated:
        return f"{found.mean:.4g} ({found.counted})"
    if found.half_width is None:
        return f"{found.mean:.4g}"
    return f"{found.mean:.4g} ± {found.half_width:.2g} ({found.n})"


def _joined(lines: Sequence[str]) -> list[str]:
    return ["\n".join(lines)] if lines else []


_HEADER = ("row", "condition", "unit", "simulated", "measured", "ours", "difference", "tolerance", "verdict")
_CLAIM_HEADER = ("code", "claim", "value", "expected", "verdict")


def _row(result: Result) -> list[str]:
    row = result.number
    published = {"simulated": row.simulated, "measured": row.measured}
    texts = {name: "–" if value is None else f"{value:g}" for name, value in published.items()}
    if row.compare is not None:
        texts[row.compare] = f"**{texts[row.compare]}**"
    return [
        row.code,
        _escaped(row.label),
        row.unit,
        texts["simulated"],
        texts["measured"],
        _ours(result),
        "–" if result.difference is None else f"{100 * result.difference:+.1f} %",
        "–" if row.tolerance is None else str(row.tolerance),
        result.said,
    ]


def _ours(result: Result) -> str:
    if result.ours is not None and result.ours.half_width is None:
        return f"{result.ours.mean:.4g} ({result.ours.counted})"
    return _estimate(result.ours)


def _reasons(rows: Sequence[Result]) -> list[str]:
    """Each tolerance with its reason; rows that share both share a line."""
    shared: dict[Tolerance, list[str]] = {}
    for result in rows:
        if (tolerance := result.number.tolerance) is not None:
            shared.setdefault(tolerance, []).append(result.number.code)
    return [
        f"- Tolerance {tolerance} ({', '.join(codes)}): {_escaped(tolerance.reason)}."
        for tolerance, codes in shared.items()
    ]


def _remarks(rows: Sequence[Result], reproduction: Reproduction) -> list[str]:
    lines = []
    for result in rows:
        row = result.number
        if row.note:
            lines.append(f"- {row.code}: {_escaped(row.note)}.")
        if test := reproduction.reason_test(row.code):
            lines.append(_why(test))
    return lines


def _why(test: ReasonTest) -> str:
    reason = test.reason
    outcome = "" if test.passed else "This reason failed its test. "
    shown = [f"{outcome}{_escaped(reason.text).rstrip('.')}."]
    shown.append(f"With {_escaped(reason.without)}: {_outcome(test)}.")
    shown.append(f"`{reason.run}`" if reason.run else "")
    return f"- {reason.of} differs, because " + " ".join(text for text in shown if text)


def _outcome(test: ReasonTest) -> str:
    """What the test gave, and what its setting breaks."""
    ours = test.without.ours
    number = "no result" if ours is None else f"{_estimate(ours)}, which {test.without.verdict}"
    broken = ", ".join(result.code for result in test.broken)
    also = ", ".join(test.reason.also)
    return f"{number}; of {also} this spoils {broken or 'none'}"


def _claim(finding: Finding) -> list[str]:
    claim = finding.claim
    return [
        claim.code,
        _escaped(claim.text),
        _escaped(finding.text("{:.4g}".format)),
        _escaped(claim.measured(str(claim.expected))),
        str(finding.verdict),
    ]


def _claim_remarks(findings: Sequence[Finding], reproduction: Reproduction) -> list[str]:
    lines = []
    for finding in findings:
        claim = finding.claim
        names = ", ".join(f"{name} = {code}" for name, code in claim.names.items())
        reason = _escaped(claim.expected.reason).rstrip(".")
        expected = _escaped(claim.measured(str(claim.expected)))
        lines.append(f"- {claim.code} is `{claim.value.text}` with {names}; expected {expected}: {reason}.")
        if claim.note:
            lines.append(f"- {claim.code}: {_escaped(claim.note)}.")
        if test := reproduction.reason_test(claim.code):
            lines.append(_why(test))
    return lines


def _choices(reproduction: Reproduction) -> list[str]:
    if not reproduction.paper.choices:
        return []
    texts = [(choice.what, choice.value, choice.reason) for choice in reproduction.paper.choices]
    rows = [[_escaped(text) for text in choice] for choice in texts]
    return [
        "### Choices",
        "What the paper leaves open, decided once for all its tables.",
        _lines(("what", "chosen", "reason"), "lll", rows),
    ]


def _variation(variation: Variation) -> str:
    entry = variation.sensitivity
    shown = grid(variation, _ours)
    header, *lines = [[_escaped(cell) for cell in line] for line in (shown.header, *shown.lines)]
    align = "l" * shown.words + "r" * (len(header) - shown.words)
    code = f"{entry.code}, " if entry.code else ""
    text = f"**{code}{_escaped(entry.name)}** — {_escaped(entry.why).rstrip('.')}."
    return f"{text}\n\n{_lines(header, align, lines)}"


def _lines(header: Sequence[str], align: str, rows: Iterable[Sequence[str]]) -> str:
    rule = ["---:" if side == "r" else "---" for side in align]
    return "\n".join(f"| {' | '.join(row)} |" for row in [header, rule, *rows])


def _escaped(text: str) -> str:
    """`text` on one line, with bars that do not end a cell and stars that do not emphasise."""
    return " ".join(text.split()).replace("|", "\\|").replace("*", "\\*")
