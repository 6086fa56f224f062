"""What formulas say of a scenario, where it is one of those that they know.

`predict` looks at every port where sources without TCP meet and at every flow with TCP, and names
what each formula assumes; see `cellway.theory` for the formulas alone.
"""

from cellway.prediction import connections, queues
from cellway.prediction.answer import Assumption, Predicted, Prediction, Refusal, Theory
from cellway.prediction.facts import Facts
from cellway.scenario import Scenario

__all__ = ["Assumption", "Predicted", "Prediction", "Refusal", "Theory", "predict"]


def predict(scenario: Scenario) -> Theory:
    """What formulas say of the queues and flows of `scenario`, without a run.

    | part | formula |
    |---|---|
    | equal Poisson sources at a port | M/D/1 |
    | equal sources of a constant rate | N·D/D/1 |
    | equal on-off sources of exponential times | fluid of Anick, Mitra and Sondhi |
    | a greedy TCP alone, with losses on its path | PFTK, square root, or RFC 9438 |
    | a greedy TCP alone, without | window per round trip, ceiling, Lakshman and Madhow |
    """
    facts = Facts(scenario)
    answers = [queues.predicted(facts, port) for port in facts.ports]
    answers += [connections.predicted(facts, flow) for flow in facts.flows]
    return Theory(
        facts.name,
        tuple(one for one in answers if isinstance(one, Prediction)),
        tuple(one for one in answers if isinstance(one, Refusal)),
    )
