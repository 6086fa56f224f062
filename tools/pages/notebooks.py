"""Pages of the notebooks: their texts and code, and the files to open."""

import json
from pathlib import Path

from pages.places import DOCS

NOTEBOOKS = DOCS / "notebooks"
_FILE = """

The [notebook]({name}) is a file for Jupyter; `make notebooks` executes it into `out/notebooks`.

"""


def notebook_pages() -> dict[str, str]:
    """Texts of the pages by name."""
    return {
        f"notebooks/{file.stem}.md": notebook_page(file)
        for file in sorted(NOTEBOOKS.glob("*.ipynb"))
    }


def notebook_page(file: Path) -> str:
    """The cells of a notebook in their order, with a link to it below the title."""
    cells = json.loads(file.read_text(encoding="utf-8"))["cells"]
    parts = list[str]()
    for cell in cells:
        text = "".join(cell["source"]).strip()
        parts.append(text if cell["cell_type"] == "markdown" else f"```python\n{text}\n```")
    title, _, rest = parts[0].partition("\n")
    return "\n\n".join([title + _FILE.format(name=file.name).rstrip(), rest, *parts[1:], ""])
