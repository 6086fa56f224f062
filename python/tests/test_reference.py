"""The reference page of the scenario language is what the language says of itself."""

import json
from pathlib import Path

from common import Command

PAGE = Path(__file__).parents[2] / "docs" / "scenario-language.txt"


def test_the_page_is_current(cellway: Command) -> None:
    reported = cellway("schema")
    assert reported.stdout == PAGE.read_text(encoding="utf-8"), "run `make catalogue`"


def test_a_part_of_a_key_leads_to_the_keys_that_end_in_it(cellway: Command) -> None:
    refused = cellway("schema", "service")
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
