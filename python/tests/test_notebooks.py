"""Notebooks of the documentation: no stored outputs, and code that runs as one program."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from common import ROOT

NOTEBOOKS = sorted((ROOT / "docs/notebooks").glob("*.ipynb"))


def code_cells(notebook: Path) -> list[dict[str, Any]]:
    cells: list[dict[str, Any]] = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
    return [cell for cell in cells if cell["cell_type"] == "code"]


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda file: file.stem)
def test_a_notebook_stores_no_outputs(notebook: Path) -> None:
    cells = code_cells(notebook)
    assert cells
    assert all(not cell["outputs"] and cell["execution_count"] is None for cell in cells)


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda file: file.stem)
def test_code_of_a_notebook_runs_as_a_program(notebook: Path, tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    code = "\n\n".join("".join(cell["source"]) for cell in code_cells(notebook))
    program.write_text(code, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, program],
        cwd=tmp_path,
        env=os.environ | {"MPLBACKEND": "Agg"},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip()
