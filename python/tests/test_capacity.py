"""Rates of a link as files, and the files as rates of a link."""

from pathlib import Path

import pytest

import cellway as package
from cellway.scenario.capacity import FORMATS, CapacityPath
from common import ROOT, Command, known, refused, text_of

PATH = text_of("varying.toml")


def _path(capacity: str, duration: str = "10 ms", folder: Path = Path()) -> CapacityPath:
    text = PATH.replace("steps.rates = []", capacity).replace("10 ms", duration)
    return known(package.Scenario.parse(text, str(folder / "line.toml")).capacity("line"))


def test_a_list_is_written_as_it_was_read(tmp_path: Path) -> None:
    two_state = (
        'two_state = { high = "9 Mbit/s of line", low = "0 bit/s of line", mean_high = "3 ms", '
        'mean_low = "1 ms" }'
    )
    path = _path(two_state, "100 ms")
    assert len(path.times) > 10
    (tmp_path / "path.csv").write_text(path.text("csv"))
    again = _path(
        'steps = { rates = { file = "path.csv" }, period = "100 ms" }', "100 ms", tmp_path
    )
    assert again == path


def test_a_trace_is_written_as_it_was_read(tmp_path: Path) -> None:
    trace = "1\n1\n3\n4\n8\n10\n"
    (tmp_path / "a.trace").write_text(trace)
    path = _path('mahimahi = { opportunities = { file = "a.trace" } }', "20 ms", tmp_path)
    # It repeats after 10 ms.
    twice = trace + "11\n11\n13\n14\n18\n20\n"
    assert path.text("mahimahi") == twice


def test_a_rate_is_an_opportunity_at_the_end_of_each_packet() -> None:
    # 1.5 ms a packet, and none from 4 ms to 6 ms: 3 ms of each 10 ms are left of the third.
    steps = (
        'steps.rates = [["0 s", "8 Mbit/s of line"], ["4 ms", "0 bit/s of line"], '
        '["6 ms", "8 Mbit/s of line"]]'
    )
    assert _path(steps).text("mahimahi") == "2\n3\n7\n8\n10\n"


def test_a_path_without_a_packet_is_no_trace() -> None:
    path = CapacityPath([0], [1000], 10**9, "line")
    with pytest.raises(ValueError, match="not one packet"):
        path.text("mahimahi")


SCENARIO = ROOT / "scenarios/stochastic-capacity.toml"


@pytest.mark.parametrize("kind", FORMATS)
def test_the_command_writes_what_the_path_has(kind: str, cellway: Command, folder: Path) -> None:
    asked = ("--link", "bottleneck", "--format", kind, "--to", "path")
    assert cellway("capacity", SCENARIO, *asked).stdout.startswith("written to path")
    path = known(package.Scenario.load(SCENARIO).capacity("bottleneck"))
    assert (folder / "path").read_text() == path.text(kind)  # type: ignore[arg-type]


def test_a_link_of_one_rate_has_no_path(cellway: Command) -> None:
    said = refused(cellway, "capacity", SCENARIO, "--link", "access")
    assert "no link of this name varies; expected one of bottleneck" in said
