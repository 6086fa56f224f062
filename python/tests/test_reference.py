"""The reference page of the scenario language is what the language says of itself."""

from pathlib import Path

from common import Command

PAGE = Path(__file__).parents[2] / "docs" / "scenario-language.txt"


def test_the_page_is_current(cellway: Command) -> None:
    reported = cellway("schema")
    assert reported.stdout == PAGE.read_text(encoding="utf-8"), "run `make catalogue`"
