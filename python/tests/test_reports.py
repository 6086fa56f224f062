"""Reports: one page that asks for nothing, with the numbers of the summary."""

import base64
import gzip
import hashlib
import json
import re
from html import escape, unescape
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cellway import Run, Scenario, run
from cellway.catalogue import Reproduction
from cellway.catalogue.entry import entry
from cellway.catalogue.pages import figures
from cellway.catalogue.section import cells_of, in_paper_order
from cellway.cli.report_blocks import blocks_of, question
from cellway.cli.report_run import run_page
from cellway.cli.reproduction_report import page_of, page_of_all, paper_page
from cellway.cli.text import megabits, milliseconds, of_any_width, table, two_columns
from cellway.report import html, markdown
from cellway.report.blocks import Code, Page, Section, Table, Text
from cellway.report.frames import FRAMES, frames_of
from cellway.report.path_drawing import path_drawing
from cellway.report.topology import topology_of
from common import SCENARIOS, SHIPPED, Command, refused, shipped

COMMAND = ["cellway", "report", "scenarios/access-queue.toml"]
UPLOT = {
    "uPlot.iife.min.js": "19c8d4c6ad88929a79f4ae49d6f7161566dfd0ba3d15cc495e974f787eb78f1f",
    "uPlot.min.css": "df630c6a8d6f8eeaff264b50f73ce5b114f646ffd9a0bb74f049b0a00135fa04",
}
"""SHA-256 of the files of uPlot 1.6.32, as its package has them."""
FETCHED = ("src", "href", "srcset", "data", "action", "poster", "xlink:href", "background")
"""Attributes by which an element asks for something."""


class Elements(HTMLParser):
    """Elements of a page with their attributes, and the texts of scripts and styles."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str]]] = []
        self.texts: list[tuple[str, str]] = []
        self.inside = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, {name: value or "" for name, value in attrs}))
        self.inside = tag if tag in {"script", "style"} and not attrs else ""
        if self.inside:
            self.texts.append((tag, ""))

    def handle_data(self, data: str) -> None:
        if self.inside:
            self.texts[-1] = (self.inside, self.texts[-1][1] + data)

    def handle_endtag(self, tag: str) -> None:
        del tag
        self.inside = ""


@pytest.fixture(scope="module")
def finished() -> Run:
    keys = {"run.duration": "6 s", "run.warm_up": "1 s", "observe.limit": 10_000}
    return run(shipped("access-queue", keys))


@pytest.fixture(scope="module")
def written(finished: Run) -> str:
    return html.html(run_page(finished, COMMAND))


def policy(text: str) -> dict[str, list[str]]:
    """The directives of the policy in a page."""
    (content,) = [
        attributes["content"]
        for tag, attributes in Elements(text).found
        if tag == "meta" and attributes.get("http-equiv") == "Content-Security-Policy"
    ]
    directives = (one.split() for one in content.split(";"))
    return {name: values for name, *values in directives}


def digest(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def test_nothing_is_fetched(written: str) -> None:
    elements = Elements(written).found
    asked = [value for _, given in elements for name, value in given.items() if name in FETCHED]
    assert asked
    assert all(value.startswith(("#", "data:image/svg+xml;base64,")) for value in asked)
    assert not {tag for tag, _ in elements} & {"link", "iframe", "object", "embed", "base"}
    style = "".join(text for tag, text in Elements(written).texts if tag == "style")
    assert "url(" not in style
    assert "@import" not in style


def test_the_policy_allows_no_request_and_only_what_is_in_the_page(written: str) -> None:
    allowed = policy(written)
    texts = Elements(written).texts
    assert allowed["default-src"] == ["'none'"]
    assert allowed["img-src"] == ["data:"]
    assert allowed["script-src"] == [digest(text) for tag, text in texts if tag == "script"]
    assert allowed["style-src"] == [digest(text) for tag, text in texts if tag == "style"]
    assert len(allowed["script-src"]) == 6
    # The policy forbids them: they would be ignored.
    assert not any({"style", "onclick"} & given.keys() for _, given in Elements(written).found)


def test_numbers_are_those_of_the_summary(finished: Run, written: str) -> None:
    for name, flow in finished.flows.items():
        if "[" not in name:
            row = re.search(f'<th scope="row">{name}</th>(.*?)</tr>', written)
            assert row
            assert f">{megabits(flow['throughput_bits_per_second'])}<" in row[1]
    group = finished.groups["tcp"]
    assert f">{megabits(group['goodput']['mean_bits_per_second'])}<" in written
    delay = finished.ports["router.line"]["delay"]
    assert f">{milliseconds(delay['p99'])}<" in written
    (summary,) = re.findall(
        r"summary\.json\)</summary>\s*<pre[^>]*>(.*?)</pre>", written, re.DOTALL
    )
    assert unescape(summary) == finished.summary_json


def charts_of(text: str) -> dict[str, Any]:
    (data,) = re.findall(r'id="data">([^<]*)</script>', text)
    found: dict[str, Any] = json.loads(gzip.decompress(base64.b64decode(data)))
    return found


def test_charts_have_the_values_of_the_series(finished: Run, written: str) -> None:
    panels = charts_of(written)["panels"]
    (queue,) = [one for one in panels if "router.line" in one["title"]]
    recorded = finished.series("router.line.queue")
    (line,) = queue["lines"]
    assert max(line["v"]) == recorded.value.max()
    assert {*line["v"]} <= {*recorded.value.tolist()}
    windows = next(one for one in panels if one["title"].startswith("Congestion window"))
    peak = max(finished.series("near[1].cwnd").value) / 1024
    (near,) = [one for one in windows["lines"] if one["name"] == "near[1] cwnd"]
    assert max(near["v"]) == pytest.approx(peak, rel=1e-6)


def test_frames_have_the_largest_queues_and_all_losses(finished: Run) -> None:
    recorded = run(finished.scenario.with_sets([("observe.segments.flows", ["near[*]"])]))
    path = topology_of(recorded.scenario.explain())
    told = frames_of(recorded, path, (0.0, 6.0))
    assert told is not None
    (line,) = [one for one in told["edges"].values() if "queue" in one]
    series = recorded.series("router.line.queue")
    assert max(line["queue"]["v"]) == series.value.max()
    assert line["queue"]["full"] == 200
    lost = [f"near[{number}].lost_at.router.line" for number in (1, 2)]
    assert sum(line["lost"]["v"]) == sum(len(recorded.series(name)) for name in lost) > 0
    (near,) = [at for at, name in enumerate(path.columns) if name.startswith("near")]
    sent = np.array(told["boxes"][str(near)]["rate"]["v"], float)
    acked = sum(recorded.series(f"near[{number}].acked").value[-1] for number in (1, 2))
    assert np.nansum(sent) * 1e6 * 6.0 / FRAMES / 8 == pytest.approx(acked, rel=0.03)


def test_long_curves_keep_their_extremes() -> None:
    keys = {
        "run.duration": "6 s",
        "run.warm_up": "1 s",
        "observe.limit": 1_000_000,
        "observe.interval": "1 ms",
    }
    long = run(shipped("access-queue", keys))
    recorded = long.series("near[1].cwnd")
    assert len(recorded) > 4000
    lines = [
        line
        for panel in charts_of(html.html(run_page(long, COMMAND)))["panels"]
        for line in panel["lines"]
        if line["name"] == "near[1] cwnd"
    ]
    assert len(lines[0]["v"]) <= 4001
    assert max(lines[0]["v"]) == pytest.approx(recorded.value.max() / 1024, rel=1e-6)


def test_equal_runs_have_equal_pages_of_bounded_size(finished: Run, written: str) -> None:
    assert html.html(run_page(finished, COMMAND)) == written
    assert len(written.encode()) < 1_000_000
    assert charts_of(written)["warm_up"] == 1


def test_without_scripts_there_is_a_picture(written: str) -> None:
    (inside,) = re.findall(r"<noscript>(.*?)</noscript>", written, re.DOTALL)
    (content,) = re.findall(r"base64,([^\"]*)\"", inside)
    assert b"<svg" in base64.b64decode(content)


def test_a_page_says_what_it_lacks_and_how_it_was_made(written: str, finished: Run) -> None:
    assert "One run: it has no interval" in written
    assert "no warm-up is cut" not in written.lower()
    assert "cellway report scenarios/access-queue.toml" in written
    assert finished.model in written
    cold = run(shipped("rate-mismatch", {"run.duration": "1 s", "run.warm_up": "0 s"}))
    assert "No warm-up is cut" in html.html(run_page(cold, COMMAND))


def test_names_are_text_wherever_they_stand() -> None:
    bad = '<img src=x onerror=alert(1)>"&\x1b\u202e|$*'
    page = Page(
        bad,
        [bad],
        [Section(bad, [Text(bad), Table([[bad]], "<", [bad], bad), Code(bad, f"</pre>{bad}")])],
    )
    text = html.html(page)
    assert "img" not in {tag for tag, _ in Elements(text).found}
    assert "\x1b" not in text
    assert "\u202e" not in text
    assert "| \\<img src=x onerror=alert(1)\\>" in markdown.markdown(page)


def test_only_pages_with_charts_have_scripts() -> None:
    text = html.html(Page("t", [], [Section("s", [Text("x")])]))
    assert policy(text)["script-src"] == ["'none'"]
    assert "<script" not in text


@pytest.mark.parametrize("file", SCENARIOS, ids=lambda file: file.stem)
def test_every_path_is_drawn_within_its_frame(file: Path) -> None:
    explained = Scenario.load(file, awaits_flows=True).explain()
    drawn = path_drawing(topology_of(explained))
    (view,) = re.findall(r'viewBox="([^"]*)"', drawn)
    left, top, width, height = map(float, view.split())
    for x, y in re.findall(r'<text[^>]* x="([\d.-]+)" y="([\d.-]+)"', drawn):
        assert left < float(x) < left + width
        assert top < float(y) < top + height
    links = {re.sub(r"\[\d+\]", "", one["name"]) for one in explained["links"]}
    assert all(name in drawn for name in links)


def test_rates_delays_buffers_and_policies_are_in_the_drawing() -> None:
    drawn = path_drawing(topology_of(shipped("access-queue").explain()))
    assert ">line<" in drawn
    assert ">10 Mbit/s, 9 ms<" in drawn
    assert ">1000 Mbit/s, 41 ms<" in drawn
    assert '<text class="queue tight"' in drawn
    assert ">tail: 200 packets<" in drawn


def test_lines_of_text_become_tables_with_their_captions() -> None:
    rows = table(["name", "n"], [["a", "1"], ["b", "2"]])
    lines = ["head", "", "caption", *rows, "note: beware", "", "flow a", *two_columns([("x", "y")])]
    assert [*blocks_of(lines)] == [
        Text("head"),
        Table([("a", "1"), ("b", "2")], "<>", ("name", "n"), "caption"),
        Text("Beware", "note"),
        Table([("x", "y")], "<<", (), "flow a"),
    ]


def test_tables_in_a_file_do_not_depend_on_the_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
    monkeypatch.setenv("COLUMNS", "30")
    with of_any_width():
        assert len(table(["a" * 40, "b" * 40], [["c", "d"]])) == 3


def test_the_question_is_the_first_paragraph_of_the_file() -> None:
    asked = question(shipped("gfr-access").text)
    assert asked.startswith("Five companies share one trunk")
    assert "cellway" not in asked


def test_files_are_written_and_only_ours_replaced(cellway: Command, folder: Path) -> None:
    short = ("--set", "run.duration=2 s", "--set", "run.warm_up=0 s")
    scenario = str(SHIPPED / "access-queue.toml")
    assert cellway("run", scenario, *short, "--out", "made").returncode == 0
    assert "written to made/report.html" in cellway("report", "made").stdout
    first = (folder / "made" / "report.html").read_bytes()
    assert cellway("report", "made").returncode == 0
    assert (folder / "made" / "report.html").read_bytes() == first
    assert cellway("report", scenario, *short, "--md").returncode == 0
    text = (folder / "access-queue-report.md").read_text()
    assert "| router.line |" in text
    assert "<" not in re.sub(r"\\<|`{3}.*?`{3}|<!-- cellway report -->", "", text, flags=re.DOTALL)
    (folder / "mine.html").write_text("mine")
    assert "did not write it" in refused(cellway, "report", "made", "--out", "mine.html")
    assert "finished run" in refused(cellway, "report", "made", *short)
    # The folder may still be replaced by another run: the page goes with it.
    assert cellway("run", scenario, *short, "--out", "made").returncode == 0
    assert not (folder / "made" / "report.html").exists()


def test_a_study_has_intervals_effects_and_pictures(cellway: Command, folder: Path) -> None:
    (folder / "two.toml").write_text(
        "# Does a longer queue fill a faster line?\n"
        f'[study]\nscenario = "{SHIPPED / "access-queue.toml"}"\nreplications = 3\n'
        '[set]\n"run.duration" = "3 s"\n"run.warm_up" = "1 s"\n'
        '[factor.buffer]\nkey = "switch.router.buffer.per_port"\n'
        'levels = ["50 packet", "200 packet"]\n'
        '[factor.rate]\nkey = "link.line.rate"\n'
        'levels = ["5 Mbit/s of line", "10 Mbit/s of line"]\n'
        '[response.queue]\nquantity = "ports.router.line.mean_queue"\n'
    )
    assert cellway("study", "two.toml", "--out", "made").returncode == 0
    assert "written to made/report.html" in cellway("report", "made").stdout
    text = (folder / "made" / "report.html").read_text()
    # Of the study's file, which the folder keeps.
    assert '<p class="lead">Does a longer queue fill a faster line?</p>' in text
    assert re.search('<th scope="row">run.warm_up</th><td>1 s</td>', text)
    assert "analysis of variance" in text
    assert " ± " in text
    assert '<noscript><div class="wide"' in text
    (panel,) = charts_of(text)["panels"]
    assert [one["x"] for one in panel["lines"]] == [[50, 200], [50, 200]]
    assert len(text.encode()) < 1_000_000
    (folder / "made" / "report.html").unlink()
    assert cellway("report", "made", "--md").returncode == 0
    assert "of the variation" in (folder / "made" / "report.md").read_text()


def test_a_paper_has_published_numbers_beside_ours(small_done: Reproduction) -> None:
    text = html.html(page_of(small_done, COMMAND))
    for result in small_done.results:
        assert re.search(f"<t[hd][^>]*>{re.escape(result.code)}</t[hd]>", text)
    assert '<img class="picture"' in text
    assert small_done.paper.title in text
    assert "no verdict" not in text
    assert policy(text)["script-src"] == ["'none'"]


def test_the_catalogue_has_a_table_for_each_paper(small_done: Reproduction) -> None:
    text = html.html(page_of_all([(entry(small_done), figures(small_done))], COMMAND))
    names = ("published", "simulated", "verdict", "code")
    assert all(f">{name}</th>" in text for name in names)
    for one in in_paper_order(small_done):
        cells = cells_of(one, small_done.paper)
        row = re.search(f"<tr>(?:(?!</tr>).)*>{re.escape(one.code)}</td></tr>", text)
        assert row
        assert all(f">{escape(cells[name])}</t" in row[0] for name in ("published", "ours"))
    assert text.count('<img class="picture"') >= 1
    assert "**" not in text


def test_kept_numbers_need_no_run(cellway: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = ("report", "osu-1998-gfr", "--pages", ".")
    assert "runs nothing" in refused(cellway, *asked, "--quick")
    assert "lacks numbers" in refused(cellway, *asked)
    monkeypatch.setattr("cellway.cli.reproduction_report.figures_kept", lambda _: {})
    page = paper_page("osu-1998-gfr", COMMAND, None, SHIPPED.parent, quick=False)
    text = markdown.markdown(page)
    assert "| 11.86 Mbit/s |" in text
    assert "One run of each row" not in text


def test_options_of_papers_are_refused_elsewhere(cellway: Command) -> None:
    scenario = str(SHIPPED / "access-queue.toml")
    assert "is no paper" in refused(cellway, "report", scenario, "--quick")
    assert "is a paper" in refused(cellway, "report", "osu-1998-gfr", "--set", "run.seed=2")
    assert "no such file" in refused(cellway, "report", "osu-1998")


def test_the_files_of_uplot_are_those_of_its_package() -> None:
    place = Path(html.__file__).with_name("uplot")
    found = {name: hashlib.sha256((place / name).read_bytes()).hexdigest() for name in UPLOT}
    assert found == UPLOT
    assert "The MIT License" in (place / "LICENSE").read_text()
