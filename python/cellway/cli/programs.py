"""Programs at hosts of a measurement: their options, and tables of what they did."""

import shutil
import subprocess
from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from cellway.cli.exits import BadInputError
from cellway.cli.parameters import Option
from cellway.cli.text import megabits, milliseconds, number, titled
from cellway.runs.measured import Program, reached
from cellway.runs.stack_ends import words_of
from cellway.scenario.scenario import Scenario

OF_SHELL = frozenset("|&;<>()$`*?\n")
"""Characters of a command that a shell has to read."""
Programs = Annotated[
    list[tuple[str, str]],
    Option(
        "--exec",
        metavar="HOST COMMAND",
        help="Run a program at a host of the scenario until the measurement ends; flows with tcp "
        "that start or end there carry what it sends. May be repeated: each starts once the one "
        "before it has a socket, has ended, or is a second old.",
    ),
]
LeftTo = Annotated[
    list[str],
    Option(
        "--flow",
        metavar="FLOW",
        help="Leave only this flow to programs; others at their hosts keep their traffic. May be "
        "repeated.",
    ),
]


def programs_of(given: Sequence[tuple[str, str]]) -> list[Program]:
    """The programs that ``--exec`` names.

    Raises:
        BadInputError: a command cannot be read, or its program is not there.
    """
    return [Program(host, _words(f"--exec {host}", command)) for host, command in given]


def split_command(option: str, command: str) -> list[str]:
    """Words of a command as a shell splits them.

    Raises:
        BadInputError: a quotation does not end, or there is no word.
    """
    try:
        words = words_of(command)
    except ValueError as error:
        raise BadInputError(
            f"{option} {command}: {str(error).lower()}; expected a command"
        ) from None
    if not words:
        raise BadInputError(f"{option}: an empty command; expected a program and its arguments")
    return words


def _words(option: str, command: str) -> list[str]:
    """Words of a command; a shell gets one that it has to read."""
    words = split_command(option, command)
    if not OF_SHELL & set(command):
        require_program(option, words[0])
        return words
    look = [
        "sh",
        "-c",
        'command -v -- "$1" >/dev/null || case $1 in *=*|"("*|"{") ;; *) false; esac',
    ]
    if subprocess.run([*look, "sh", words[0].rstrip(";&")], check=False).returncode:  # noqa: S603
        raise _not_there(option, words[0])
    return ["sh", "-c", command]


def require_program(option: str, program: str) -> None:
    """Refuses a program that cannot be started.

    Raises:
        BadInputError: it is not there.
    """
    if shutil.which(program) is None:
        raise _not_there(option, program)


def _not_there(option: str, program: str) -> BadInputError:
    return BadInputError(f"{option} {program}: no such program; expected one that can be started")


def names(scenario: Scenario, programs: Sequence[Program], flows: Sequence[str]) -> list[str]:
    """Tables of the names by which programs reach other hosts, with an empty line behind each."""
    lines: list[str] = []
    for host in dict.fromkeys(program.host for program in programs):
        rows = [
            {f"reached from {host}": " ".join(known), "address": address, "flow": flow}
            for address, known, flow in reached(scenario, programs, flows, host)
        ]
        lines += [*titled(rows, align="<<<"), ""]
    return lines


def of_left(facts: Mapping[str, Any]) -> list[str]:
    """A table of the flows that were left to programs, with an empty line behind it."""
    rows = [
        {
            "left to programs": name,
            "from": way["from"],
            "to": way["to"],
            "packets": str(way["sent"]),
            "lost": str(sum(way["lost"].values())),
            "Mbit/s of packets": megabits(way["packet_bits_per_second"]),
            "delay ms": milliseconds(way["delay"].get("p50")),
            "p99": milliseconds(way["delay"].get("p99")),
            "max": milliseconds(way["delay"].get("max")),
        }
        for name, flow in facts.get("left", {}).items()
        for way in (flow["there"], flow["back"])
    ]
    return [*titled(rows, align="<<<"), ""] if rows else []


def of_programs(facts: Mapping[str, Any]) -> list[str]:
    """A table of the programs, with an empty line behind it."""
    rows = [
        {
            "program": program["command"].splitlines()[0],
            "at": program["host"],
            "start s": number(program["started_s"]),
            "end s": number(program["ended_s"]),
            "exit code": "–" if program["code"] is None else str(program["code"]),
        }
        for program in facts.get("programs", [])
    ]
    return [*titled(rows, align="<<"), ""] if rows else []
