"""`cellway reproduce`: published results, re-run and judged."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from cellway import catalogue
from cellway.catalogue.claims import Finding
from cellway.catalogue.markdown import is_markdown, markdown
from cellway.catalogue.rows import Result
from cellway.catalogue.runner import Reproduction, unvaried
from cellway.catalogue.sensitivity import Variation, grid
from cellway.cli.drawing import is_picture, save_figure
from cellway.cli.exits import FAILED, INTERRUPTED, require_file, require_writable, unwritable
from cellway.cli.options import AsJson, Force
from cellway.cli.progress import bar
from cellway.cli.study_results import as_data as study_data
from cellway.cli.study_results import means
from cellway.cli.text import number, percent, plain, say, say_json, table
from cellway.files import shortened, write_text


def reproduce(
    paper: Annotated[str | None, typer.Argument(help="Its identifier; all papers without it.")] = None,
    tables: Annotated[
        str | None,
        typer.Argument(
            metavar="TABLE", help="One table, or one row, claim or sensitivity entry by its code."
        ),
    ] = None,
    quick: Annotated[
        bool, typer.Option("--quick", help="One run per row instead of the stated replications.")
    ] = False,
    sensitivity: Annotated[
        bool, typer.Option("--sensitivity", help="Also run the alternatives to what the paper leaves open.")
    ] = False,
    as_json: AsJson = False,
    workers: Annotated[
        int | None, typer.Option(min=1, help="Runs at a time; by default one per core.")
    ] = None,
    store: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Keep every run here; the next time only what is missing is run."),
    ] = None,
    markdown_file: Annotated[
        Path | None, typer.Option("--markdown", metavar="FILE", help="Write everything as Markdown.")
    ] = None,
    plots: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Draw each paper's rows into this folder.")
    ] = None,
    force: Force = False,
) -> None:
    """Re-run published results and judge them: agrees; differs, because; differs."""
    papers = [catalogue.paper(name) for name in ([paper] if paper else catalogue.paper_ids())]
    for chosen in papers:
        chosen.select(tables)
    if markdown_file is not None:
        require_file("--markdown", markdown_file, is_markdown, force=force)
    if plots is not None:
        require_writable("--plots", plots)
        for file in (file for chosen in papers for file in _pictures(chosen, plots)):
            require_file("--plots", file, is_picture, force=force)
    if store is not None:
        require_writable("--store", store)
    done = _all(
        papers,
        tables,
        quick=quick,
        sensitivity=sensitivity,
        workers=workers,
        store=store,
        force=force,
        quiet=as_json,
    )
    if as_json:
        say_json({"papers": [as_data(reproduction) for reproduction in done]})
    written = _write(done, markdown_file, plots)
    if not as_json:
        say(*(f"written to {file}" for file in written))
    if not all(reproduction.complete for reproduction in done):
        raise typer.Exit(INTERRUPTED)
    if not all(reproduction.passed for reproduction in done):
        raise typer.Exit(FAILED)


def report(reproduction: Reproduction) -> list[str]:
    """A reproduction as text: every row and claim with its verdict, and the counts of the three verdicts."""
    paper = reproduction.paper
    head = [f"{paper.id}: {', '.join(paper.authors)}: {paper.title} ({paper.year})"]
    if reproduction.quick:
        head.append("quick: one run per row, not the stated replications")
    if not reproduction.complete:
        head.append("interrupted: rows that lack runs are not judged")
    parts = [_rows(reproduction.results)]
    parts += [[f"{entry.code}: {entry.text}", *means(results)] for entry, results in reproduction.studies]
    parts += [_claims(reproduction)]
    parts += [_variation(variation) for variation in reproduction.variations]
    if reproduction.results or reproduction.findings:
        counted = ", ".join(f"{count} {verdict}" for verdict, count in _quoted(reproduction))
        parts.append([f"{counted} — of {reproduction.judged}"])
        parts.append([said] if (said := unvaried([reproduction])) else [])
    parts.append([f"failed: {said}" for said in reproduction.failures])
    return [*head, *(line for part in parts if part for line in ("", *part))]


def _rows(results: Sequence[Result]) -> list[str]:
    header = [
        "code",
        "condition",
        "unit",
        "published: simulated",
        "measured",
        "ours",
        "difference",
        "tolerance",
        "verdict",
    ]
    return table(header, [_row(result) for result in results], align="<<<>>>>><") if results else []


def _claims(reproduction: Reproduction) -> list[str]:
    missing = "failed" if reproduction.complete else "interrupted"
    rows = [
        [
            finding.claim.code,
            finding.claim.text,
            finding.text(number),
            finding.claim.measured(str(finding.claim.expected)),
            str(finding.verdict) if finding.finished else f"{finding.verdict} ({missing})",
        ]
        for finding in reproduction.findings
    ]
    return table(["code", "claim", "value", "expected", "verdict"], rows, align="<<>><") if rows else []


def as_data(reproduction: Reproduction) -> dict[str, Any]:
    """A reproduction for JSON: units in the rows, shares as fractions."""
    return {
        "paper": reproduction.paper.id,
        "title": reproduction.paper.title,
        "quick": reproduction.quick,
        "complete": reproduction.complete,
        "failed": reproduction.failures,
        "deterministic": reproduction.deterministic,
        "all_the_same": reproduction.all_the_same,
        "counts": {verdict.value: count for verdict, count in reproduction.counts.items()},
        "rows": [_row_data(result) for result in reproduction.results],
        "studies": [{"code": entry.code, **study_data(results)} for entry, results in reproduction.studies],
        "claims": [_claim_data(finding) for finding in reproduction.findings],
        "sensitivity": [_variation_data(variation) for variation in reproduction.variations],
    }


def _all(
    papers: list[catalogue.Paper],
    tables: str | None,
    *,
    quick: bool,
    sensitivity: bool,
    workers: int | None,
    store: Path | None,
    force: bool,
    quiet: bool,
) -> list[Reproduction]:
    """Paper after paper, each printed when done unless `quiet`; stops after one that was interrupted."""
    done: list[Reproduction] = []
    for paper in papers:
        with bar(paper.id) as progress:
            reproduction = catalogue.reproduce(
                paper,
                tables,
                quick=quick,
                sensitivity=sensitivity,
                workers=workers,
                store=store,
                force=force,
                on_done=progress,
            )
        if not quiet:
            say(*([""] if done else []), *report(reproduction))
        done.append(reproduction)
        if not reproduction.complete:
            break
    return done


def _write(done: list[Reproduction], markdown_file: Path | None, plots: Path | None) -> list[Path]:
    """The files that were asked for; the Markdown not of what was interrupted, lest it pass for the whole."""
    written: list[Path] = []
    if markdown_file is not None and all(reproduction.complete for reproduction in done):
        try:
            markdown_file.parent.mkdir(parents=True, exist_ok=True)
            write_text(markdown_file, markdown(done))
        except OSError as error:
            raise unwritable("--markdown", markdown_file, error) from error
        written.append(markdown_file)
    for reproduction in done if plots is not None else ():
        written += _draw(reproduction, plots or Path())
    return written


def _draw(reproduction: Reproduction, plots: Path) -> list[Path]:
    """A figure of the rows and claims that have results, and one of each study."""
    from cellway.plot.reproductions import plot_reproduction  # noqa: PLC0415
    from cellway.plot.studies import plot_study  # noqa: PLC0415

    figures = {}
    shown = [result.ours for result in reproduction.results]
    if any(shown + [finding.ours for finding in reproduction.findings]):
        figures[_picture(reproduction.paper, plots)] = plot_reproduction(reproduction)
    for entry, results in reproduction.studies:
        if results.records:
            figures[_picture(reproduction.paper, plots, entry.code)] = plot_study(results)
    for file, figure in figures.items():
        save_figure(figure, file)
    return list(figures)


def _pictures(paper: catalogue.Paper, plots: Path) -> list[Path]:
    """Every picture that a paper may have."""
    return [_picture(paper, plots), *(_picture(paper, plots, entry.code) for entry in paper.studies)]


def _picture(paper: catalogue.Paper, plots: Path, code: str = "") -> Path:
    return plots / f"{shortened(f'{paper.id}-{code}' if code else paper.id)}.png"


def _row(result: Result) -> list[str]:
    row = result.number
    return [
        row.code,
        row.label,
        row.unit,
        plain(row.simulated),
        plain(row.measured),
        ours(result),
        percent(result.difference, sign=True),
        "–" if row.tolerance is None else f"± {row.tolerance}",
        result.said,
    ]


def ours(result: Result) -> str:
    """Mean ± half-width (n), or that all n are the same."""
    if result.ours is None:
        return "–"
    width = "" if result.ours.half_width is None else f" ± {result.ours.half_width:.2g}"
    return f"{number(result.ours.mean)}{width} ({result.ours.counted})"


def _quoted(reproduction: Reproduction) -> list[tuple[str, int]]:
    return [
        (f'"{verdict}"' if "," in verdict else str(verdict), n) for verdict, n in reproduction.counts.items()
    ]


def _variation(variation: Variation) -> list[str]:
    entry = variation.sensitivity
    code = f"{entry.code}, " if entry.code else ""
    shown = grid(variation, ours, timed=True)
    lines = table(shown.header, shown.lines, align="<" * shown.words)
    return [f"sensitivity, {code}{entry.name}: {entry.why}", *lines]


def _variation_data(variation: Variation) -> dict[str, Any]:
    entry = variation.sensitivity
    cases = []
    for case in variation.cases:
        rows = [
            {**_row_data(result), "change": change}
            for result, change in zip(case.results, case.changes, strict=True)
            if result is not None
        ]
        data: dict[str, Any] = {"label": case.label, "published": case.published, "rows": rows}
        if entry.time:
            data["cpu_seconds_per_simulated_second"] = case.cpu_per_second
            data["cpu_ratio"] = case.cpu_ratio
        cases.append(data)
    return {"code": entry.code, "name": entry.name, "why": entry.why, "cases": cases}


def _claim_data(finding: Finding) -> dict[str, Any]:
    claim = finding.claim
    return {
        "code": claim.code,
        "table": claim.table,
        "claim": claim.text,
        "names": dict(claim.names),
        "value": claim.value.text,
        "unit": claim.unit,
        "values": list(finding.values),
        "mean": finding.ours.mean if finding.ours else None,
        "half_width": finding.ours.half_width if finding.ours else None,
        "n": len(finding.values),
        "deterministic": finding.deterministic,
        "method": finding.ours.method if finding.ours else None,
        "on_means": finding.on_means,
        "least": claim.expected.least,
        "most": claim.expected.most,
        "verdict": finding.verdict.value,
        "finished": finding.finished,
    }


def _row_data(result: Result) -> dict[str, Any]:
    row = result.number
    return {
        "code": row.code,
        "table": row.table,
        "condition": row.label,
        "unit": row.unit,
        "simulated": row.simulated,
        "measured": row.measured,
        "compared_with": row.compare,
        "values": list(result.values),
        "mean": result.ours.mean if result.ours else None,
        "half_width": result.ours.half_width if result.ours else None,
        "n": result.ours.n if result.ours else 0,
        "deterministic": result.deterministic,
        "method": result.ours.method if result.ours else None,
        "failed": list(result.failed),
        "difference": result.difference,
        "tolerance": row.tolerance.reach(row.published or 0.0) if row.tolerance else None,
        "verdict": result.verdict.value,
        "published_place": result.below_published,
        "finished": result.finished,
    }
