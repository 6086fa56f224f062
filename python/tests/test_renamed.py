"""Names that changed: an old one is refused with the new one, and `cellway migrate` rewrites it."""

import json
from pathlib import Path

import pytest

from cellway import load_study
from cellway.errors import CellwayError, StudyError
from cellway.statistics import Precision
from cellway.text.renamed import changes, fields_now, key_now, rewritten, word_now
from common import SMALL, Command

OLD = """\
[study]
name = "old"
scenario = "small.toml"
replications = { relative_half_width = 0.1, least = 3, most = 9 }  # the least first

[factor.window]
key = "flow.bulk.tcp.window"
levels = ["16 KiB", "32 KiB"]

[response.share]  # a response may be called so
series = "s.right.queue"
reduce = "quantile"
'share' = 0.95

[response.worst]
quantity = "flows.*.throughput_bits_per_second"
reduce = "least"

[response.longest]
quantity = "ports.s.right.delay.largest"
"""
NEW = (
    OLD.replace("least = 3, most = 9", "min = 3, max = 9")
    .replace("'share' =", "'quantile' =")
    .replace('"least"', '"min"')
    .replace("delay.largest", "delay.max")
)


@pytest.fixture
def old(folder: Path) -> Path:
    (folder / "small.toml").write_text(f'{SMALL}distributions = {{ ports = ["s.right"] }}\n')
    (folder / "old.toml").write_text(OLD)
    return folder / "old.toml"


def test_migrate_changes_old_names_and_nothing_else(cellway: Command, old: Path) -> None:
    done = cellway("migrate", "old.toml", "small.toml")
    assert (done.returncode, old.read_text()) == (0, NEW)
    assert done.stdout.splitlines() == [
        "old.toml:4:45: least is min now",
        "old.toml:4:56: most is max now",
        "old.toml:13:1: share is quantile now",
        "old.toml:17:10: least is min now",
        "old.toml:20:12: ports.s.right.delay.largest is ports.s.right.delay.max now",
        "small.toml: nothing to rename",
    ]


def test_what_was_rewritten_is_a_study(cellway: Command, old: Path) -> None:
    cellway("migrate", "old.toml")
    study = load_study(old)
    assert study.replications == Precision(0.1, min=3, max=9)
    assert cellway("validate", "old.toml").returncode == 0


def test_check_changes_nothing_and_fails(cellway: Command, old: Path) -> None:
    assert cellway("migrate", "--check", "old.toml").returncode == 2
    assert old.read_text() == OLD
    assert cellway("migrate", "--check", "small.toml").returncode == 0


def test_a_file_that_is_not_toml_is_not_touched(cellway: Command, old: Path) -> None:
    (old.parent / "broken.toml").write_text("[study\n")
    done = cellway("migrate", "old.toml", "broken.toml")
    assert (done.returncode, old.read_text()) == (2, OLD)
    assert done.stderr.startswith("broken.toml:1:7: not TOML 1.0")


@pytest.mark.parametrize(
    ("kept", "place", "old_name", "new_name"),
    [
        (("least = 3",), "4:45", "least", "min"),
        (("'share'",), "13:1", "share", "quantile"),
        (('"least"',), "17:10", "least", "min"),
        (("delay.largest",), "20:12", "ports.s.right.delay.largest", "ports.s.right.delay.max"),
    ],
)
def test_an_old_name_is_refused_with_the_new_one(
    old: Path, kept: tuple[str], place: str, old_name: str, new_name: str
) -> None:
    """Every name but one is today's."""
    text = NEW.splitlines()
    line = int(place.partition(":")[0]) - 1
    text[line] = OLD.splitlines()[line]
    assert kept[0] in text[line]
    old.write_text("\n".join(text))
    with pytest.raises(StudyError) as refused:
        load_study(old)
    said = str(refused.value)
    assert said.startswith(f"{old}:{place}: ")
    assert said.endswith(
        f"`{old_name}` is called `{new_name}` now, and `cellway migrate` rewrites files"
    )


def test_columns_count_characters_and_texts_keep_their_letters() -> None:
    text = 'reduce = "least"  # größer\n"ü" = { reduce = "largest" }\n'
    assert rewritten(text, changes(text)) == (
        'reduce = "min"  # größer\n"ü" = { reduce = "max" }\n'
    )


def test_names_elsewhere_are_not_old() -> None:
    assert key_now(("study",), "least") is None
    assert key_now(("response",), "share") is None
    assert word_now("unit", "least") is None
    assert word_now("quantity", "flows.delay.rate") is None


def test_a_saved_run_of_before_has_the_fields_of_today(cellway: Command, old: Path) -> None:
    cellway("run", "small.toml", "--out", "kept")
    summary = old.parent / "kept" / "summary.json"
    now = json.loads(summary.read_text())
    port = now["ports"]["s.right"]
    before = json.loads(summary.read_text())
    of_before = before["ports"]["s.right"]
    of_before["delay"]["largest"] = of_before["delay"].pop("max")
    of_before["delay"]["least"] = of_before["delay"].pop("min")
    of_before["queue_distribution"]["largest"] = of_before["queue_distribution"].pop("max")
    assert before != now
    assert fields_now(before) == now
    assert port["delay"]["max"] > port["delay"]["min"] > 0.0


def test_a_text_that_is_not_toml_has_no_names() -> None:
    with pytest.raises((CellwayError, ValueError)):
        changes("[study")
