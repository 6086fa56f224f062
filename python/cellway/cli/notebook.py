"""Pages of results within a notebook: a frame that runs its own scripts and asks for nothing."""

from html import escape as escaped

from cellway.cli.report_run import run_page
from cellway.cli.report_scenario import scenario_page
from cellway.cli.report_study import results_page
from cellway.cli.text import of_any_width
from cellway.report import html
from cellway.report.blocks import Page
from cellway.runs.runs import Run
from cellway.scenario.scenario import Scenario
from cellway.study.results import Results

HEIGHT = 640
"""Height of a frame, CSS pixels; its lower edge can be drawn."""
_STYLE = "width:100%;border:1px solid #8888;resize:vertical"


def frame(shown: object) -> str:
    """The page of a result, as an `iframe` that has it in itself.

    The frame has an origin of its own: its scripts reach nothing of the notebook. Links within it
    would be taken for links of the notebook, so that it has none.
    """
    with of_any_width():
        page = _page(shown)
    title = html.escape(f"Report of {page.title}")
    return (
        f'<iframe title="{title}" sandbox="allow-scripts" height="{HEIGHT}" style="{_STYLE}" '
        f'srcdoc="{escaped(html.html(page, contents=False))}"></iframe>'
    )


def _page(shown: object) -> Page:
    match shown:
        case Run():
            return run_page(shown)
        case Scenario():
            return scenario_page(shown)
        case Results():
            return results_page(shown)
        case _:
            # All else works without the catalogue.
            from cellway.cli.reproduction_report import page_of  # noqa: PLC0415

            return page_of(shown)  # type: ignore[arg-type]
