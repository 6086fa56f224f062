"""Predictions of formulas for a scenario, where it is within their range.

`predict` looks at every port where sources without TCP meet and at every flow with TCP, and names
the assumptions of each formula; `beside_runs` puts its numbers beside those of runs.
`cellway.theory` has the formulas alone.
"""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from cellway.prediction.answer import Assumption, Predicted, Prediction, Refusal, Theory
from cellway.prediction.runs import Compared, beside_quantity, beside_run, beside_runs
from cellway.scenario.scenario import Scenario

__all__ = [
    "Assumption",
    "Compared",
    "Predicted",
    "Prediction",
    "Refusal",
    "Theory",
    "beside_quantity",
    "beside_run",
    "beside_runs",
    "predict",
]


def predict(scenario: Scenario) -> Theory:
    """Predictions for the queues and flows of `scenario`, without a run.

    | part | formula |
    |---|---|
    | equal Poisson sources at a port | M/D/1 |
    | equal sources of a constant rate | N·D/D/1 |
    | equal on-off sources of exponential times | fluid of Anick, Mitra and Sondhi |
    | equal greedy TCPs at a port | their windows together, buffer rules |
    | a greedy TCP alone, with losses on its path | PFTK, square root, or RFC 9438 |
    | greedy TCPs over ABR | max-min shares |
    | a greedy TCP alone over a link of two rates | renewal model; limits of EFFCAP |
    | a greedy TCP alone, without | window per round trip, ceiling, Lakshman and Madhow |
    """
    found = json.loads(scenario._core.predict())  # noqa: SLF001
    return Theory(
        found["scenario"],
        tuple(one for said in found["predictions"] for one in _predictions(said)),
        tuple(
            Refusal(f"{said['part']} {name}", said["answer"])
            for said in found["refusals"]
            for name in said["names"]
        ),
        {kind: tuple(found[kind]) for kind in ("flows", "ports")},
    )


def _predictions(said: Mapping[str, Any]) -> Iterator[Prediction]:
    """A prediction for each port or flow that has this one."""
    part, answer = said["part"], said["answer"]
    assumptions = tuple(Assumption(**one) for one in answer["assumptions"])
    for name in said["names"]:
        numbers = tuple(
            Predicted(**{**one, "path": _path(one["path"], f"{part}s.{name}")})
            for one in answer["numbers"]
        )
        yield Prediction(answer["model"], f"{part} {name}", answer["source"], numbers, assumptions)


def _path(path: str | None, entry: str) -> str | None:
    """Whole path of a number that belongs to the `entry` of a port or flow, or to a group."""
    return path if path is None or path.startswith("groups.") else f"{entry}.{path}"
