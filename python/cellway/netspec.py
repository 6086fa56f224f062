"""Netspec scripts: their flows on the hosts of a scenario, and the report of a run."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from cellway.disk.files import TEXT_LIMIT, read_limited
from cellway.errors import ScenarioError
from cellway.runs.runs import Run
from cellway.scenario.scenario import Scenario


@dataclass(frozen=True)
class Workload:
    """A scenario with the flows of a script.

    >>> import cellway
    >>> scenario = cellway.Scenario.load("scenarios/acts-burst.toml")
    >>> scenario = scenario.with_set("run.duration", "1 s")
    >>> workload = cellway.netspec.Workload.load(scenario, "scenarios/acts-burst.nspec")
    >>> workload.report(cellway.run(workload.scenario))["sum"]["missed"]
    0

    Attributes:
        scenario: with the flows of the script, as if they had been written in it.
        root: the outermost block: `mode`, `line`, `start_s`, its `tests` (`host`, `type`,
            `protocol`, `own`, `peer`, `flow`, `line`) and the `blocks` in it.
    """

    scenario: Scenario
    root: Mapping[str, Any]

    @classmethod
    def load(cls, scenario: Scenario, path: str | Path) -> Self:
        """Reads the script in `path`, a file of at most 1 MiB.

        `scenario` may have been loaded with `awaits_flows`: all flows are the script's then.

        Raises:
            ScenarioError: it is not a script, or does not fit `scenario`; the message gives file,
                line and column.
            OSError: the file cannot be read.
        """
        content = read_limited(Path(path))
        if content is None:
            raise ScenarioError(
                f"{path}:1:1: more than {TEXT_LIMIT} bytes; a script has at most 1 MiB"
            )
        return cls(*scenario.with_netspec(content, str(path)))

    @classmethod
    def parse(cls, scenario: Scenario, text: str, origin: str = "script") -> Self:
        """Reads a script given as text; `origin` names it in messages.

        Raises:
            ScenarioError: it is not a script, or does not fit `scenario`.
        """
        return cls(*scenario.with_netspec(text.encode("utf-8", "replace"), origin))

    def report(self, run: Run) -> dict[str, Any]:
        """Results of the tests in `run`, a run of `scenario`: blocks of the script with numbers.

        A source has `blocks` and `bytes` written, periods `missed`, and `waiting` blocks at the
        end; a sink has the `bytes` that arrived. Both have `elapsed_s`, the time in which their
        flow was active, and `bits_per_second`. `sum` adds all sources and sinks inside a
        block; its rates add only the tests that stand in the block itself.
        """
        return _block(self.root, run.flows)


def _block(block: Mapping[str, Any], flows: Mapping[str, Any]) -> dict[str, Any]:
    tests = [_test(test, flows[test["flow"]]) for test in block["tests"]]
    blocks = [_block(inner, flows) for inner in block["blocks"]]
    total: dict[str, Any] = dict.fromkeys((*_COUNTS, *_RATES), 0)
    for part in (*map(_part, tests), *(inner["sum"] for inner in blocks)):
        for key in _COUNTS:
            total[key] += part.get(key, 0)
    for part in map(_part, tests):
        for key in _RATES:
            total[key] += part.get(key, 0)
    return {**block, "tests": tests, "blocks": blocks, "sum": total}


_COUNTS = ("blocks", "missed", "waiting", "bytes", "delivered_bytes")
_RATES = ("bits_per_second", "delivered_bits_per_second")
"""Numbers that do not add up over blocks that follow each other: a sum has a block's own tests."""


def _test(test: Mapping[str, Any], flow: Mapping[str, Any]) -> dict[str, Any]:
    counted = flow["blocks"]
    if test["type"] == "sink":
        found = {"bytes": flow["delivered_bytes"]}
    else:
        found = {
            "blocks": counted["written"],
            "missed": counted["missed"],
            "waiting": counted["waiting"],
            "bytes": counted["bytes"],
        }
    elapsed = counted["elapsed_s"]
    rate = 8 * found["bytes"] / elapsed if elapsed > 0 else 0.0
    return {**test, **found, "elapsed_s": elapsed, "bits_per_second": rate}


def _part(test: Mapping[str, Any]) -> Mapping[str, Any]:
    """Numbers that a test adds to the sum of its block."""
    if test["type"] != "sink":
        return test
    delivered, rate = test["bytes"], test["bits_per_second"]
    return {"delivered_bytes": delivered, "delivered_bits_per_second": rate}
