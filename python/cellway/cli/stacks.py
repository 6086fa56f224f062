"""Stacks at ends of flows: their option, and a table of what they did."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any

from cellway.cli.exits import BadInputError
from cellway.cli.parameters import Option
from cellway.cli.text import number, titled

if TYPE_CHECKING:
    from cellway.prediction import Theory

OWN_TCP = (
    "a stack drives it, and formulas are of the scenario's TCP; the stack's own counters are its "
    "own"
)
"""Reason why no formula is for a flow of a stack."""

Stacks = Annotated[
    list[str],
    Option(
        "--stack",
        metavar="FLOW[.END]=COMMAND",
        help="Leave a flow, or its end origin or destination, to a program that is a transport "
        "itself; model is the simulator's own TCP on the wire, which the other end has. May be "
        "repeated.",
    ),
]


def stacks_of(given: Sequence[str]) -> dict[str, str] | None:
    """Commands by flow or end, as ``--stack`` names them; `None` without any.

    Raises:
        BadInputError: an option is not FLOW=COMMAND, or names an end twice.
    """
    stacks: dict[str, str] = {}
    for text in given:
        end, equals, command = text.partition("=")
        if not equals or not end or not command.strip():
            raise BadInputError(
                f"--stack {text}: expected FLOW=COMMAND, FLOW.origin=COMMAND or "
                "FLOW.destination=COMMAND"
            )
        if end in stacks:
            raise BadInputError(f"--stack {text}: there is another one at {end}; expected one")
        stacks[end] = command
    return stacks or None


def stack_rows(facts: Mapping[str, Any]) -> list[str]:
    """A table of the stacks of a run, and its trace."""
    rows = [
        {
            "end": end,
            "stack": found["name"],
            "turns": str(found["turns"]),
            "packets sent": str(found["packets_sent"]),
            "received": str(found["packets_received"]),
            "its counters": ", ".join(
                f"{name} {_counter(value)}" for name, value in found["counters"].items()
            )
            or "–",
        }
        for end, found in facts["ends"].items()
    ]
    return [*titled(rows, align="<<"), f"trace {facts['trace']}"]


def _counter(value: float) -> str:
    return str(int(value)) if value == int(value) else number(value)


def foreign(facts: Mapping[str, Any] | None) -> frozenset[str]:
    """Flows whose segments only their stack knows."""
    ends = {} if facts is None else facts["ends"]
    origins = (name for name in ends if name.endswith(".origin"))
    return frozenset(
        name.removesuffix(".origin") for name in origins if ends[name]["name"] != "model"
    )


def without_stacks(theory: "Theory", flows: Collection[str]) -> "Theory":
    """Predictions without those for `flows`, whose TCP is not that of the scenario."""
    from cellway.prediction import Refusal  # noqa: PLC0415 - not for other runs

    places = {f"flow {name}" for name in flows}
    kept = tuple(one for one in theory.predictions if one.of not in places)
    refused = [one for one in theory.refusals if one.of not in places]
    refused += [Refusal(place, OWN_TCP) for place in sorted(places)]
    return replace(theory, predictions=kept, refusals=tuple(refused))
