"""The simulator as WebAssembly has the results of the native one, to the octet."""

from pathlib import Path

import numpy as np
import pytest

from cellway import RunError, Scenario, run
from cellway.runs.models import MODEL_VERSION
from common import SCENARIOS
from web_engine import Instance, needs_module

pytestmark = needs_module


@pytest.mark.parametrize("path", SCENARIOS, ids=lambda path: path.stem)
def test_every_scenario_has_the_native_results(path: Path) -> None:
    scenario = Scenario.load(path)
    files = {name: (path.parent / name).read_text() for name in _named(path)}
    native = run(scenario)
    job = {"origin": path.name, "text": path.read_text(), "files": files}
    found, numbers = Instance().answer(job)
    assert found["faults"] == []
    assert found["model"] == MODEL_VERSION
    assert found["summary"] == native.summary_json
    numbers.reverse()
    assert [column["name"] for column in found["columns"]] != [] or not native.series_names
    assert sorted(column["name"] for column in found["columns"]) == sorted(native.series_names)
    for column in found["columns"]:
        series = native.series(column["name"])
        assert (column["unit"], column["thinned"]) == (series.unit, series.thinned)
        expected = [series.time, series.value] + ([series.means] if column["mean"] else [])
        for values in expected:
            assert values is not None
            np.testing.assert_array_equal(numbers.pop(), values, column["name"])


def _named(path: Path) -> list[str]:
    """Files that the scenario names, which stand beside it."""
    text = path.read_text()
    others = [one.name for one in path.parent.iterdir() if one.suffix != ".toml"]
    return [name for name in others if f'"{name}"' in text]


def test_the_module_tells_the_edition_of_the_model() -> None:
    instance = Instance()
    size = instance.call("model")
    assert instance.read(instance.call("output"), size).decode() == MODEL_VERSION


def test_what_is_no_job_is_answered() -> None:
    found, numbers = Instance().answer({"txt": ""})
    assert "unknown field `txt`" in found["faults"][0]["message"]
    assert numbers == []


def test_a_run_beyond_its_memory_says_so() -> None:
    text = next(path for path in SCENARIOS if path.stem == "satellite").read_text()
    sets = {"observe.interval": "change", "observe.limit": "1000000", "run.memory_limit": "2 MB"}
    with pytest.raises(RunError) as raised:
        run(Scenario("satellite.toml", text.encode(), [*sets.items()]))
    job = {"origin": "satellite.toml", "text": text, "set": [*sets.items()]}
    found, _ = Instance().answer(job)
    assert found["faults"][0]["message"] == str(raised.value)
    assert "2 MB of `run.memory_limit`" in str(raised.value)
    assert found["summary"] is None
