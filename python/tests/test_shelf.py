"""All papers of the shelf keep the rules that no reader can check entry by entry."""

import re
import shlex
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import cellway
from cellway.catalogue import Paper, Row, paper, paper_ids
from cellway.catalogue.figures import OverTime
from cellway.catalogue.published import Derived, Sets
from cellway.catalogue.reason_tests import family
from common import ROOT


def files_in(command: str) -> list[str]:
    """The files and folders that a command names: what has a slash or ends like a file of ours."""
    words = [word for word in shlex.split(command) if "=" not in word and not word.startswith("-")]
    return [word for word in words if "/" in word or Path(word).suffix in {".toml", ".md", ".svg"}]


@pytest.fixture(scope="module", params=paper_ids())
def shelved(request: pytest.FixtureRequest) -> Paper:
    return paper(request.param)


@cache
def _scenario(file: Path) -> cellway.Scenario:
    return cellway.Scenario.load(file)


def run_tables(shelved: Paper) -> dict[str, dict[str, Any]]:
    """What `[run]` says for each row that is run and each study, by their codes."""
    found, resolved = {}, {}
    for row in shelved.rows:
        if row.explained:
            continue
        system = (row.scenario, repr(row.sets))
        if system not in resolved:
            resolved[system] = tomllib.loads(_scenario(row.scenario).with_sets(row.sets).to_toml())[
                "run"
            ]
        found[row.code] = resolved[system]
    for entry in shelved.studies:
        condition, *_ = entry.study.conditions()
        found[entry.code] = tomllib.loads(condition.scenario(1).to_toml())["run"]
    return found


def test_all_runs_of_a_paper_have_one_length_and_at_most_two_warm_ups(shelved: Paper) -> None:
    """A length of its own could make any row agree; a start only divides the run.

    Other literature has a length for each path of a source.
    """
    if shelved.apart:
        _require_a_length_for_each_path(shelved)
        return
    runs = run_tables(shelved)
    lengths: dict[str, list[str]] = {}
    for code, run in runs.items():
        lengths.setdefault(run["duration"], []).append(code)
    assert len(lengths) == 1, lengths
    assert len({run.get("warm_up", "0 s") for run in runs.values()}) <= 2


def _require_a_length_for_each_path(shelved: Paper) -> None:
    runs = run_tables(shelved)
    lengths: dict[tuple[str, str], set[str]] = {}
    for row in shelved.rows:
        if row.published is not None:
            path = repr([(key, to) for key, to in row.sets if key.endswith((".delay", "distance"))])
            lengths.setdefault((row.scenario.name, path), set()).add(repr(runs[row.code]))
    assert all(len(found) == 1 for found in lengths.values()), lengths


def counted(shelved: Paper) -> list[Row | Derived]:
    """The published numbers that are not also elsewhere."""
    return [
        one
        for one in shelved.numbers
        if one.published is not None and (isinstance(one, Derived) or one.repeats is None)
    ]


def test_every_table_with_published_numbers_is_scored(shelved: Paper) -> None:
    """One number alone does not differ from a constant."""
    codes: dict[str, list[str]] = {}
    for number in counted(shelved):
        codes.setdefault(number.table, []).append(number.code)
    tables = {table for table, found in codes.items() if len(found) > 1}
    assert not tables - {score.table for score in shelved.scores}


def test_no_number_is_left_out_of_the_scores(shelved: Paper) -> None:
    """One that fits badly could be: all that a table gives of one quantity is scored."""
    alike: dict[tuple[str, str], list[str]] = {}
    for number in counted(shelved):
        if isinstance(number, Row):
            alike.setdefault((number.table, str(number.quantity)), []).append(number.code)
    scored = {code for score in shelved.scores for code in score.rows}
    assert not {code for codes in alike.values() if len(codes) > 1 for code in codes} - scored


def test_every_command_refers_to_files_and_codes_that_exist(shelved: Paper) -> None:
    for reason in shelved.reasons:
        if reason.run is None:
            continue
        command, verb, *arguments = shlex.split(reason.run)
        assert command == "cellway", reason.run
        for path in files_in(reason.run):
            assert (ROOT / path).exists(), reason.run
        if verb == "reproduce":
            identifier, *tables = [one for one in arguments if not one.startswith("--")]
            for table in tables:
                paper(identifier).select(table)


def test_the_pages_refer_to_files_that_exist() -> None:
    """The committed pages: scenarios in their commands, and links to figures and pages."""
    for page in [ROOT / "REPRODUCED.md", *(ROOT / "docs" / "reproduced").glob("*.md")]:
        text = page.read_text()
        commands = re.findall(r"`(?:uv run |\$ )?(cellway [^`]+)`", text)
        commands += [
            line.strip()
            for line in text.splitlines()
            if line.startswith(("cellway ", "    cellway "))
        ]
        for command in commands:
            for path in files_in(command):
                assert (ROOT / path).exists(), f"{page.name}: {command}"
        for link in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", text):
            assert (page.parent / link).exists(), f"{page.name}: {link}"


def settings(shelved: Paper) -> Iterator[tuple[Path, Sets]]:
    """Runs besides rows and alternatives: tests of reasons, null models and lines of figures."""
    for reason in shelved.reasons:
        codes = (*reason.of, *family(reason, shelved))
        for row in (row for code in codes for row in shelved.rows_of(code)):
            yield row.scenario, (*row.sets, *reason.sets)
    for score in shelved.scores:
        for row in (row for code in score.rows for row in shelved.rows_of(code)):
            yield from (
                (row.scenario, (*row.sets, *null.sets)) for null in score.nulls if null.simulated
            )
    for figure in shelved.figures:
        if isinstance(figure, OverTime):
            yield from ((figure.scenario, line.sets) for line in figure.lines)


def test_every_setting_of_a_test_and_a_figure_makes_a_scenario(shelved: Paper) -> None:
    for scenario, sets in {repr(setting): setting for setting in settings(shelved)}.values():
        _scenario(scenario).with_sets(list(sets))


def test_three_to_five_figures_show_a_paper(shelved: Paper) -> None:
    assert 3 <= len(shelved.figures) <= 5


def test_editions_name_what_they_change_once(shelved: Paper) -> None:
    assert shelved.editions
    for edition in shelved.editions:
        assert len(set(edition.changed)) == len(edition.changed)
