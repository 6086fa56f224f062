"""Measured numbers of papers: what is read and refused, what is kept, and how it is shown."""

from pathlib import Path

import pytest

from cellway import CatalogueError
from cellway.catalogue import load_paper, paper, paper_ids
from cellway.catalogue.measured_text import in_percent, measured_section, measured_senders
from cellway.catalogue.measurements import (
    Measured,
    experiments_of,
    real_seconds,
    scenario_of,
    study_of,
    write_kept,
)
from cellway.study.plan import WAY
from common import PAPER, Command, Make, refused

MEASURED = """\
how = "Linux with Reno's law."
runs = 2

[set]
"run.duration" = "2 s"

[sender.reno]
preset = "linux"
congestion = "reno"

[[measured]]
rows = [["T1-R1"]]
tcp."flow.bulk" = { sender = "reno", window = "32 KiB" }
"""


def files(text: str = MEASURED, kept: str = "") -> dict[str, str]:
    """A paper with `text` as its experiments, and numbers that are kept."""
    found = {**PAPER, "measured.toml": text}
    return {**found, "measured.json": kept} if kept else found


def test_an_experiment_sets_a_sender_on_top_of_the_keys_of_its_row(make: Make) -> None:
    found = load_paper(make(files()))
    (experiment,) = found.measurements.experiments
    assert experiment.rows == ("T1-R1",)
    assert dict(experiment.sets) == {
        "run.duration": "2 s",
        "flow.bulk.tcp": {"preset": "linux", "congestion": "reno", "window": "32 KiB"},
    }
    study = study_of(found.row("T1-R1"), experiment.sets, found.measurements.runs)
    assert [level.value for level in study.factors[0].levels] == ["simulate", "measure"]
    assert study.factors[0].name == WAY
    assert study.min_replications == 2
    assert real_seconds(found, ["T1-R1"], 1) == pytest.approx(2 * 2.3)
    assert real_seconds(found, ["T1-R1"], 2) == pytest.approx(2.3)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('["T1-R1"]', '["T9-R1"]', "no row T9-R1 that is run; one is expected"),
        ('["T1-R1"]', '["T1-R1"], ["T1-R1"]', "T1-R1 is measured already; once is accepted"),
        ('["T1-R1"]', '"T1-R1"', "a list of codes is expected"),
        ('sender = "reno"', 'sender = "tahoe"', "expected one of `reno`"),
        ("runs = 2", "runs = 1", "runs"),
    ],
)
def test_a_fault_of_an_experiment_has_its_place(make: Make, old: str, new: str, said: str) -> None:
    with pytest.raises(CatalogueError, match=r"measured\.toml:\d+:\d+: ") as found:
        load_paper(make(files(MEASURED.replace(old, new, 1))))
    assert said in str(found.value)


def test_rows_that_are_not_measured_are_named(make: Make) -> None:
    with pytest.raises(
        CatalogueError, match="none of these rows is measured; those that are: T1-R1"
    ):
        experiments_of(load_paper(make(files())), ["T2-R1"])


def test_kept_numbers_stand_beside_published_ones(make: Make, tmp_path: Path) -> None:
    one = Measured("0" * 16, "6.18.0", "2026-11-26", (10.0, 12.0), (9.9, 12.1), 1)
    write_kept(tmp_path / "kept.json", {"T1-R1": one})
    found = load_paper(make(files(kept=(tmp_path / "kept.json").read_text())))
    assert found.measurements.of("T1-R1") == one
    assert found.measurements.of("T2-R1") is None
    said, grid = measured_section(found, ["T1-R1", "T2-R1"])
    assert said == "Measured by the TCP of Linux 6.18.0, 2026-11-26:"
    assert measured_senders(found) == ["**Measured rows.** Linux with Reno's law."]
    assert "|T1-R1|" in grid
    assert "|1 of 2|" in grid
    assert "T2-R1" not in grid
    assert one.difference is not None
    assert one.difference.mean == pytest.approx(0.0, abs=1e-12)
    assert in_percent(one.difference) == "+0.0 ± 11.6 %"


def test_numbers_that_are_none_are_refused(make: Make) -> None:
    with pytest.raises(CatalogueError, match=r"measured\.json: no numbers of measurements"):
        load_paper(make(files(kept='{"T1-R1": {"measured": 3}}')))


def test_a_difference_from_nothing_is_none() -> None:
    assert Measured("", "", "", (0.0, 0.0), (1.0, 2.0)).difference is None


@pytest.mark.parametrize("name", paper_ids())
def test_kept_numbers_are_of_the_present_scenarios(name: str) -> None:
    """Another scenario of a row has another number: `tools/measure-catalogue` measures it again."""
    found = paper(name)
    measurements = found.measurements
    for code, one in measurements.kept.items():
        experiment = measurements.experiment(code)
        assert experiment is not None, code
        assert experiment.rows[0] == code
        study = study_of(found.row(code), experiment.sets, measurements.runs)
        assert scenario_of(study) == one.scenario, code
        assert len(one.measured) == len(one.simulated) == measurements.runs, code


def test_rows_without_a_sender_are_one_line(cellway: Command) -> None:
    said = refused(cellway, "reproduce", "magic-1997", "S4-T2", "--measure")
    assert said.startswith("magic-1997: none of these rows is measured; those that are: S4-T3-R1")
