"""Study files: what is accepted, and the message, line and column of what is not."""

from itertools import product
from pathlib import Path

import pytest

from cellway.errors import ScenarioError, StudyError
from cellway.scenario.scenario import Scenario
from cellway.statistics import Precision
from cellway.study import Sobol, load_study
from cellway.study.response_names import trial
from common import ROOT, SCENARIOS, SMALL, Command, refused, text_of
from faults import Fault, faults
from study.texts import STUDY


def written(folder: Path, text: str) -> Path:
    (folder / "small.toml").write_text(SMALL)
    file = folder / "window.toml"
    file.write_text(text)
    return file


def test_a_full_factorial_with_a_variant_as_a_level(tmp_path: Path) -> None:
    study = load_study(written(tmp_path, STUDY))
    assert study.count == 2 * 2 * 3
    levels = (("16 KiB", "64 KiB"), ("tail", '{epd = {threshold = "100 cell"}}'))
    points = [condition.parameters for condition in study.conditions()]
    assert points == [{"window": one, "drop": other} for one, other in product(*levels)]
    assert "epd" in study.conditions()[1].scenario(7).to_toml()


def test_a_level_without_a_key_is_a_table_without_it(tmp_path: Path) -> None:
    """The preset of the second level leaves nothing behind in the first."""
    levels = '[{ window = "64 KiB" }, { window = "64 KiB", preset = "linux", ecn = true }]'
    text = STUDY.replace("flow.bulk.tcp.window", "flow.bulk.tcp")
    text = text.replace('["16 KiB", "64 KiB"]', f'{levels}\nlabels = ["own", "linux"]')
    study = load_study(written(tmp_path, text))
    assert [one.parameters["window"] for one in study.conditions()[::2]] == ["own", "linux"]
    alone = [
        Scenario.parse(SMALL.replace('{ window = "128 KiB" }', tcp)).with_sets([("run.seed", 7)])
        for tcp in (levels[1:22], levels[24:-1])
    ]
    made = [one.scenario(7).explain()["flows"] for one in study.conditions()[::2]]
    assert made == [one.explain()["flows"] for one in alone]


def test_ranges_end_where_they_say_and_zips_go_together(tmp_path: Path) -> None:
    study = load_study(written(tmp_path, text_of("ranges.toml")))
    delay, hosts = study.factors
    assert [level.value for level in delay.levels] == ["1 ms", "10 ms", "100 ms"]
    assert [level.value for level in hosts.levels] == ["fast sender", "fast receiver"]
    assert dict(hosts.levels[1].sets) == {
        "host.a.cpu_per_segment": "2 us",
        "host.b.cpu_per_segment": "8 us",
    }
    assert dict(delay.levels[0].sets) == {"link.left.delay": "1 ms", "link.right.delay": "1 ms"}


def test_sampled_designs_and_a_stopping_rule(tmp_path: Path) -> None:
    rule = "replications = { relative_half_width = 0.05, min = 4, max = 40 }"
    design = "design = { sobol = { points = 16 } }"
    text = STUDY.replace("replications = 3", f"{rule}\n{design}")
    study = load_study(written(tmp_path, text))
    assert study.design == Sobol(16)
    assert study.replications == Precision(0.05, min=4, max=40)
    assert study.count == 64


@faults("study")
def test_what_is_wrong_is_said_at_its_place(fault: Fault, tmp_path: Path) -> None:
    file = written(tmp_path, fault.put_into(STUDY))
    with pytest.raises((StudyError, ScenarioError)) as caught:
        load_study(file)
    fault.require(str(caught.value).removeprefix(f"{file}:"))


def test_names_are_checked_whenever_flows_start(cellway: Command, tmp_path: Path) -> None:
    """The starts of this scenario are random over much more than a microsecond."""
    file = tmp_path / "spread.toml"
    file.write_text(f"""\
[study]
scenario = "{ROOT / "scenarios" / "satellite-shared.toml"}"
[response.rate]
quantity = "flows.*.throughputt_bits"
reduce = "sum"
""")
    said = refused(cellway, "study", file, "--out", tmp_path / "kept")
    no_number = "the summary has no number at 'flows.*.throughputt_bits'"
    assert said.startswith(f"{file}:4:12: response `rate`: {no_number}")
    assert not (tmp_path / "kept").exists()


CATALOGUE = sorted((ROOT / "python" / "cellway" / "catalogue").glob("*/*.toml"))
RUNNABLE = [*SCENARIOS, *(file for file in CATALOGUE if "[run]" in file.read_text())]


@pytest.mark.parametrize("file", RUNNABLE, ids=lambda file: f"{file.parent.name}-{file.stem}")
def test_every_scenario_of_ours_has_a_trial(file: Path) -> None:
    assert set(trial(Scenario.load(file)).summary) > {"flows", "ports"}


def test_too_many_runs_are_refused_with_their_number_and_how_to_sample(tmp_path: Path) -> None:
    keys = ["host.a.cpu_per_segment", "host.b.cpu_per_segment", "switch.s.delay"]
    thousand = 'range = { from = "1 us", to = "9 us", steps = 1000 }'
    factors = "".join(
        f'[factor.f{number}]\nkey = "{key}"\n{thousand}\n' for number, key in enumerate(keys)
    )
    file = written(tmp_path, f'[study]\nscenario = "small.toml"\n{factors}')
    with pytest.raises(StudyError, match=r"1000000000 runs .*at most 100000 .*latin_hypercube"):
        load_study(file)


def test_the_combination_that_is_no_scenario_is_named(tmp_path: Path) -> None:
    buffer = '[factor.buffer]\nkey = "switch.s.buffer.per_vc"\nlevels = ["50 cell", "256 cell"]\n'
    text = STUDY.replace("[response", f"{buffer}[response")
    study = load_study(written(tmp_path, text))
    with pytest.raises(StudyError, match=r"window = .*epd.*buffer = 50 cell is no scenario"):
        study.conditions()


def test_a_factor_that_overrides_set_is_said_by_everything_that_reads_the_study(
    tmp_path: Path, cellway: Command
) -> None:
    text = STUDY.replace(
        "[set]",
        '[set]\n"flow.bulk.tcp.window" = "8 KiB"\n"switch.s.drop.epd.threshold" = "9 cell"',
    )
    file = written(tmp_path, text)
    notes = [
        "note: `flow.bulk.tcp.window` of [set] has no effect where factor `window` sets it",
        "note: `switch.s.drop.epd.threshold` of [set] has no effect where factor `drop` sets it",
    ]
    for words in (["explain"], ["validate"], ["study", "--out", tmp_path / "kept"]):
        shown = cellway(*words, file)
        assert shown.returncode == 0, shown.stderr
        assert [line for line in shown.stdout.splitlines() if "[set]" in line] == notes
    assert load_study(written(tmp_path, STUDY)).overridden() == []


def test_every_point_that_is_no_scenario_is_a_fault(cellway: Command, folder: Path) -> None:
    """Two buffers that are no smaller than their thresholds, and one fault was said."""
    (folder / "small.toml").write_text(SMALL)
    (folder / "study.toml").write_text(
        '[study]\nscenario = "small.toml"\n'
        '[factor.size]\nkey = "switch.s.buffer.per_vc"\n'
        'levels = ["256 cell", "100 cell", "50 cell"]\n'
        '[factor.drop]\nkey = "switch.s.drop"\n'
        'levels = ["tail", { epd = { threshold = "200 cell" } }]\n'
    )
    done = cellway("validate", "study.toml")
    assert done.returncode == 2
    lines = done.stderr.splitlines()
    assert len(lines) == 2
    assert ["size = 100 cell" in lines[0], "size = 50 cell" in lines[1]] == [True, True]
