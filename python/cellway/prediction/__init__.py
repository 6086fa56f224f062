"""Predictions of formulas for a scenario, where it is within their range.

`predict` looks at every port where sources without TCP meet and at every flow with TCP, and names
the assumptions of each formula; `beside_runs` puts its numbers beside those of runs.
`cellway.theory` has the formulas alone.
"""

from cellway.prediction import abr, connections, queues, shared, varying
from cellway.prediction.answer import Assumption, Predicted, Prediction, Refusal, Theory
from cellway.prediction.facts import Facts
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
    facts = Facts(scenario)
    answers = [queues.predicted(facts, port) for port in facts.ports]
    answers += [shared.predicted(facts, port) for port in facts.ports]
    found = {one.of for one in answers if isinstance(one, Prediction)}
    covered = {
        passage.flow["name"]
        for port in facts.ports
        if f"port {port['name']}" in found
        for passage in facts.passing(port)
    }
    others = [flow for flow in facts.flows if flow["name"] not in covered]
    answers += [
        abr.predicted(facts, flow)
        or varying.predicted(facts, flow)
        or connections.predicted(facts, flow)
        for flow in others
    ]
    return Theory(
        facts.name,
        tuple(one for one in answers if isinstance(one, Prediction)),
        tuple(one for one in answers if isinstance(one, Refusal)),
        {
            "flows": tuple(flow["name"] for flow in facts.flows),
            "ports": tuple(port["name"] for port in facts.ports),
        },
    )
