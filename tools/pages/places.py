"""Places in the source tree, and the pages of the site that show them."""

from collections.abc import Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
TOP = {
    "README.md": "overview.md",
    "REPRODUCED.md": "published.md",
    "ARCHITECTURE.md": "architecture.md",
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changelog.md",
}
"""Pages for the files beside docs/."""
LANGUAGE = "docs/scenario-language.txt"


def written() -> dict[str, str]:
    """The page of each Markdown file of the project, both relative: to the project, to the site."""
    pages = dict(TOP)
    for file in sorted(DOCS.rglob("*.md")):
        name = file.relative_to(DOCS).as_posix()
        pages[f"docs/{name}"] = (
            f"{name.removesuffix('README.md')}index.md" if (file.name == "README.md") else name
        )
    return pages


def all_places(scenarios: Mapping[str, str]) -> dict[str, str]:
    """The page or the file of the site for each place in the source tree that has one.

    Args:
        scenarios: the page of each scenario and study, by its place.
    """
    pictures = {
        f"docs/{name}": name
        for file in DOCS.rglob("*")
        if file.is_file() and file.suffix != ".md"
        for name in [file.relative_to(DOCS).as_posix()]
    }
    notebooks = {
        f"docs/notebooks/{file.name}": f"notebooks/{file.stem}.md"
        for file in DOCS.glob("notebooks/*.ipynb")
    }
    folders = {"docs/models": "models/index.md", "scenarios": "scenarios/index.md"}
    return {
        **pictures,
        **notebooks,
        **folders,
        **written(),
        **scenarios,
        LANGUAGE: "reference/language/index.md",
    }
