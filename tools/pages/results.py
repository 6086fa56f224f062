"""Page of the numbers of a run and of `explain`, from their types."""

import ast
import re
from pathlib import Path

from pages.places import ROOT

PLACE = "reference/results.md"
TYPES = ROOT / "python/cellway/result_types.pyi"
_HEAD = """# Results

A run has a summary: `Run.summary` in Python, `summary.json` in a saved run, `cellway run --json` on
a terminal. `Scenario.explain` and `cellway explain --json` have what is known before a run. These
are their fields, with type and meaning; `cellway schema --results` lists the numbers by the path
that a study names, such as `flows.bulk.throughput_bits_per_second`.
"""


def results_page(types: Path = TYPES) -> str:
    """The text of the page."""
    tree = ast.parse(types.read_text(encoding="utf-8"))
    classes = [one for one in tree.body if isinstance(one, ast.ClassDef)]
    names = {one.name for one in classes}
    return "\n".join([_HEAD, *(_class(one, names) for one in classes)])


def _class(given: ast.ClassDef, names: set[str]) -> str:
    rows = list[str]()
    for field, said in zip(given.body, [*given.body[1:], None], strict=True):
        if not isinstance(field, ast.AnnAssign):
            continue
        meaning = ""
        if isinstance(said, ast.Expr) and isinstance(said.value, ast.Constant):
            meaning = " ".join(str(said.value.value).split()).replace("|", "\\|")
        rows.append(f"| `{ast.unparse(field.target)}` | {_kind(field, names)} | {meaning} |")
    table = ["| field | type | meaning |", "|---|---|---|", *rows] if rows else []
    about = ast.get_docstring(given) or ""
    return "\n".join([f"## {given.name}", "", about, "", *table, ""])


def _kind(field: ast.AnnAssign, names: set[str]) -> str:
    """The type of a field; the names of classes lead to them."""
    text = ast.unparse(field.annotation)
    may_lack = text.startswith("NotRequired[")
    text = re.sub(r"^NotRequired\[(.*)\]$", r"\1", text).replace("|", "or")
    linked = re.sub(
        r"\b[A-Z]\w+\b",
        lambda one: f"[{one[0]}](#{one[0].lower()})" if one[0] in names else one[0],
        text.replace("[", "\\[").replace("]", "\\]"),
    )
    return f"{linked}, may lack" if may_lack else linked
