"""Report of a scenario before any run."""

from collections.abc import Iterator, Sequence

from cellway.cli.beside import shown
from cellway.cli.describe import explanation
from cellway.cli.report_blocks import (
    blocks_of,
    how_section,
    paragraph,
    path_blocks,
    question,
    warnings_section,
)
from cellway.cli.text import visible
from cellway.prediction import predict
from cellway.report.blocks import Block, Code, Page, Section, Table
from cellway.report.path_drawing import path_drawing
from cellway.report.topology import topology_of
from cellway.scenario.scenario import Scenario


def scenario_page(scenario: Scenario, command: Sequence[str] = ()) -> Page:
    """The page of a scenario that is not run; `command` writes it, if one does."""
    explained = scenario.explain()
    texts = [Code("The scenario as it was written", scenario.text)]
    if scenario.sets:
        keys = "".join(f"{key}={value}\n" for key, value in scenario.sets)
        texts.append(Code("Set in this scenario", keys))
    sections = [
        warnings_section(explained["warnings"]),
        Section("The path", path_blocks(path_drawing(topology_of(explained)), explained)),
        Section("Known before a run", [*blocks_of(explanation(explained))]),
        Section("Formulas", [*_formulas(scenario)]),
        Section("Scenario", texts),
        how_section(command, {"scenario": visible(scenario.origin)}),
    ]
    lead = [said for said in [question(scenario.text)] if said]
    return Page(visible(explained["scenario"]), lead, sections)


def _formulas(scenario: Scenario) -> Iterator[Block]:
    """Numbers of each formula that fits, and its assumptions that are violated."""
    for one in predict(scenario).predictions:
        rows = [(visible(of.name), shown(of, of.value)) for of in one.numbers]
        yield Table(rows, "<>", caption=visible(f"{one.of}: {one.model} ({one.source})"))
        for assumed in one.violated:
            why = f" ({assumed.why})" if assumed.why else ""
            yield paragraph(f"violated, {one.model}: {assumed.text}{why}")
