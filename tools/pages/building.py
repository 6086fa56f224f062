"""The site from its pages: put together in a folder, and built by MkDocs."""

import logging
import shutil
import sys
import tempfile
from pathlib import Path

from mkdocs.commands.build import build as built
from mkdocs.config import load_config
from mkdocs.exceptions import Abort
from mkdocs.utils.yaml import get_yaml_loader, yaml_load

from cellway.lab.offline import NoModuleError
from pages import commands, language, notebooks, results, rust, scenarios
from pages.interface import interface_pages
from pages.laboratories import FenceError, assets, fenced, list_page, whole_laboratories
from pages.links import LinkError, linked, lists
from pages.navigation import NavigationError, navigation
from pages.places import DOCS, ROOT, all_places, written
from pages.sources import SourceError, sourced

_HERE = Path(__file__).parent
_KEPT = {".svg", ".png", ".lua", ".txt", ".toml", ".ipynb", ".py"}
"""Ends of names of files beside pages that the site has, too."""
_ASSETS = ("access.js", "site.css", "iframe-worker.js")
_FAULTS = (FenceError, LinkError, NavigationError, NoModuleError, rust.RustError, SourceError)


def build(site: Path) -> int:
    """Builds the site; the exit code. Warnings are errors."""
    logging.basicConfig(level=logging.WARNING, format="%(levelname)s: %(message)s")
    with tempfile.TemporaryDirectory() as together:
        try:
            return _build(site, Path(together))
        except _FAULTS as error:
            sys.stderr.write(f"{error}\n")
            return 1


def _build(site: Path, together: Path) -> int:
    pages = put_together(together)
    settings = ROOT / "mkdocs.yml"
    with settings.open(encoding="utf-8") as file:
        entries = yaml_load(file, get_yaml_loader())["nav"]
    config = load_config(
        str(settings),
        docs_dir=str(together / "docs"),
        site_dir=str(site.resolve()),
        nav=navigation(entries, pages),
        strict=True,
    )
    config.plugins.on_startup(command="build", dirty=False)
    try:
        built(config)
    except Abort as error:
        return int(error.exit_code or 1)
    # The theme's page of an error names all that it loads from the root of a server.
    (site / "404.html").unlink()
    return 0


def put_together(together: Path) -> list[str]:
    """Writes all pages, pictures and scripts below an empty folder; returns the names of pages."""
    folder = together / "docs"
    generated = {
        **language.language_pages(),
        results.PLACE: results.results_page(),
        commands.PLACE: commands.commands_page(),
        "laboratories.md": list_page(),
        **interface_pages(),
        **rust.rust_pages(),
        **notebooks.notebook_pages(),
    }
    of_scenarios, places_of_scenarios = scenarios.scenario_pages()
    places = all_places(places_of_scenarios)
    pages = {**generated, **of_scenarios}
    for source, page in written().items():
        text = sourced((ROOT / source).read_text(encoding="utf-8"))
        pages[page] = fenced(lists(linked(text, source, page, places)), page)
    for page, text in pages.items():
        _write(folder / page, text)
    for file in DOCS.rglob("*"):
        if file.is_file() and file.suffix in _KEPT:
            place = folder / file.relative_to(DOCS)
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(file, place)
    (folder / "assets").mkdir()
    for name in _ASSETS:
        shutil.copyfile(_HERE / name, folder / "assets" / name)
    assets(folder / "assets", together / "scripts")
    rust.place_documentation(folder)
    for name, text in whole_laboratories().items():
        _write(folder / name, text)
    return sorted(pages)


def _write(file: Path, text: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")
