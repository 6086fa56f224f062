"""Pages of the notebooks: their texts and code, the files to open, and outputs where there are any.

`make notebooks` executes notebooks into out/notebooks. An executed one whose code is no longer that
of the notebook has no outputs on the page. Text and PNG pictures are shown; frames of results are
not, which would add up to 0.6 MB each.
"""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from pages.places import DOCS, ROOT

NOTEBOOKS = DOCS / "notebooks"
EXECUTED = ROOT / "out" / "notebooks"
_FILE = """

The [notebook]({name}) is a file for Jupyter; `make notebooks` executes it into `out/notebooks`.

"""


def notebook_pages() -> dict[str, str]:
    """Texts of the pages by name."""
    return {
        f"notebooks/{file.stem}.md": notebook_page(file, EXECUTED / file.name)
        for file in sorted(NOTEBOOKS.glob("*.ipynb"))
    }


def notebook_page(file: Path, executed: Path) -> str:
    """The cells of a notebook in their order, with a link to it below the title."""
    cells = _cells(file)
    done = _cells(executed) if executed.exists() else []
    if [_source(cell) for cell in done] != [_source(cell) for cell in cells]:
        done = cells
    parts, heading = list[str](), ""
    for cell in done:
        text = _source(cell)
        if cell["cell_type"] == "markdown":
            parts.append(text)
            heading = text.partition("\n")[0].lstrip("# ")
        else:
            parts += [f"```python\n{text}\n```", *_shown(cell["outputs"], heading)]
    title, _, rest = parts[0].partition("\n")
    return "\n\n".join([title + _FILE.format(name=file.name).rstrip(), rest, *parts[1:], ""])


def _cells(file: Path) -> list[dict[str, Any]]:
    cells: list[dict[str, Any]] = json.loads(file.read_text(encoding="utf-8"))["cells"]
    return cells


def _source(cell: Mapping[str, Any]) -> str:
    return "".join(cell["source"]).strip()


def _shown(outputs: Iterable[Mapping[str, Any]], heading: str) -> Iterable[str]:
    """Outputs of a cell as Markdown; a picture is named after the heading that it stands below."""
    for output in outputs:
        data = output.get("data", {})
        if picture := "".join(data.get("image/png", "")).replace("\n", ""):
            yield f"![Picture of the output: {heading}](data:image/png;base64,{picture})"
        elif text := "".join(output.get("text", data.get("text/plain", ""))).rstrip():
            yield f'````text title="Output"\n{text}\n````'
