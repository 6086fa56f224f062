"""Measured numbers of a paper beside published and simulated ones, as Markdown and as text."""

from collections.abc import Iterable, Mapping, Sequence

from cellway.catalogue.markup import NONE, escaped, estimated, listed, sentence, titled_grid
from cellway.catalogue.measurements import Measured
from cellway.catalogue.published import Paper
from cellway.statistics import Estimate


def measured_section(paper: Paper, codes: Sequence[str]) -> list[str]:
    """Paragraphs on the measured rows among `codes`, for a page; none if none is measured."""
    found = {code: one for code in codes if (one := paper.measurements.of(code)) is not None}
    if not found:
        return []
    rows = [_escaped(row) for row in measured_rows(paper, found)]
    return [
        f"Measured {made_by(found.values())}:",
        titled_grid("lllrrrrrl", rows),
    ]


def measured_senders(paper: Paper) -> list[str]:
    """Paragraph on the senders and hosts of measured rows; none if none is measured."""
    if not paper.measurements.kept:
        return []
    return [f"**Measured rows.** {sentence(paper.measurements.how)}"]


def measured_cell(paper: Paper, code: str) -> str:
    """Mean of the measured runs of a row, for a column beside the simulated one."""
    found = paper.measurements.of(code)
    return NONE if found is None else estimated(found.mean)


def made_by(found: Iterable[Measured]) -> str:
    """Kernels and dates: ``"by the TCP of Linux 6.18.5, 2026-11-26"``."""
    dates: dict[str, set[str]] = {}
    for one in found:
        dates.setdefault(one.kernel, set()).add(one.date)
    makers = [f"Linux {kernel}, {listed(sorted(those))}" for kernel, those in dates.items()]
    return f"by the TCP of {listed(makers)}"


def measured_rows(paper: Paper, found: Mapping[str, Measured]) -> list[dict[str, str]]:
    """A row for each code: published numbers, ours of the same senders, and their difference."""
    return [_row(paper, code, one) for code, one in found.items()]


def _row(paper: Paper, code: str, one: Measured) -> dict[str, str]:
    row, difference = paper.row(code), one.difference
    published = {"simulated": row.simulated, "measured": row.measured}
    texts = {name: NONE if value is None else f"{value:g}" for name, value in published.items()}
    return {
        "row": code,
        "condition": row.label,
        "unit": row.unit,
        "published, simulated": texts["simulated"],
        "published, measured": texts["measured"],
        "these senders, simulated": estimated(one.simulated_mean),
        "measured": estimated(one.mean),
        "difference": NONE if difference is None else in_percent(difference),
        "not to be trusted": NONE if one.marked == 0 else f"{one.marked} of {len(one.measured)}",
    }


def in_percent(difference: Estimate) -> str:
    """A relative difference with its interval: ``"-0.6 ± 0.3 %"``."""
    width = "" if difference.half_width is None else f" ± {100 * difference.half_width:.1f}"
    return f"{100 * difference.mean:+.1f}{width} %"


def _escaped(row: Mapping[str, str]) -> dict[str, str]:
    return {title: escaped(cell) for title, cell in row.items()}
