"""Pages of the Rust interface: public items of the crates, and the documentation that has them."""

import os
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from posixpath import dirname, join, normpath

from pages.places import ROOT

PLACE = "reference/rust"
DOC = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")) / "doc"
"""Output of `cargo doc`."""
CRATES = {
    "cellway-sim": "models, engine, scenarios and runs",
    "cellway-stack": "transports that were written elsewhere, over the simulator's paths",
    "cellway-theory": "formulas for what is simulated, without a network",
}
"""The crates for programs outside the source tree, and the concern of each."""
_KINDS = {
    "mod": "module",
    "struct": "struct",
    "enum": "enum",
    "union": "union",
    "trait": "trait",
    "traitalias": "trait",
    "type": "type",
    "fn": "function",
    "constant": "constant",
    "static": "static",
    "macro": "macro",
    "derive": "macro",
    "attr": "macro",
}
_MARKS = re.compile(r"([\\`*_\[\]<>|])")
_EXAMPLE = re.compile(r"^//! ```\n((?://!.*\n)*?)//! ```$", re.MULTILINE)
_SCRIPT = re.compile(r'<script src="([^"]*trait\.impl/[^"]+)"')
_ABOUT = re.compile(r"\A(?://! .+\n)+")


class RustError(Exception):
    """Documentation of a crate without items, or a crate without an example."""


@dataclass
class Item:
    """A public item of a module.

    Attributes:
        kind: as the documentation has it, a key of the kinds.
        name: without its module.
        page: of its documentation.
        about: the first paragraph of its documentation, as Markdown; empty for the second name of
            an item that another module has.
    """

    kind: str
    name: str
    page: str
    about: str = ""


@dataclass
class Module:
    """A module of a crate: its path in the words of Rust, its page and its items."""

    path: str
    page: str
    about: str
    items: list[Item] = field(default_factory=list)


class _Items(HTMLParser):
    """Reader of the tables of items on the page of a module."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.items: list[Item] = []
        self._folder = dirname(page)
        self._is_table = False
        self._part = ""
        self._is_code = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if tag == "dl":
            self._is_table = "item-table" in (given.get("class") or "").split()
        elif self._is_table and tag in ("dt", "dd"):
            self._part = tag
        elif self._part == "dt" and tag == "a" and (kind := given.get("class")) in _KINDS:
            name = (given.get("title") or "").rpartition("::")[2]
            page = normpath(join(self._folder, given.get("href") or ""))
            self.items.append(Item(kind, name, page))
        elif tag == "code":
            self._is_code = True
            self._add("`")

    def handle_endtag(self, tag: str) -> None:
        if tag == "dl":
            self._is_table, self._part = False, ""
        elif tag == "code":
            self._add("`")
            self._is_code = False

    def handle_data(self, data: str) -> None:
        text = data.replace("|", "\\|") if self._is_code else _MARKS.sub(r"\\\1", data)
        self._add(text.replace("\n", " "))

    def _add(self, text: str) -> None:
        if self._part == "dd" and self.items:
            self.items[-1].about += text


def modules(crate: str, doc: Path = DOC) -> Iterator[Module]:
    """The public modules of a crate, its root first.

    Raises:
        RustError: a page of the documentation lists no items.
    """
    name = crate.replace("-", "_")
    waiting = [Module(name, f"{name}/index.html", "")]
    while waiting:
        one = waiting.pop(0)
        reader = _Items(one.page)
        reader.feed((doc / one.page).read_text(encoding="utf-8"))
        if not reader.items:
            raise RustError(f"{doc / one.page}: no items")
        inner = [item for item in reader.items if item.kind == "mod"]
        waiting[:0] = [Module(f"{one.path}::{m.name}", m.page, m.about) for m in inner]
        one.items = [item for item in reader.items if item.kind != "mod"]
        yield one


def rust_pages(doc: Path = DOC) -> dict[str, str]:
    """Texts of the pages by name; the list alone where the crates have no documentation yet."""
    pages = {f"{PLACE}/index.md": _index(doc)}
    if is_made(doc):
        pages |= {f"{PLACE}/{crate}.md": _crate(crate, doc) for crate in CRATES}
    return pages


def is_made(doc: Path = DOC) -> bool:
    """True if `cargo doc` has written the documentation of the crates."""
    return all((doc / crate.replace("-", "_") / "index.html").exists() for crate in CRATES)


def place_documentation(folder: Path, doc: Path = DOC) -> None:
    """Puts the documentation of the crates, if there is any, among the files of the site.

    The licence of a font, which is Markdown there, would be a page of the site; it becomes a text.
    A script that the page of a trait loads and that rustdoc has not written becomes an empty one.
    """
    files = [one for one in doc.rglob("*") if one.is_file()] if is_made(doc) else []
    for file in files:
        place = folder / PLACE / file.relative_to(doc)
        place.parent.mkdir(parents=True, exist_ok=True)
        named = place.with_suffix(".txt") if place.suffix == ".md" else place
        if not named.name.startswith("."):
            named.symlink_to(file.resolve())
    for page in (file for file in files if file.match("trait.*.html")):
        for name in _SCRIPT.findall(page.read_text(encoding="utf-8")):
            script = folder / PLACE / normpath(join(dirname(page.relative_to(doc)), name))
            if not script.exists():
                script.parent.mkdir(parents=True, exist_ok=True)
                script.touch()


def _index(doc: Path) -> str:
    rows, made = [], is_made(doc)
    for crate, about in CRATES.items():
        page = f"{crate.replace('-', '_')}/index.html"
        links = f"[items]({crate}.md), [documentation]({page})" if made else "`make site`"
        rows.append(f"| `{crate}` | {about} | {links} |")
    return "\n".join(
        [
            "# Rust interface",
            "",
            "Three crates of the source tree are for programs in Rust. They have no code that is",
            "unsafe, and the first and the last one neither read a clock nor open a file.",
            "",
            "| crate | has | pages |",
            "|---|---|---|",
            *rows,
            "",
            "[Embed the Rust crate](../../how-to/embed-the-crate.md) begins with a manifest and a",
            "first program; [a law of one's own](../../own-law.md) and [stacks](../../stacks.md)",
            "show rules and transports from outside.",
            "",
            "## Examples",
            "",
            "`cargo run --release --example NAME` in the folder of the crate runs each.",
            "",
            "| example | crate | shows |",
            "|---|---|---|",
            *_examples(),
            "",
        ]
    )


def _examples() -> Iterator[str]:
    for crate in CRATES:
        folder = ROOT / "crates" / crate.removeprefix("cellway-") / "examples"
        for file in sorted(folder.glob("*.rs")):
            found = _ABOUT.match(file.read_text(encoding="utf-8"))
            if found is None:
                raise RustError(f"{file}: no comment at its head")
            about = " ".join(line[4:] for line in found[0].splitlines())
            yield f"| `{file.stem}` | `{crate}` | {about} |"


def _crate(crate: str, doc: Path) -> str:
    place = ROOT / "crates" / crate.removeprefix("cellway-")
    package = tomllib.loads((place / "Cargo.toml").read_text(encoding="utf-8"))["package"]
    root = f"{crate.replace('-', '_')}/index.html"
    found = [*modules(crate, doc)]
    abouts = {item.page: item.about for module in found for item in module.items if item.about}
    return "\n".join(
        [
            f"# Crate {crate}",
            "",
            f"{package['description']}. Its [documentation]({root}) has every item with its",
            "fields, methods and source; the names below lead there.",
            "",
            "```rust",
            *_example(place / "src" / "lib.rs"),
            "```",
            "",
            *(line for module in found for line in _section(module, abouts)),
        ]
    )


def _example(file: Path) -> Iterator[str]:
    """The first example of a crate's documentation, without the lines that it hides."""
    found = _EXAMPLE.search(file.read_text(encoding="utf-8"))
    if found is None:
        raise RustError(f"{file}: no example")
    lines = (line.removeprefix("//!").removeprefix(" ") for line in found[1].splitlines())
    return (line for line in lines if not line.startswith("# "))


def _section(module: Module, abouts: Mapping[str, str]) -> list[str]:
    """A heading for a module, and a table of its items; nothing for one that has only modules."""
    if not module.items:
        return []
    rows = [
        f"| [`{item.name}`]({item.page}) | {_KINDS[item.kind]} | {abouts.get(item.page, '')} |"
        for item in module.items
    ]
    return [
        f"## `{module.path}`",
        "",
        module.about,
        "",
        "| item | kind | about |",
        "|---|---|---|",
        *rows,
        "",
    ]
