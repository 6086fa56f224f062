"""Words of a command line and what they become."""

import json
from pathlib import Path
from typing import Annotated, Literal

import pytest

from cellway.cli.arguments import call, parser_of
from cellway.cli.commands import COMMANDS, function_of
from cellway.cli.parameters import Argument, Option, UsageError
from common import text_of
from faults import listed

GIVEN: dict[str, object] = {}


def sample(  # noqa: PLR0913, PLR0917
    file: Annotated[Path, Argument(metavar="FILE", help="A file, 95 % of it.")],
    part: Annotated[str | None, Argument(help="A part.")] = None,
    sets: Annotated[list[str], Option("--set", help="Repeatable.")] = [],  # noqa: B006
    seed: Annotated[int | None, Option(min=0, max=9, help="A number.")] = None,
    colour: Annotated[Literal["red", "blue"] | None, Option(help="A colour.")] = None,
    kind: Annotated[Literal["csv", "txt"], Option("--format", help="A form.")] = "csv",
    start: Annotated[float, Option("--from", help="A time.")] = 0.0,
    as_json: Annotated[bool, Option("--json", help="JSON.")] = False,
) -> None:
    """A sentence."""
    GIVEN.clear()
    GIVEN.update(locals())


def given(*words: str) -> dict[str, object]:
    call("sample", sample, words)
    return {**GIVEN}


DEFAULTS: dict[str, object] = {
    "file": "f",
    "part": None,
    "sets": [],
    "seed": None,
    "colour": None,
    "kind": "csv",
    "start": 0.0,
    "as_json": False,
}


@pytest.mark.parametrize("line", text_of("arguments.txt").splitlines())
def test_words_become_arguments(line: str) -> None:
    words, changed = line.split(" => ")
    found = given(*words.split())
    assert isinstance(found["file"], Path)
    assert found | {"file": str(found["file"])} == DEFAULTS | json.loads(changed)


def test_a_list_is_new_for_every_call() -> None:
    one, other = given("f")["sets"], given("f")["sets"]
    assert one is not other


@pytest.mark.parametrize(("words", "said"), listed("arguments"))
def test_a_mistake_is_said_in_one_line(words: str, said: str) -> None:
    with pytest.raises(UsageError) as refused:
        given(*words.split())
    assert str(refused.value).startswith(said)
    assert str(refused.value).endswith(" (cellway sample --help)")


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help_for_all_that_it_takes(name: str) -> None:
    command = function_of(name)
    text = parser_of(name, command).format_help()
    assert text.startswith(f"usage: cellway {name} ")
    assert " ".join((command.__doc__ or "").split("\n\n")[0].split()) in " ".join(text.split())
    assert text.count("--help") == 2
    assert max(map(len, text.splitlines())) <= 100
