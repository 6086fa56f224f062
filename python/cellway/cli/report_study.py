"""Report of a study."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

from cellway.cli.arranging import drawn, study_results
from cellway.cli.describe import explanation
from cellway.cli.figure_files import figure_content
from cellway.cli.report_blocks import (
    blocks_of,
    how_section,
    path_blocks,
    question,
    region_warning,
    scenario_text,
    warnings_section,
)
from cellway.cli.studies import beside
from cellway.cli.study_best import answers
from cellway.cli.study_design import explanation as design
from cellway.cli.study_in_short import in_short
from cellway.cli.study_results import report
from cellway.cli.text import visible
from cellway.errors import CellwayError
from cellway.plot.study_choice import Choice
from cellway.prediction.studies import beside_study
from cellway.report.blocks import Block, Code, Page, Picture, Section, StudyCharts, Text
from cellway.report.charts import packed
from cellway.report.path_drawing import path_drawing
from cellway.report.topology import topology_of
from cellway.runs.models import note_of
from cellway.scenario.list_files import LISTS, lists_json
from cellway.study import Results
from cellway.study.frozen import study_toml
from cellway.study.own_files import SCENARIO, STUDY

_ALL = Choice((), None, None, None)
"""All responses, arranged as they are by default."""


def study_page(source: Path, sets: list[str], command: Sequence[str]) -> Page:
    """The page of a study in a folder, or of a study file; `command` writes it."""
    results = study_results(source, sets, _ALL)
    return results_page(results, command, {"study": visible(str(source))})


def results_page(
    results: Results,
    command: Sequence[str] = (),
    facts: Mapping[str, str] = MappingProxyType({}),
) -> Page:
    """The page of the results of a study.

    Args:
        results: of its runs.
        command: writes the page, if one does.
        facts: how the study was asked for, by name.
    """
    given = results.study
    if given.imported:
        return _imported_page(results, command, facts)
    explained = given.first_condition().scenario(1).explain()
    path = path_drawing(topology_of(explained))
    asked = [line for line in design(given) if not line.startswith("about ")]
    theory = beside(results, beside_study(results))
    told = {**facts, "scenario": visible(given.base.origin)}
    sections = [
        warnings_section([*_warnings(results), *region_warning(theory)]),
        Section("In short", [Text(visible(said)) for said in _in_short(results)]),
        Section("Pictures", [*_pictures(results)]),
        Section("Results", [*blocks_of(report(results))]),
        Section("Formulas beside the study", [*blocks_of(theory)]),
        Section("Design", [*blocks_of(asked)]),
        Section("The path of the first point", path_blocks(path, explained)),
        Section("Known before the first run", [*blocks_of(explanation(explained))]),
        Section("Scenario and study", _texts(results)),
        how_section(command, told),
    ]
    lead = visible(given.question) or question(given.base.text)
    return Page(visible(given.name), [lead] if lead else [], sections)


def _in_short(results: Results) -> list[str]:
    """Answers, then the factor that changes most, where there are several to choose from."""
    several = sum(len(one.levels) > 1 for one in results.study.factors) > 1
    best = answers(results)
    return [*best, *(in_short(results) if several or not best else [])]


def _texts(results: Results) -> list[Block]:
    """Both files of the study, from which it can be run again."""
    given = results.study
    lists = [Code(LISTS, lists_json(given.base.files))] if given.base.files else []
    names = ", ".join([STUDY, SCENARIO, *([LISTS] if lists else [])])
    return [
        Text(f"In one folder the files {names} run again by: cellway study {STUDY}"),
        Code(f"The study file with all its defaults ({STUDY})", study_toml(given)),
        scenario_text(given.base.text),
        *lists,
    ]


def _imported_page(results: Results, command: Sequence[str], facts: Mapping[str, str]) -> Page:
    """The page of another tool's results, which have no scenario."""
    told = {**facts, "imported": visible(results.study.imported)}
    sections = [
        warnings_section(_warnings(results)),
        Section("In short", [Text(visible(said)) for said in _in_short(results)]),
        Section("Pictures", [*_pictures(results)]),
        Section("Results", [*blocks_of(report(results))]),
        how_section(command, told),
    ]
    return Page(visible(results.study.name), [], sections)


def _warnings(results: Results) -> list[str]:
    """Warnings that hold for the whole study; its results have those of single points."""
    said = []
    if all(len(runs) <= 1 for runs in results.runs):
        said.append("one run at each point: no interval says how exact its numbers are")
    if not results.complete:
        said.append("not all runs are done: numbers are of those that are")
    if (made := note_of(results.models)) is not None:
        said.append(made)
    points = range(len(results.conditions))
    if results.records and all(results.deterministic(point) for point in points):
        said.append("nothing is random here: repetitions are equal, and an interval says nothing")
    return said


def _pictures(results: Results) -> Iterator[Block]:
    from cellway.cli import study_pictures as made  # noqa: PLC0415 - with Matplotlib

    dots = made.study_effects(results, _ALL) or [*made.study_dots(results, _ALL)]
    panels = [] if dots else made.study_panels(results, _ALL)
    if dots:
        yield from dots
    elif panels:
        pictures = [one for one in _figures(results) if isinstance(one, Picture)]
        yield StudyCharts(packed({"panels": panels}), pictures)
    else:
        yield from _figures(results)


def _figures(results: Results) -> Iterator[Block]:
    """The figures of `cellway plot`, or why there is none."""
    try:
        figures = drawn(results, _ALL)
    except (CellwayError, ValueError) as error:
        yield Text(f"No figure: {visible(str(error))}")
        return
    for name, figure in figures.items():
        words = f"Figure of {results.study.name}{f', {name}' if name else ''}"
        yield Picture(figure_content(figure, "svg", as_text=True), visible(words))
