"""Words and tables of Markdown that all texts on reproductions share."""

import math
from collections.abc import Iterable, Mapping, Sequence

from cellway.catalogue.published import Derived, Paper, Row, Source
from cellway.catalogue.rows import Result
from cellway.catalogue.verdict import JUDGED, Verdict
from cellway.statistics import Estimate

NONE = "–"
QUICK_SAID = (
    "one run per row, not the stated replications: no interval, no reason tested, no null model "
    "that needs runs. A verdict is on that run alone: where runs fall into groups, one may lie far "
    "outside, and the mean of all agree"
)
QUICK = f"**Quick: {QUICK_SAID}.**"
_PLAIN = 1e9


def grid_lines(header: Sequence[str], align: str, rows: Iterable[Sequence[str]]) -> str:
    """A table in Markdown, with ``l`` or ``r`` for each column."""
    rule = ["---:" if side == "r" else "---" for side in align]
    return "\n".join(f"|{'|'.join(row)}|" for row in [header, rule, *rows])


def titled_grid(align: str, rows: Sequence[Mapping[str, str]]) -> str:
    """A table in Markdown whose rows, one at least, have cells by title.

    Columns that say nothing in any row are left out.
    """
    sides = {
        title: side
        for title, side in zip(rows[0], align, strict=True)
        if any(row[title] != NONE for row in rows)
    }
    return grid_lines([*sides], "".join(sides.values()), [[row[t] for t in sides] for row in rows])


def escaped(text: str) -> str:
    """Text on one line, with bars that do not end a cell and stars that do not emphasise."""
    return " ".join(text.split()).replace("|", "\\|").replace("*", "\\*")


def sentence(text: str) -> str:
    """Text, escaped, with one full stop at its end."""
    return f"{escaped(text).rstrip('.')}."


def short(number: float, digits: int = 4) -> str:
    """Number with `digits` significant digits, without exponent if it is large."""
    text = f"{number:.{digits}g}"
    return f"{float(text):.0f}" if "e+" in text and abs(number) < _PLAIN else text


def estimated(found: Estimate | None) -> str:
    """Mean ± half-width (n); a single number alone."""
    if found is None:
        return NONE
    if found.repeated:
        return f"{short(found.mean)} ({found.counted})"
    if found.half_width is None:
        return short(found.mean)
    return f"{short(found.mean)} ± {short(found.half_width, 2)} ({found.n})"


def estimated_in(found: Estimate | None, unit: str) -> str:
    """Mean ± half-width (n) with the unit, for a sentence."""
    mean, bracket, count = estimated(found).partition(" (")
    return f"{in_unit(mean, unit)}{bracket}{count}"


def ours_of(result: Result) -> str:
    """Mean ± half-width (n), with the n of a single number, too."""
    if result.ours is not None and result.ours.half_width is None:
        return f"{short(result.ours.mean)} ({result.ours.counted})"
    return estimated(result.ours)


def place_of(result: Result) -> str:
    """Fraction of our replications below the published number; empty for a single one."""
    below = result.below_published
    return NONE if below is None or len(result.values) == 1 else f"{100 * below:.0f} %"


def cited(paper: Paper) -> str:
    """Authors, title, venue and year of the paper; of a folder with sources its title alone."""
    if paper.apart:
        return f"*{escaped(paper.title)}*: {several(len(paper.sources), 'source')}."
    return (
        f"{', '.join(paper.authors)}: *{escaped(paper.title)}*. {escaped(paper.venue)}, "
        f"{paper.year}."
    )


def source_cited(source: Source) -> str:
    """A source as it is cited, on one line, with its emphasis."""
    return f"{' '.join(source.cited.split()).rstrip('.')}."


def set_when(paper: Paper, code: str) -> str:
    """``"before"`` or ``"after"`` its results were known, when the criterion of `code` was set."""
    if not paper.editions:
        return NONE
    return "before" if paper.set_before(code) else "after"


def in_unit(number: str, unit: str) -> str:
    """Number with its unit behind it; without one if the unit is 1."""
    plural = "s" if unit in {"cell", "packet"} and number != "1" else ""
    return number if unit == "1" else f"{number} {unit}{plural}"


def counted(counts: Mapping[Verdict, int]) -> str:
    """Counts of all four verdicts: ``"3 *agrees*, 0 *undecided*, …"``."""
    return ", ".join(f"{counts[verdict]} *{verdict}*" for verdict in JUDGED)


def tolerance_of(number: Row | Derived) -> str:
    """Tolerance: ``"3 %"`` of the published number, or a distance, ``"3 % points"``."""
    tolerance = number.tolerance
    if tolerance is None or tolerance.absolute is None:
        return NONE if tolerance is None else str(tolerance)
    return _distance(str(tolerance), number.unit)


def difference_of(result: Result) -> str:
    """Ours less published as the tolerance is given: relative in %, else a distance."""
    number, ours = result.number, result.ours
    absolute = number.tolerance.absolute if number.tolerance else None
    if number.published is None or ours is None or (absolute is None and not number.published):
        return NONE
    if absolute is None:
        return f"{100 * (ours.mean - number.published) / number.published:+.1f} %"
    digits = max(0, 2 - math.floor(math.log10(absolute)))
    return _distance(f"{ours.mean - number.published:+z.{digits}f}", number.unit)


def _distance(number: str, unit: str) -> str:
    """Distance of two numbers in `unit`: of two per cents it is in points."""
    return in_unit(number, "% points" if unit == "%" else unit)


def are(number: int) -> str:
    """``"1 is"``, ``"2 are"``."""
    return f"{number} {'is' if number == 1 else 'are'}"


def briefly(counts: Mapping[Verdict, int]) -> str:
    """Counts that are not zero, for a cell."""
    return "; ".join(f"{count} {verdict}" for verdict, count in counts.items() if count) or NONE


def several(number: int, what: str) -> str:
    """``"1 row"``, ``"2 rows"``."""
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def listed(words: Sequence[str]) -> str:
    """``"a, b and c"``."""
    *first, last = words
    return f"{', '.join(first)} and {last}" if first else last
