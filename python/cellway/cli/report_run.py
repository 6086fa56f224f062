"""Report of one run."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from cellway.cli.beside import run_beside
from cellway.cli.describe import explanation
from cellway.cli.families import families_of
from cellway.cli.figure_files import figure_content
from cellway.cli.groups import above_ceiling
from cellway.cli.report_blocks import (
    blocks_of,
    how_section,
    path_blocks,
    question,
    region_warning,
    scenario_text,
    warnings_section,
)
from cellway.cli.running import report, thinned
from cellway.cli.stacks import foreign, stack_rows, without_stacks
from cellway.cli.text import visible
from cellway.plot.runs import panels_of
from cellway.plot.spans import asked_span, run_line
from cellway.prediction import predict
from cellway.report.blocks import Block, Charts, Code, Page, Picture, Section, Text
from cellway.report.charts import chart_data, is_thinned
from cellway.report.frames import Frames, frames_of
from cellway.report.path_drawing import path_drawing
from cellway.report.topology import topology_of
from cellway.runs.models import note_of
from cellway.runs.runs import Run

if TYPE_CHECKING:
    from cellway.result_types import Explanation

_ONE_RUN = (
    "one run: it has no interval, so nobody knows how far another seed would lie; a study "
    "(`cellway study`) repeats it"
)


def run_page(run: Run, command: Sequence[str] = ()) -> Page:
    """The page of a finished run; `command` wrote it, if one did."""
    explained = run.scenario.explain()
    said = "measured by the kernel" if run.measured is not None else "simulated"
    lead = [
        question(run.scenario.text),
        f"{visible(run_line(run, asked_span(run, 0.0, None)))}; {said}",
    ]
    facts = {"scenario": visible(run.scenario.origin), "seed": str(run.summary["seed"])}
    path = topology_of(explained)
    frames = frames_of(run, path, asked_span(run, 0.0, None))
    drawn = path_drawing(path, frames)
    theory = run_beside(without_stacks(predict(run.scenario), foreign(run.stacks)), run)
    sections = [
        warnings_section([*_warnings(run, explained), *region_warning(theory)]),
        Section("The path", path_blocks(drawn, explained)),
        Section("Results", _results(run, explained)),
        Section("Over time", [*_charts(run, frames)]),
        Section("Distributions", [*_distributions(run)]),
        Section("Formulas beside the run", [*blocks_of(theory)]),
        Section("Known before the run", [*blocks_of(explanation(explained))]),
        Section("Scenario and numbers", [*_texts(run)]),
        how_section(command, facts),
    ]
    return Page(visible(run.summary["scenario"]), [text for text in lead if text], sections)


def _results(run: Run, explained: "Explanation") -> list[Block]:
    families = families_of([alike["flows"] for alike in explained["alike"]])
    lines = report(run.summary, families, foreign(run.stacks))
    if run.stacks is not None:
        lines += ["", *stack_rows(run.stacks)]
    # An option of another command is no help here.
    return [
        *blocks_of(
            [line if "; --members" not in line else line.partition(";")[0] for line in lines]
        )
    ]


def _warnings(run: Run, explained: "Explanation") -> list[str]:
    said = [_ONE_RUN]
    if run.summary["warm_up_s"] == 0:
        said.append(
            "no warm-up is cut: the numbers contain the start of the flows; run.warm_up leaves it "
            "out"
        )
    if names := sorted(foreign(run.stacks)):
        said.append(
            f"a stack drives {visible(', '.join(names))}: what is known before the run is of the "
            "scenario's TCP, and only the stack's own counters say what it sent again"
        )
    if (made := note_of([run.model])) is not None:
        said.append(made)
    marks = [] if run.measured is None else [*run.measured.get("marks", [])]
    above = map(visible, above_ceiling(run.summary, foreign(run.stacks)))
    return [*said, *map(str, marks), *explained["warnings"], *above, *thinned(run)]


def _charts(run: Run, frames: Frames | None) -> Iterator[Block]:
    span = asked_span(run, 0.0, None)
    panels = panels_of(run, span)
    if not panels:
        yield Text("No series was recorded that a chart could show.")
        return
    words = f"{len(panels)} charts over time: {'; '.join(panel.title for panel in panels)}"
    picture = Picture(figure_content(run.plot(), "svg", as_text=True), visible(words))
    warm_up = run.summary["warm_up_s"]
    if warm_up > 0:
        yield Text("The warm-up, which is not measured, is shaded.")
    if is_thinned(panels, span):
        yield Text(
            "Curves with very many points show the first, the last, the least and the greatest "
            "value of each thousandth of the run: zoom no further than that."
        )
    yield Charts(chart_data(panels, span, warm_up, frames), picture)


def _distributions(run: Run) -> Iterator[Block]:
    """The figure of the distributions that were counted, if any were."""
    try:
        figure = run.plot_distributions()
    except ValueError:
        return
    words = "Complementary distributions of queues and delays"
    yield Picture(figure_content(figure, "svg", as_text=True), words)


def _texts(run: Run) -> Iterator[Block]:
    scenario = run.scenario
    yield scenario_text(scenario.text)
    if scenario.sets:
        yield Code("Set for this run", "".join(f"{key}={value}\n" for key, value in scenario.sets))
    yield Code("All numbers of the run (summary.json)", run.summary_json)
