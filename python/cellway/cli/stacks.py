"""Stacks at ends of flows: their option, and a table of what they did."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from cellway.cli.exits import BadInputError
from cellway.cli.parameters import Option
from cellway.cli.text import number, titled

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
