"""The documentation site, opened from the disk in headless Chromium."""

import re
import subprocess
import sys
from collections.abc import Callable
from html import unescape
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from os.path import normpath
from pathlib import Path
from threading import Thread
from urllib.parse import unquote

import pytest

from accessibility import findings
from browser import BELOW, Tab
from common import ROOT
from laboratory import elsewhere, until

RUST = "reference/rust"
RUST_TERMS = (
    ("Congestion", "cellway-sim"),
    ("PcapNg", "cellway-sim"),
    ("FrameRule", "cellway-sim"),
    ("Piped", "cellway-stack"),
    ("square_root", "cellway-theory"),
)
"""Names of the Rust interface, and the page of each."""
TERMS = (
    ("AAL5", "aal5"),
    ("CoDel", "codel"),
    ("DualPI2", "dual-pi2"),
    ("DFBA", "dfba"),
    ("ERICA", "abr"),
    ("HyStart++", "cubic"),
    ("Hybla", "hybla"),
    ("capacity trace", "bring-a-capacity-trace"),
    ("deposit", "commands"),
    ("drop policy", "drop"),
    ("early packet discard", "glossary"),
    ("flow.NAME.tcp.window", "flow-tcp"),
    ("geostationary", "geo"),
    ("max_queue", "results"),
    ("proxy", "proxy"),
    ("renewal", "renewal"),
    ("satellite", "satellite"),
    ("stab", "dsl"),
    ("with_set", "scenarios-and-runs"),
    ("Wireshark", "capture"),
)
"""Words of a reader, and a part of the address of a page that must be among what is found."""


def test_no_page_names_another_place_for_what_it_loads(site: Path) -> None:
    loads = re.compile(
        r"<(?:script|link|img|iframe|source)\b[^>]*\b(?:src|href)=[\"']?(https?:)?//"
    )
    found = [page for page in site.rglob("*.html") if loads.search(page.read_text())]
    assert found == []


def search(tab: Tab, words: str) -> list[str]:
    """Addresses that the search of the page shows."""
    tab.run(
        "document.querySelector('#__search').checked || "
        "document.querySelector('label[for=__search]').click()"
    )
    tab.run(
        "(() => { const one = document.querySelector('.md-search__input');"
        f" one.focus(); one.value = {words!r};"
        " one.dispatchEvent(new Event('keyup', { bubbles: true })); })()"
    )
    until(tab, "/\\d|No/.test(document.querySelector('.md-search-result__meta').textContent)", 60)
    tab.run("new Promise((done) => setTimeout(done, 150))")
    found: list[str] = tab.run(
        "[...document.querySelectorAll('.md-search-result__link')].map((one) => one.href)"
    )
    return found


def test_the_search_finds_terms_from_the_disk(tab: Tab, site: Path) -> None:
    missing = {}
    tab.open(site / "index.html")
    for words, page in TERMS:
        found = search(tab, words)
        if not any(page in address for address in found):
            missing[words] = found[:3]
    assert missing == {}
    assert elsewhere(tab) == []
    assert tab.complaints() == []


@pytest.fixture(scope="session")
def crates(site: Path) -> Path:
    """The documentation of the crates in the site."""
    if not (site / RUST / "cellway_sim").exists():
        pytest.skip("the site is built without the documentation of the crates: make doc")
    return site / RUST


def test_pages_of_crates_lead_to_every_public_item(crates: Path) -> None:
    """As rustdoc's own list has them, in another file than the pages are made from."""
    for crate in ("cellway-sim", "cellway-stack", "cellway-theory"):
        root = crate.replace("-", "_")
        listed = re.findall(r'<li><a href="(\w[^"]+)"', (crates / root / "all.html").read_text())
        items = {f"{root}/{one}" for one in listed}
        linked = re.findall(r'href="([^"#]+)"', (crates / f"{crate}.html").read_text())
        assert len(items) > 40
        assert items - {*linked} == set()


def test_the_search_finds_names_of_the_crates(tab: Tab, crates: Path) -> None:
    tab.open(crates / "index.html")
    missing = [
        words
        for words, page in RUST_TERMS
        if not any(f"{RUST}/{page}" in address for address in search(tab, words))
    ]
    assert missing == []
    assert tab.complaints() == []


def test_documentation_of_a_crate_and_its_search_work_from_the_disk(tab: Tab, crates: Path) -> None:
    tab.open((crates / "cellway_sim/index.html").resolve().as_uri() + "?search=FrameRule")
    until(tab, "document.querySelector('.search-results a[href*=FrameRule]')", 60)
    assert tab.complaints() == []
    tab.open(crates / "cellway_sim/link/trait.Impairment.html")
    assert elsewhere(tab) == []
    assert tab.complaints() == []


LINK = re.compile(r"<(?:a|link|img|script)\b[^>]*?\s(?:href|src)=\"?([^\"\s>]+)")
NAMED = re.compile(r"\s(?:id|name)=\"?([^\"\s>]+)")


def test_every_link_of_a_page_leads_to_a_file_and_a_heading(site: Path) -> None:
    """Of the pages that are ours: links in the documentation of crates are looked at by rustdoc."""
    texts = {page: page.read_text() for page in site.rglob("*.html")}
    own = [page for page in texts if not re.search(rf"{RUST}/(?!cellway-|index)", page.as_posix())]
    headings = {page: {*map(unescape, NAMED.findall(texts[page]))} for page in own}
    assert len(own) > 200
    missing = set[tuple[str, str]]()
    for page in own:
        for link in {*map(unescape, LINK.findall(texts[page]))}:
            path, _, heading = unquote(link).partition("#")
            if re.match(r"[a-z]+:", path):
                continue
            file = Path(normpath(page.parent / path)) if path else page
            is_there = not heading or heading in headings.get(file, {heading})
            if not (is_there and file.is_file()):
                missing.add((page.relative_to(site).as_posix(), link))
    assert sorted(missing) == []


@pytest.fixture
def served(site: Path) -> Callable[[], str]:
    """Serves the folder above the site, so that the site has a prefix; returns its address."""

    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, *_: object) -> None:
            """Writes nothing."""

    def start() -> str:
        handler = lambda *given: Quiet(*given, directory=str(site.parent))  # noqa: E731
        server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        Thread(target=server.serve_forever, daemon=True).start()
        return f"http://127.0.0.1:{server.server_port}/{site.name}"

    return start


def test_the_site_works_under_a_prefix(tab: Tab, served: Callable[[], str]) -> None:
    address = served()
    tab.open(f"{address}/how-to/size-a-buffer.html")
    assert any("codel" in one for one in search(tab, "CoDel"))
    assert [one for one in tab.requests() if not one.startswith((address, "blob:"))] == []
    assert tab.complaints() == []


PAGES = (
    "index.html",
    "tutorial.html",
    "how-to/size-a-buffer.html",
    "reference/commands.html",
    "reference/results.html",
    "scenarios/dsl.html",
    "models/codel.html",
    "notebooks/magic-1997.html",
    "reference/rust/index.html",
    "reproduced/magic-1997.html",
)


@pytest.mark.parametrize("page", PAGES)
def test_a_page_is_clean_narrow_and_accessible(tab: Tab, site: Path, page: str) -> None:
    tab.open(site / page, width=400)
    until(tab, "document.querySelector('.md-search').ariaLabel")
    assert tab.run(BELOW) <= 0
    assert findings(tab) == []
    assert tab.complaints() == []
    assert elsewhere(tab) == []


NO_UNIT = "'```lab\\nunit = \"queue\"\\n```\\n'"
FENCE = '\'```lab\\nscenario = "wan"\\ntitle = "q"\\ncurves = []\\ntext = "{no}"\\n```\\n\''
FAULTS = (
    (
        f"from pages.laboratories import fenced; fenced({FENCE}, 'here.md')",
        "here.md: lab: FenceError: {no} is neither a control nor a number",
    ),
    (
        f"from pages.laboratories import fenced; fenced({NO_UNIT}, 'here.md')",
        "CellwayError: no unit 'queue'; did you mean queues? (cellway course lists them)",
    ),
    (
        "from pages.links import linked; linked('[a](no.md)', 'docs/here.md', 'here.md', {})",
        "docs/here.md: no such file: no.md",
    ),
    (
        "from pages.navigation import navigation; navigation(['no.md'], ['index.md'])",
        "no such page: no.md",
    ),
    (
        "from pages.sources import sourced; sourced('```source no.rs\\n```\\n')",
        "no.rs: no such file",
    ),
)


@pytest.mark.parametrize(("call", "said"), FAULTS)
def test_a_fault_of_a_page_says_what_is_wrong(call: str, said: str) -> None:
    code = f"import sys; sys.path.insert(0, 'tools'); {call}"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, check=False, capture_output=True, text=True
    )
    assert done.returncode == 1
    assert done.stderr.rstrip().endswith(said)


def test_a_link_out_of_docs_becomes_a_page_or_a_place() -> None:
    code = (
        "import sys; sys.path.insert(0, 'tools'); from pages.links import linked\n"
        "places = {'README.md': 'overview.md', 'docs/models/tcp.md': 'models/tcp.md'}\n"
        "text = '[a](../../README.md#x) [b](tcp.md) [c](../../crates/sim/examples)'\n"
        "print(linked(text, 'docs/models/abr.md', 'models/abr.md', places))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, check=True, capture_output=True, text=True
    )
    expected = "[a](../overview.md#x) [b](tcp.md) c (`crates/sim/examples` in the source)"
    assert done.stdout.rstrip() == expected
