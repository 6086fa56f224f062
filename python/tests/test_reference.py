"""The reference page of the scenario language is what the language says of itself."""

import json
from pathlib import Path

from common import Command

PAGE = Path(__file__).parents[2] / "docs" / "scenario-language.txt"


def test_the_page_is_current(cellway: Command) -> None:
    reported = cellway("schema")
    assert reported.stdout == PAGE.read_text(encoding="utf-8"), "run `make catalogue`"


def test_a_word_finds_keys_and_numbers_by_name_and_by_meaning(cellway: Command) -> None:
    found = cellway("schema", "loss")
    assert (found.returncode, found.stderr) == (0, "")
    lines = found.stdout.splitlines()
    assert "  link" in lines
    assert any(line.startswith("    link.NAME.impairments.loss  ") for line in lines)
    assert any("; all of one: cellway schema --results " in line for line in lines)
    # Words of the meaning, and words of the path, which has underscores.
    number = "    explain:flows.NAME.tcp.timeout_seconds"
    for word in ("round trip", "Round-Trip", "timeout seconds"):
        assert number in cellway("schema", word).stdout


def test_a_word_that_nothing_has_is_refused(cellway: Command) -> None:
    refused = cellway("schema", "flwo")
    assert refused.returncode == 2
    assert "flwo: no key begins with this" in refused.stderr


def test_a_word_finds_numbers_alone(cellway: Command) -> None:
    found = cellway("schema", "--results", "round trip").stdout
    assert "explain:flows.NAME.tcp.timeout_seconds" in found
    assert "flow.NAME.tcp.window" not in found
    assert cellway("schema", "--results", "flwo").returncode == 2


def test_a_word_is_no_key_for_json(cellway: Command) -> None:
    refused = cellway("schema", "service", "--json")
    assert (
        "service: no key begins with this; did you mean vc.NAME.service or flow.NAME.service?"
        in refused.stderr
    )
    assert "observe" not in refused.stderr


def test_numbers_of_results_have_their_meaning(cellway: Command) -> None:
    listed = cellway("schema", "--results", "ports").stdout
    assert "ports.NAME.utilisation  1\n    Fraction of " in listed


def test_numbers_of_the_explanation_are_listed_as_studies_name_them(cellway: Command) -> None:
    found = json.loads(cellway("schema", "--results", "explain:flows", "--json").stdout)
    units = {number["number"]: number["unit"] for number in found["numbers"]}
    assert units["explain:flows.NAME.tcp.unloaded_rtt_seconds"] == "s"
    assert units["explain:flows.NAME.bottleneck.bits_per_second"] == "bit/s"
    assert units["explain:flows.NAME.abr.ceiling.factors.NAME.value"] == ""
