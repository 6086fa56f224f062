"""Results in a notebook: a frame in itself that draws its charts and asks for nothing."""

import ast
import base64
from html.parser import HTMLParser
from pathlib import Path
from types import MappingProxyType

import pytest

from browser import COLOURED, Tab
from cellway import Run, Scenario, Study, catalogue, run
from common import SHIPPED, SMALL, shipped
from started import outcome

WILD = '"><img src=x onerror=alert(1)>&'
"""A name of a file that would end the frame and be markup."""
CELL = "<!doctype html><meta charset=utf-8><body><h1>Notebook</h1>{}</body>"
KEYS = MappingProxyType({"run.duration": "6 s", "run.warm_up": "1 s"})


class Frames(HTMLParser):
    """The attributes of each element of a cell."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))


def page_in(shown: object) -> str:
    """The page in the frame of a result, which is the only element of its cell."""
    [(tag, given)] = Frames(shown._repr_html_()).found  # type: ignore[attr-defined]
    assert tag == "iframe"
    assert given["sandbox"] == "allow-scripts"
    assert 400 <= int(given["height"] or 0) <= 900
    return given["srcdoc"] or ""


@pytest.fixture(scope="module")
def finished() -> Run:
    return run(shipped("access-queue", {**KEYS, "observe.segments.flows": ["near[*]"]}))


def open_cell(tab: Tab, file: Path, shown: object, *, scripts: bool = True) -> list[str]:
    """Opens a notebook with one result; the requests that it made."""
    file.write_text(CELL.format(shown._repr_html_()))  # type: ignore[attr-defined]
    tab.open(file, scripts=scripts)
    return tab.requests()


def enter(tab: Tab) -> None:
    """Runs scripts in the frame from now on, once its charts are there."""
    tree = tab.ask("Page.getFrameTree")["frameTree"]
    [child] = tree["childFrames"]
    tab.frame = tab.ask("Page.createIsolatedWorld", frameId=child["frame"]["id"])[
        "executionContextId"
    ]
    tab.run(
        "new Promise((done) => { const look = () => document.querySelector('figure canvas') ? "
        "requestAnimationFrame(() => requestAnimationFrame(() => done(1))) : "
        "setTimeout(look, 20); look(); })"
    )


def test_a_frame_draws_its_charts_and_asks_for_nothing(
    tab: Tab, finished: Run, tmp_path: Path
) -> None:
    file = tmp_path / "cell.html"
    asked = open_cell(tab, file, finished)
    enter(tab)
    try:
        drawn = tab.run(COLOURED)
        assert len(drawn) >= 4
        assert min(drawn) > 200
        # The frame would take the address of the notebook for that of a link.
        assert tab.run("document.querySelectorAll('[href]').length") == 0
    finally:
        tab.frame = None
    assert tab.complaints() == []
    assert {*asked, *tab.requests()} <= {file.resolve().as_uri(), "about:srcdoc"}
    assert tab.run("document.querySelector('h1').textContent") == "Notebook"


def test_a_run_has_its_picture_where_scripts_do_not_run(finished: Run) -> None:
    _, _, rest = page_in(finished).partition("<noscript>")
    picture, _, _ = rest.partition("</noscript>")
    _, _, content = picture.partition("data:image/svg+xml;base64,")
    assert b"<svg" in base64.b64decode(content.partition('"')[0])


def test_a_scenario_is_shown_without_a_run() -> None:
    text = page_in(Scenario.load(SHIPPED / "lossy-access.toml"))
    assert "<svg" in text
    assert "Known before a run" in text
    assert "Formulas" in text
    assert 'id="charts"' not in text


def test_results_of_a_study_have_its_figures(tmp_path: Path) -> None:
    study = Study(
        shipped("rate-mismatch", {"run.duration": "2 s", "run.warm_up": "0 s"}),
        factors={"flow.bulk.tcp.window": ["32 KiB", "64 KiB"]},
    )
    results = study.run(tmp_path / "out", workers=1)
    text = page_in(results)
    assert "data:image/svg+xml" in text
    assert "32 KiB" in text
    assert "cellway report" not in text.partition("How it was made")[2].partition("<table>")[2]


def test_a_reproduction_has_published_numbers_beside_ours() -> None:
    done = catalogue.reproduce(catalogue.paper("magic-1997"), "S4-T2-R2", quick=True)
    text = page_in(done)
    assert "Published beside ours" in text
    assert done.paper.title.split()[0] in text


def test_a_name_that_is_markup_stays_in_the_frame(tmp_path: Path) -> None:
    file = tmp_path / f"{WILD.replace('/', '')}.toml"
    file.write_text(SMALL)
    scenario = Scenario.load(file)
    for shown in (scenario, run(scenario)):
        found = Frames(page_in(shown)).found
        assert not [given for _, given in found if given.keys() & {"onerror"}]
        assert [name for name, given in found if given.get("src") == "x"] == []


def test_figures_are_pictures(finished: Run) -> None:
    assert finished.plot()._repr_png_()[:8] == b"\x89PNG\r\n\x1a\n"  # type: ignore[attr-defined]


def test_a_result_brings_no_notebook_and_no_page_before_it_is_shown() -> None:
    text = "import sys; from cellway import Run, Scenario; print(sorted(sys.modules))"
    loaded = ast.literal_eval(outcome(text, [], Path()).stdout)
    assert "cellway.notebook" in loaded
    assert not {name for name in loaded if name.startswith(("cellway.report", "cellway.cli"))}
    assert not {"IPython", "matplotlib"} & {*loaded}
