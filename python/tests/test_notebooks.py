"""Notebooks of the documentation: no stored outputs, code that runs, and outputs on their pages."""

import base64
import json
import subprocess
import sys
from html import escape
from pathlib import Path
from typing import Any

import pytest

from built import NOTEBOOK, is_newer
from common import ROOT

NOTEBOOKS = sorted((ROOT / "docs/notebooks").glob("*.ipynb"))
EXECUTED = ROOT / "out/notebooks"
LARGEST = 100_000
"""Bytes of an executed notebook, which its page has."""
PICTURE = base64.b64encode(b"\x89PNG").decode()


def cells_of(notebook: Path) -> list[dict[str, Any]]:
    cells: list[dict[str, Any]] = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
    return cells


def code_cells(notebook: Path) -> list[dict[str, Any]]:
    return [cell for cell in cells_of(notebook) if cell["cell_type"] == "code"]


def is_executed(notebook: Path) -> bool:
    """Whether `make notebooks` has executed it, and no source is newer."""
    own = notebook.relative_to(ROOT).as_posix()
    return is_newer(EXECUTED / notebook.name, (own, *NOTEBOOK))


def executed(notebook: Path, folder: Path) -> Path:
    """The notebook with its outputs."""
    if is_executed(notebook):
        return EXECUTED / notebook.name
    command = [sys.executable, "tools/run-notebooks", str(notebook), "--out", str(folder)]
    done = subprocess.run(command, cwd=ROOT, check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return folder / notebook.name


def printed(cell: dict[str, Any]) -> str:
    """The text that a cell prints; errors and warnings are none."""
    assert {one.get("name", "stdout") for one in cell["outputs"]} <= {"stdout"}
    assert "error" not in {one["output_type"] for one in cell["outputs"]}
    return "".join("".join(one.get("text", "")) for one in cell["outputs"])


def pictures(cell: dict[str, Any]) -> list[str]:
    return ["".join(one.get("data", {}).get("image/png", "")).strip() for one in cell["outputs"]]


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda file: file.stem)
def test_a_notebook_stores_no_outputs(notebook: Path) -> None:
    cells = code_cells(notebook)
    assert cells
    assert all(not cell["outputs"] and cell["execution_count"] is None for cell in cells)


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda file: file.stem)
def test_a_notebook_runs_and_prints_and_draws(notebook: Path, tmp_path: Path) -> None:
    """Its code is Python alone, without commands of a notebook, and runs from top to bottom."""
    stored, file = code_cells(notebook), executed(notebook, tmp_path)
    compile("\n\n".join("".join(cell["source"]) for cell in stored), notebook.name, "exec")
    cells = code_cells(file)
    assert [cell["source"] for cell in cells] == [cell["source"] for cell in stored]
    assert [cell["execution_count"] for cell in cells] == [*range(1, len(cells) + 1)]
    assert "".join(map(printed, cells)).strip()
    assert any(picture for cell in cells for picture in pictures(cell))
    assert file.stat().st_size < LARGEST


def test_pages_have_what_make_notebooks_has_printed_and_drawn(site: Path) -> None:
    there = [EXECUTED / notebook.name for notebook in NOTEBOOKS if is_executed(notebook)]
    built = (site / "index.html").stat().st_mtime
    if not there or any(file.stat().st_mtime > built for file in there):
        pytest.skip("the site is built before the notebooks are executed: make site")
    for file in there:
        page = (site / "notebooks" / file.name).with_suffix(".html").read_text()
        for cell in code_cells(file):
            for line in printed(cell).splitlines():
                assert escape(line, quote=False) in page, line
            assert all(picture.replace("\n", "") in page for picture in pictures(cell))


SHORT = ({"cell_type": "markdown", "source": ["# Lines\n", "\n", "Two of them."]},)
OUTPUTS = (
    {"output_type": "stream", "name": "stdout", "text": ["a\n", "b\n"]},
    {"output_type": "display_data", "data": {"image/png": f"{PICTURE}\n", "text/plain": "Figure"}},
    {"output_type": "execute_result", "data": {"text/html": "<iframe>", "text/plain": ["Run(1)"]}},
)
PAGE = f"""\
```python
f(1)
```

````text title="Output"
a
b
````

![Picture of the output: Lines](data:image/png;base64,{PICTURE})

````text title="Output"
Run(1)
````
"""


@pytest.mark.parametrize(
    ("code", "expected"),
    [("f(1)", PAGE), ("f(2)", "```python\nf(1)\n```\n")],
    ids=["same", "other"],
)
def test_a_page_has_outputs_of_the_code_that_it_shows(
    tmp_path: Path, code: str, expected: str
) -> None:
    for name, source, outputs in (("stored", "f(1)", ()), ("executed", code, OUTPUTS)):
        cells = [*SHORT, {"cell_type": "code", "source": [source], "outputs": outputs}]
        (tmp_path / f"{name}.ipynb").write_text(json.dumps({"cells": cells}))
    program = (
        "import sys; sys.path.insert(0, 'tools')\n"
        "from pathlib import Path; from pages.notebooks import notebook_page\n"
        "print(notebook_page(*map(Path, sys.argv[1:])))"
    )
    files = [tmp_path / "stored.ipynb", tmp_path / "executed.ipynb"]
    done = subprocess.run(
        [sys.executable, "-c", program, *files],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    )
    assert done.stdout.partition("Two of them.\n\n")[2].rstrip() == expected.rstrip()
