"""Study files: what is accepted, and the message, line and column of what is not."""

from pathlib import Path

import pytest

from cellway.errors import ScenarioError, StudyError
from cellway.scenario.scenario import Scenario
from cellway.statistics import Precision
from cellway.study import Sobol, load_study
from cellway.study.response_names import trial
from common import ROOT, SCENARIOS, SMALL, Command
from study.texts import STUDY


def written(folder: Path, text: str) -> Path:
    (folder / "small.toml").write_text(SMALL)
    file = folder / "window.toml"
    file.write_text(text)
    return file


def test_a_full_factorial_with_a_variant_as_a_level(tmp_path: Path) -> None:
    study = load_study(written(tmp_path, STUDY))
    assert study.count == 2 * 2 * 3
    assert [condition.parameters for condition in study.conditions()] == [
        {"window": "16 KiB", "drop": "tail"},
        {"window": "16 KiB", "drop": '{epd = {threshold = "100 cell"}}'},
        {"window": "64 KiB", "drop": "tail"},
        {"window": "64 KiB", "drop": '{epd = {threshold = "100 cell"}}'},
    ]
    assert "epd" in study.conditions()[1].scenario(7).to_toml()


def test_ranges_end_where_they_say_and_zips_go_together(tmp_path: Path) -> None:
    text = """\
[study]
scenario = "small.toml"
[factor.delay]
keys = ["link.left.delay", "link.right.delay"]
log_range = { from = "1 ms", to = "100 ms", steps = 3 }
[factor.hosts]
zip = { "host.a.cpu_per_segment" = ["1 us", "2 us"], "host.b.cpu_per_segment" = ["9 us", "8 us"] }
labels = ["fast sender", "fast receiver"]
"""
    study = load_study(written(tmp_path, text))
    delay, hosts = study.factors
    assert [level.value for level in delay.levels] == ["1 ms", "10 ms", "100 ms"]
    assert [level.value for level in hosts.levels] == ["fast sender", "fast receiver"]
    assert dict(hosts.levels[1].sets) == {
        "host.a.cpu_per_segment": "2 us",
        "host.b.cpu_per_segment": "8 us",
    }
    assert dict(delay.levels[0].sets) == {"link.left.delay": "1 ms", "link.right.delay": "1 ms"}


def test_sampled_designs_and_a_stopping_rule(tmp_path: Path) -> None:
    text = STUDY.replace(
        "replications = 3",
        "replications = { relative_half_width = 0.05, min = 4, max = 40 }\n"
        "design = { sobol = { points = 16 } }",
    )
    study = load_study(written(tmp_path, text))
    assert study.design == Sobol(16)
    assert study.replications == Precision(0.05, min=4, max=40)
    assert study.count == 64


WRONG = {
    "a factor that names no key of the scenario": (
        'key = "flow.bulk.tcp.window"',
        'key = "flow.bulk.tcp.windw"',
        "7:7: flow.bulk.tcp.windw: unknown key",
    ),
    "a level with the wrong unit": (
        '["16 KiB", "64 KiB"]',
        '["16 KiB", "64 ms"]',
        "8:21: flow.bulk.tcp.window=64 ms: ",
    ),
    "an empty design": (
        '["16 KiB", "64 KiB"]',
        "[]",
        "8:10: factor `window` has no levels; an empty design has no runs",
    ),
    "a level that no scenario can have": (
        '["16 KiB", "64 KiB"]',
        '["16 KiB", 1996-10-01]',
        "8:21: a key cannot be set to datetime.date(1996, 10, 1)",
    ),
    "a seed as a factor": (
        'key = "flow.bulk.tcp.window"\nlevels = ["16 KiB", "64 KiB"]',
        'key = "run.seed"\nlevels = [1, 2]',
        "7:7: run.seed: it is the study's to give",
    ),
    "a name that tables need": (
        "[factor.window]",
        "[factor.seed]",
        "1:2: `seed` is a column of every table of runs",
    ),
    "a design that its factors do not fit": (
        "replications = 3",
        'design = { fractional = { generators = ["x = window*drop"] } }',
        "3:10: design fractional: generator of `x`: no such factor",
    ),
    "a level twice": (
        '["16 KiB", "64 KiB"]',
        '["16 KiB", "16 KiB"]',
        "8:21: level '16 KiB' is listed twice",
    ),
    "ten to the ninth runs": (
        "replications = 3",
        "replications = 1000000000",
        "3:16: `replications` is 1000000000; 1 to 100000",
    ),
    "an unknown key": (
        "replications = 3",
        "replicatons = 3",
        "3:1: unknown key `replicatons`; expected one of",
    ),
    "a word for levels that other programs have": (
        'levels = ["16 KiB", "64 KiB"]',
        'geometric = { from = "16 KiB", to = "64 KiB", steps = 3 }',
        "8:1: unknown key `geometric`; did you mean `log_range`?",
    ),
    "a way to levels that is misspelt": (
        'levels = ["16 KiB", "64 KiB"]',
        'levles = ["16 KiB", "64 KiB"]',
        "8:1: unknown key `levles`; did you mean `levels`?",
    ),
    "no way to levels": (
        'levels = ["16 KiB", "64 KiB"]',
        "",
        "6:9: factor `window` has no levels; expected one of `levels`, `range`, `log_range`, `zip`",
    ),
    "a number that is called otherwise": (
        'quantity = "flows.*.throughput_bits_per_second"\nreduce = "sum"\nunit = "Mbit/s"',
        'quantity = "ports.s.right.lost"',
        (
            "13:12: response `throughput`: the summary has no number at 'ports.s.right.lost'; "
            "`ports.s.right` has unit, max_queue, mean_queue, utilisation, sent, drops, vcs; did "
            "you mean `drops.overflow` or `drops.partial_frame`"
        ),
    ),
    "the beginning of a number's name": (
        '"flows.*.throughput_bits_per_second"\nreduce = "sum"\nunit = "Mbit/s"',
        '"flows.bulk.throughput"',
        "13:12: response `throughput`: the summary has no number at 'flows.bulk.throughput'; ",
    ),
    "a design that is misspelt": (
        "replications = 3",
        'design = "two-level"',
        (
            "3:10: `design` is 'two-level'; expected one of `full`, `two_level`, `fractional`, "
            "`latin_hypercube`, `sobol`; did you mean `two_level`?"
        ),
    ),
    "an unknown design": (
        "replications = 3",
        'design = "fully"',
        "3:10: `design` is 'fully'; expected one of `full`, `two_level`",
    ),
    "a design without parameters": (
        "replications = 3",
        'design = "sobol"',
        "3:10: design sobol needs parameters",
    ),
    "a fixed key with a value it cannot take": (
        '"200 ms"',
        '"200 KiB"',
        "5:18: run.duration=200 KiB: ",
    ),
    "no scenario": ('scenario = "small.toml"', "", "1:2: no `scenario`; a text is needed"),
    "a scenario that is not there": (
        "small.toml",
        "large.toml",
        "2:12: scenario 'large.toml' cannot be read: no such file",
    ),
    "a quantity of several flows that is not joined": (
        'reduce = "sum"',
        "",
        "13:12: 'flows.*.throughput_bits_per_second' names",
    ),
    "a fraction of one number": (
        'reduce = "sum"',
        'reduce = "sum"\ntimes = [48]',
        "15:9: `times` is two whole numbers from 1, such as [48, 53] for 48/53",
    ),
    "a quantity that names nothing": (
        "flows.*.throughput",
        "flows.*.speed",
        (
            "13:12: response `throughput`: the summary has no number at "
            "'flows.*.speed_bits_per_second'"
        ),
    ),
    "a unit of another kind than the number": (
        'unit = "Mbit/s"',
        'unit = "ms"',
        (
            "15:8: `unit` is 'ms', and 'flows.*.throughput_bits_per_second' is in bit/s; one of "
            "bit/s, kbit/s, Mbit/s, 1 is expected"
        ),
    ),
    "a queue as a time": (
        'quantity = "flows.*.throughput_bits_per_second"\nreduce = "sum"\nunit = "Mbit/s"',
        'quantity = "ports.s.right.max_queue"\nunit = "ms"',
        "14:8: `unit` is 'ms', and 'ports.s.right.max_queue' is in cell; one of cell, packet, 1",
    ),
    "a quantile of delays as a rate": (
        'quantity = "flows.*.throughput_bits_per_second"\nreduce = "sum"\nunit = "Mbit/s"',
        'quantity = "ports.s.right.delay.p99"\nunit = "Mbit/s"',
        "14:8: `unit` is 'Mbit/s', and 'ports.s.right.delay.p99' is in s; one of s, ms, us, 1",
    ),
    "a fraction of losses as a time": (
        'quantity = "flows.*.throughput_bits_per_second"\nreduce = "sum"\nunit = "Mbit/s"',
        'quantity = "flows.*.loss.fraction"\nreduce = "mean"\nunit = "ms"',
        "15:8: `unit` is 'ms', and 'flows.*.loss.fraction' is in 1; one of 1, %",
    ),
    "a quantity that nothing explains": (
        'quantity = "flows.*.throughput',
        'quantity = "explain:flows.*.throughput',
        "13:12: response `throughput`: the explanation has no number at 'flows.*.throughput_bits",
    ),
    "a series that is not recorded": (
        'quantity = "flows.*.throughput_bits_per_second"\nreduce = "sum"',
        'series = "s.left.length"\nreduce = "max"',
        "13:10: response `throughput`: no series 's.left.length'; recorded: ",
    ),
    "not TOML": ("[study]", "[study", "1:7: not TOML 1.0: "),
    "something compared that does not vary": (
        "replications = 3",
        'compare = "rtt"',
        "1:2: `rtt` is to be compared, but is no factor",
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_is_wrong_is_said_at_its_place(name: str, tmp_path: Path) -> None:
    before, after, said = WRONG[name]
    assert before in STUDY
    file = written(tmp_path, STUDY.replace(before, after, 1))
    with pytest.raises((StudyError, ScenarioError)) as caught:
        load_study(file)
    assert str(caught.value).startswith(f"{file}:{said}"), str(caught.value)
    assert "\n" not in str(caught.value)


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
    refused = cellway("study", str(file), "--out", str(tmp_path / "kept"))
    assert refused.returncode == 2
    assert refused.stderr.startswith(
        f"{file}:4:12: response `rate`: the summary has no number at 'flows.*.throughputt_bits'"
    )
    assert not (tmp_path / "kept").exists()


CATALOGUE = sorted((ROOT / "python" / "cellway" / "catalogue").glob("*/*.toml"))
RUNNABLE = [*SCENARIOS, *(file for file in CATALOGUE if "[run]" in file.read_text())]


@pytest.mark.parametrize("file", RUNNABLE, ids=lambda file: f"{file.parent.name}-{file.stem}")
def test_every_scenario_of_ours_has_a_trial(file: Path) -> None:
    assert set(trial(Scenario.load(file)).summary) > {"flows", "ports"}


def test_too_many_runs_are_refused_with_their_number_and_how_to_sample(tmp_path: Path) -> None:
    factors = "".join(
        (
            f'[factor.f{number}]\nkey = "{key}"\nrange = {{ from = "1 us", to = "9 us", steps = '
            f"1000 }}\n"
        )
        for number, key in enumerate(
            ["host.a.cpu_per_segment", "host.b.cpu_per_segment", "switch.s.delay"]
        )
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
