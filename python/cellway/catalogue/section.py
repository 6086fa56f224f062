"""Part of one paper on the page on all: counts, a line per table, differences with reasons."""

from collections.abc import Callable, Sequence

from cellway.catalogue.answer import counts_table
from cellway.catalogue.appendix import cited
from cellway.catalogue.claims import Finding
from cellway.catalogue.explained import (
    command_of,
    difference_cells,
    fallen_text,
    is_reported,
    reason_text,
    what_differs,
)
from cellway.catalogue.markup import (
    NONE,
    briefly,
    escaped,
    grid_lines,
    sentence,
    several,
    titled_grid,
)
from cellway.catalogue.published import Paper
from cellway.catalogue.rows import Result
from cellway.catalogue.runner import Reproduction
from cellway.catalogue.scores import Scored
from cellway.catalogue.summary import (
    DOES_NOT_TEST,
    TableLine,
    differences,
    error_of,
    rank_of,
    table_lines,
    undecided,
    unit_of,
)
from cellway.catalogue.verdict import Verdict

FOLDER = "docs/reproduced"
_MAX_CODES = 12


def section(reproduction: Reproduction, *, figures: bool = True) -> list[str]:
    """Part of one paper: counts, a line per table, differences with reasons.

    Args:
        reproduction: of the whole paper.
        figures: true shows figures and links to its own page.
    """
    paper = reproduction.paper
    everything = (
        f" Everything: [{FOLDER}/{paper.id}.md]({FOLDER}/{paper.id}.md)." if figures else ""
    )
    parts = [
        title(paper.id),
        f"{cited(paper)} Run it with `cellway reproduce {paper.id}`.{everything}",
        *([counts_table(reproduction.tally)] if reproduction.results else []),
    ]
    if lines := table_lines(reproduction):
        parts.append(titled_grid("llrlllll", [_line(line, paper) for line in lines]))
    parts += _figures(reproduction) if figures else []
    parts += _differences(reproduction) + _undecided(reproduction) + _changed(paper)
    return parts


def title(identifier: str) -> str:
    """Heading of a paper's part of the page."""
    return f"## {identifier} in short"


def section_in(page: str, identifier: str) -> tuple[str, ...]:
    """Part of one paper on a `page` of several.

    Raises:
        ValueError: it has none.
    """
    parts = page.rstrip("\n").split("\n\n")
    start = parts.index(title(identifier))
    later = (at for at in range(start + 1, len(parts)) if parts[at].startswith("## "))
    return tuple(parts[start : next(later, None)])


def _line(line: TableLine, paper: Paper) -> dict[str, str]:
    def each(text: Callable[[Scored], str]) -> str:
        return "<br>".join(text(scored) for scored in line.scores) or NONE

    def ours(scored: Scored) -> str:
        return f"{error_of(scored.ours, unit_of(scored, paper))}, rank {rank_of(scored.ours)}"

    def null(scored: Scored) -> str:
        best = scored.best_null
        return f"{error_of(best, unit_of(scored, paper))}: {escaped(best.label)}"

    numbers = [f"{line.compared}{f' ({line.repeated} not counted)' if line.repeated else ''}"]
    numbers += [several(line.claims, "claim")] if line.claims else []
    tests = each(_tests)
    return {
        "table": line.table,
        "what it is": escaped(line.what),
        "numbers": "<br>".join(numbers if line.compared else numbers[1:]),
        "our score": each(ours),
        "best null model": each(null),
        "tests it?": tests if line.scores else "no score",
        "verdicts": briefly(line.counts),
        "run it": f"`cellway reproduce {paper.id} {line.table}`",
    }


def _tests(scored: Scored) -> str:
    subject = f": {escaped(scored.score.subject)}" if scored.score.subject else ""
    return f"yes{subject}" if scored.tests else f"*{DOES_NOT_TEST}*{subject}"


def scatter_figure(identifier: str) -> str:
    """File of the figure of published numbers against ours."""
    return f"{identifier}-scatter.svg"


def has_scatter(reproduction: Reproduction) -> bool:
    """True if a published number has one of ours beside it."""
    return any(one.number.published is not None and one.ours for one in reproduction.results)


def _figures(reproduction: Reproduction) -> list[str]:
    paper = reproduction.paper
    shown = [f"![Published numbers against ours: {paper.id}]({FOLDER}/{scatter_figure(paper.id)})"]
    shown = shown if has_scatter(reproduction) else []
    shown += [f"![{_plain(one.title)}]({FOLDER}/{one.code}.svg)" for one in paper.figures]
    return shown


def _plain(title: str) -> str:
    return escaped(title).replace("[", "(").replace("]", ")")


def _differences(reproduction: Reproduction) -> list[str]:
    found = differences(reproduction)
    failed = [test for test in reproduction.reason_tests if not test.passed]
    if not found and not failed:
        return ["Nothing differs."]
    reported = [one for one in found if is_reported(one, reproduction)]
    untold = [one for one in found if not is_reported(one, reproduction)]
    parts = (
        ["\n".join(f"- {_difference(one, reproduction)}" for one in reported)] if reported else []
    )
    codes = {one.code for one in found}
    others = [test.of for test in failed if test.of not in codes]
    if others:
        parts.append(
            "Reasons on record that did not pass their test, for what does not differ: "
            f"{', '.join(others)}."
        )
    parts += [_without_reason(untold)] if untold else []
    parts += [fallen] if (fallen := fallen_text(reproduction)) else []
    return ["**What differs, and why**", *parts]


def _difference(one: Result | Finding, reproduction: Reproduction) -> str:
    said = f"{escaped(reason_text(one, reproduction))}{command_of(one, reproduction)}"
    end = ":" if one.verdict is Verdict.BECAUSE else "."
    return f"**{one.code}**: {escaped(what_differs(one))}. It {one.verdict}{end} {said}"


def _without_reason(found: Sequence[Result | Finding]) -> str:
    rows = [[one.code, *map(escaped, difference_cells(one))] for one in found]
    header = ("no reason is known", "what", "published or expected", "ours")
    return grid_lines(header, "llrr", rows)


def _undecided(reproduction: Reproduction) -> list[str]:
    found = undecided(reproduction)
    if not found:
        return []
    return [f"**Undecided**: {', '.join(one.code for one in found)}."]


def _changed(paper: Paper) -> list[str]:
    """Notes on criteria that an edition changed when results were known."""
    found = [one for one in paper.editions if one.changed and one.results == "known"]
    if not found:
        return []
    lines = [f"- {one.date}: {_codes(one.changed, paper)}. {sentence(one.why)}" for one in found]
    return ["**Criteria changed when results were known**", "\n".join(lines)]


def _codes(codes: Sequence[str], paper: Paper) -> str:
    if len(codes) <= _MAX_CODES:
        return ", ".join(codes)
    return (
        f"{len(codes)} criteria, listed in "
        f"[{paper.id}]({FOLDER}/{paper.id}.md#editions-of-the-criteria)"
    )
