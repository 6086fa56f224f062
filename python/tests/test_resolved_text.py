"""Python stores, compares and hashes the resolved text of a scenario; only Rust reads it."""

import ast
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import cellway
from cellway.prediction import beside_runs
from common import SCENARIOS

PACKAGE = Path(cellway.__file__).parent
READERS = {
    "cli/completion.py",
    "cli/options.py",
    "study/foreign_units.py",
    "study/frozen.py",
    "text/document.py",
}
"""Modules that read TOML: what people wrote, such as studies, settings and units of columns."""
USES = {
    "return self._core.to_toml()",
    "resolved = core.to_toml().encode()",
    "return (_restored, (self._origin, self.to_toml().encode(), self._awaits_flows, self.files))",
    "return isinstance(other, Scenario) and self.to_toml() == other.to_toml()",
    "return hash(self.to_toml())",
    "(fresh / SCENARIO).write_bytes(run.scenario.to_toml().encode())",
    # Without comments, for the hash of a run's key.
    "lines = [line for line in resolved.to_toml().splitlines() if not line.startswith('#')]",
}
"""Every statement with a resolved text. A further one must not look for the meaning of a key."""


def uses(text: str) -> Iterator[str]:
    """Simple statements in which a resolved text is asked for."""
    for node in ast.walk(ast.parse(text)):
        is_simple = isinstance(node, ast.stmt) and not hasattr(node, "body")
        asked = (one for one in ast.walk(node) if isinstance(one, ast.Attribute))
        if is_simple and any(one.attr == "to_toml" for one in asked):
            yield ast.unparse(node)


def reads_toml(text: str) -> bool:
    return re.search(r"^\s*(import|from) tomllib\b", text, re.MULTILINE) is not None


def test_the_resolved_text_is_only_stored_compared_and_hashed() -> None:
    texts = {str(file.relative_to(PACKAGE)): file.read_text() for file in PACKAGE.rglob("*.py")}
    assert {use for text in texts.values() for use in uses(text)} == USES
    assert {file for file, text in texts.items() if reads_toml(text)} == READERS


@pytest.mark.parametrize(
    "reading",
    [
        "seed = tomllib.loads(scenario.to_toml())['run']['seed']",
        "found = re.search('seed = (.*)', scenario.to_toml())",
        "read(scenario.to_toml)",
    ],
)
def test_a_reading_of_it_is_found_wherever_it_is(reading: str) -> None:
    (found,) = uses(f"def asked(scenario):\n    if scenario:\n        {reading}\n")
    assert found not in USES
    assert reads_toml("def late():\n    import tomllib")
    assert reads_toml("from tomllib import loads")


def test_no_resolved_text_is_read_as_toml(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    read = tomllib.loads

    def guarded(text: str, **options: Any) -> dict[str, Any]:
        assert not text.startswith("# Resolved scenario")
        return read(text, **options)

    monkeypatch.setattr(tomllib, "loads", guarded)
    scenario = cellway.Scenario.load(SCENARIOS[0].parent / "constant-rate.toml").with_sets(
        [("run.duration", "20 ms"), ("run.warm_up", "10 ms")]
    )
    assert beside_runs(scenario, cellway.predict(scenario), 1)
    study = cellway.Study(scenario, factors={"run.phase": ["none", "random"]}, replications=1)
    assert study.run(tmp_path / "study")
    cellway.run(scenario).save(tmp_path / "run")
    assert cellway.Run.load(tmp_path / "run").scenario == scenario
    assert scenario.observes == scenario.explain()["observes"]
