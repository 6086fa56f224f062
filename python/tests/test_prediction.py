"""`cellway theory` and `cellway compare SCENARIO`: which formula a scenario fits, and how well."""

import json
import re
import shlex
from pathlib import Path
from typing import Any

import pytest

import cellway as package
from cellway import Scenario, predict
from cellway.prediction import Compared, Predicted, Prediction, beside_runs
from cellway.statistics import Estimate, estimate
from common import SHIPPED, Command, shipped, shows_colour, text_of


def multiplexer(
    count: int, traffic: dict[str, Any], access: str, trunk: str, seconds: float
) -> Scenario:
    """Equal sources, each on an access line of its own, before one trunk."""
    text = text_of("multiplexer.toml").replace("count = 20", f"count = {count}")
    return Scenario.parse(text).with_sets(
        [
            ("run.duration", f"{seconds} s"),
            ("flow.cells.traffic", traffic),
            ("link.access.rate", access),
            ("link.trunk.rate", trunk),
        ]
    )


POISSON = multiplexer(20, {"poisson": {"rate": "3200 cell/s"}}, "OC-12c", "E3", 1.1)
BURSTS = {"rate": "4 Mbit/s of cell", "on": "50 ms", "off": "125 ms"}
ON_OFF = multiplexer(10, {"exponential_on_off": BURSTS}, "OC-3c", "18 Mbit/s of cell", 30.1)
CONSTANT = shipped("constant-rate", {"run.duration": "20 ms", "run.warm_up": "10 ms"})


def only(scenario: Scenario) -> Prediction:
    (found,) = predict(scenario).predictions
    return found


@pytest.mark.parametrize(
    ("scenario", "model", "runs"),
    [
        (POISSON, "M/D/1", 6),
        (ON_OFF, "on-off sources as a fluid", 24),
        (CONSTANT, "N·D/D/1", 40),
    ],
    ids=["M/D/1", "fluid", "N·D/D/1"],
)
def test_queues_are_within_the_intervals_of_runs(scenario: Scenario, model: str, runs: int) -> None:
    theory = predict(scenario)
    compared = beside_runs(scenario, theory, runs)
    assert {one.prediction.model for one in compared} == {model}
    assert len(compared) >= 3
    assert not only(scenario).violated
    for one in compared:
        assert one.simulated
        assert one.is_within or one.difference == pytest.approx(0, abs=1e-3), one


def test_access_lines_as_fast_as_the_port_share_the_waiting() -> None:
    """0.75 (1 + 1.5 - 1/6) cells: 1.5 of M/D/1 at 0.75, a sixth of it at 0.25 before."""
    equal = multiplexer(3, {"poisson": {"rate": "20 kcell/s"}}, "E3", "E3", 1.1)
    assert only(equal).model == "M/D/1 behind access lines"
    assert not only(equal).violated
    numbers = {one.predicted.name: one for one in beside_runs(equal, predict(equal), 4)}
    assert numbers["mean queue"].predicted.value == pytest.approx(1.75)
    assert numbers["mean queue"].is_within
    assert numbers["mean delay at the port"].is_within


def test_a_somewhat_faster_access_line_violates_what_m_d_1_assumes() -> None:
    slow = multiplexer(3, {"poisson": {"rate": "20 kcell/s"}}, "DS-3-direct", "E3", 1.1)
    (violated,) = only(slow).violated
    assert violated.why == "the slowest is 1.3 times as fast"
    mean_queue = beside_runs(slow, predict(slow), 4)[1]
    assert mean_queue.is_within is False
    assert mean_queue.difference
    assert mean_queue.difference > 0.02


def test_a_small_buffer_has_the_loss_of_m_d_1_k() -> None:
    scenario = POISSON.with_set("switch.multiplexer.buffer.per_port", "6 cell")
    found = only(scenario)
    assert [one.text for one in found.violated] == ["the buffer is never full"]
    (loss,) = (one.value for one in found.numbers if one.name == "loss")
    found_loss = estimate([_lost(scenario.with_set("run.seed", seed)) for seed in range(1, 9)])
    assert found_loss.interval
    assert found_loss.interval[0] < loss < found_loss.interval[1]


def _lost(scenario: Scenario) -> float:
    port = package.run(scenario).ports["multiplexer.trunk"]
    lost: int = port["drops"]["overflow"]
    return float(lost / (lost + port["sent"]))


@pytest.mark.parametrize("line", text_of("recognised.txt").splitlines())
def test_scenarios_are_recognised(line: str) -> None:
    words, model = line.split(" => ")
    name, *sets = shlex.split(words)
    assert only(shipped(name, dict(one.split("=") for one in sets))).model == model


@pytest.mark.parametrize("rto", [{"span": "400 ms"}, {"round_trips": 4}])
def test_a_fixed_timeout_is_the_first_of_a_row(rto: dict[str, object]) -> None:
    """It was asked for its minimum, and has none: a KeyError. A round trip is 100 ms and 12 us."""
    lossy = shipped("random-loss")
    fixed, fine = (
        only(lossy.with_set("flow.f.tcp.timers", timers)).numbers[0].value
        for timers in ({"fixed": {"rto": rto}}, {"fine": {"min_rto": "400 ms"}})
    )
    assert fixed == pytest.approx(fine, rel=1e-3)


@pytest.mark.parametrize(
    ("buffer", "rule"), [("10 packet", "sack"), ("25 packet", "sack"), ("25 packet", "reno")]
)
def test_lakshman_and_madhow_is_near_runs(buffer: str, rule: str) -> None:
    sets = {"switch.router.buffer.per_port": buffer, "flow.download.tcp.recovery": rule}
    scenario = shipped("packet-router", {**sets, "run.duration": "60 s", "run.warm_up": "10 s"})
    (throughput, *_) = beside_runs(scenario, predict(scenario), 2)
    assert throughput.prediction.model.startswith("Lakshman")
    assert throughput.difference == pytest.approx(0, abs=0.05)


def test_a_window_per_round_trip_is_what_runs_have() -> None:
    scenario = shipped("satellite", {"run.warm_up": "10 s"})
    (throughput, *_) = beside_runs(scenario, predict(scenario), 2)
    assert throughput.difference == pytest.approx(0, abs=0.005)


def together(count: int, window: str, buffer: int) -> Scenario:
    """Greedy TCPs of one round trip before a line of 20 Mbit/s."""
    text = text_of("together.toml").replace("count = 4", f"count = {count}")
    buffers = ("switch.router.buffer.per_port", f"{buffer} packet")
    return Scenario.parse(text).with_sets([buffers, ("flow.f.tcp.window", window)])


def test_windows_that_path_and_buffer_contain_wait_at_the_port() -> None:
    """4 · 44 segments of 1460 bytes over 50.2 ms and 20 Mbit/s: half of them wait."""
    found = only(together(4, "64 KiB", 200))
    assert found.model == "windows that the path and the buffer contain"
    for one in beside_runs(together(4, "64 KiB", 200), predict(together(4, "64 KiB", 200)), 2):
        assert one.difference == pytest.approx(0, abs=1e-3)


@pytest.mark.parametrize(("count", "buffer"), [(2, 40), (2, 120), (10, 120)])
def test_windows_that_are_halved_use_what_lakshman_and_madhow_say(count: int, buffer: int) -> None:
    """Small segments: the formula halves windows, TCP the whole segments in flight."""
    scenario = together(count, "1 MiB", buffer).with_set("flow.f.tcp.mtu", "750 B")
    (used,) = beside_runs(scenario, predict(scenario), 2)
    assert used.prediction.model == "windows halved by a full buffer"
    assert used.difference == pytest.approx(0, abs=0.005)


def test_shared_windows_without_a_whole_segment_are_refused() -> None:
    """They were an error of the formula, which ended `theory` for all other parts, too."""
    (reason,) = {one.reason for one in predict(together(4, "1 kB", 200)).refusals[:1]}
    assert reason == "windows have no whole segment; expected one"


def test_a_scheduler_is_named_by_its_word() -> None:
    drr = POISSON.with_set("switch.multiplexer.scheduler", {"drr": {"quantum": "500 B"}})
    assert "drr, tail" in [one.why for one in only(drr).violated]


def test_what_no_formula_knows_is_an_error_with_the_reason(cellway: Command) -> None:
    done = cellway("theory", SHIPPED / "lan.toml")
    assert done.returncode == 2
    assert "lan.toml: no formula applies: port floor.rack: path is 1.2" in done.stderr
    assert re.search(r"lan\.toml: no formula applies: flow copy\[1\.\.\d+\]: it sh", done.stderr)
    for command in ("theory", "compare"):
        lines = cellway(command, SHIPPED / "mixed.toml").stderr.splitlines()
        assert len(lines) > 1
        assert all(": no formula applies: " in line for line in lines)
        assert not any(" more)" in line for line in lines)
    done = cellway("compare", SHIPPED / "studies" / "window.toml")
    assert done.returncode == 2
    assert "window.toml: a study; expected a scenario" in done.stderr


def test_a_line_whose_rate_varies_is_refused(cellway: Command) -> None:
    done = cellway("theory", SHIPPED / "cellular.toml")
    assert done.returncode == 2
    assert "varies as mahimahi; expected a constant one, or two_state" in done.stderr


def test_the_renewal_model_refuses_what_is_outside_it(cellway: Command) -> None:
    """ψ of a half: 100 ms at the low rate over a round trip of 200 ms."""
    fast = ("--set", 'link.bottleneck.capacity.two_state.mean_low="100 ms"')
    done = cellway("theory", SHIPPED / "instcap.toml", *fast)
    assert done.returncode == 2
    assert "low_lasts is 0.5 round trips; expected more than 1: the model lets" in done.stderr


def test_the_renewal_model_names_what_a_scenario_violates() -> None:
    found = only(shipped("stochastic-capacity"))
    violated = {one.text: one.why for one in found.violated}
    assert violated["the rate changes at multiples of the round trip"] == "in slots of 30 ms"
    assert violated["a loss is repaired by a timeout and slow start"] == "recovery is reno"
    (slow_start,) = (why for why in violated.values() if "B/(Δ/r0 + 1)" in why)
    assert slow_start.startswith("B/(Δ/r0 + 1) is 0.244, below 1/3")


def test_the_commands_print_text_and_json(cellway: Command) -> None:
    done = cellway("theory", SHIPPED / "constant-rate.toml")
    assert "port multiplexer.trunk: N·D/D/1" in done.stdout
    assert "holds      lines lose nothing" in done.stdout
    data = json.loads(cellway("theory", SHIPPED / "random-loss.toml", "--json").stdout)
    assert data["predictions"][0]["model"] == "PFTK"
    short = ("--set", "run.duration=20 ms", "--runs", "2")
    done = cellway("compare", SHIPPED / "constant-rate.toml", *short)
    assert "mean of 2 runs" in done.stdout
    data = json.loads(cellway("compare", SHIPPED / "constant-rate.toml", *short, "--json").stdout)
    assert data["numbers"][0]["predicted"]["path"] == "ports.multiplexer.trunk.utilisation"


def test_a_study_is_swept_without_a_run(cellway: Command, folder: Path) -> None:
    study = SHIPPED / "studies" / "renewal-instcap.toml"
    done = cellway("theory", study, "--plot", "sweep.png")
    assert done.returncode == 0, done.stderr
    assert "9 points have no formula" in done.stdout  # ψ of at most 1
    assert shows_colour(folder / "sweep.png")
    points = json.loads(cellway("theory", study, "--json").stdout)["points"]
    assert [len(point["predictions"]) for point in points] == [0] * 9 + [1] * 18
    assert "psi" in points[0]["levels"]
    refused = cellway("theory", SHIPPED / "instcap.toml", "--plot", "one.png")
    assert "--plot one.png: expected a study, not a scenario" in refused.stderr
    for name, ending in (("one.txt", "unknown ending .txt"), ("one", "no ending")):
        refused = cellway("theory", study, "--plot", name)
        assert refused.returncode == 2
        assert refused.stderr == f"--plot {name}: {ending}; expected one of .png, .svg, .pdf\n"


def test_two_studies_take_no_runs(cellway: Command) -> None:
    done = cellway("compare", SHIPPED, SHIPPED, "--runs", "3")
    assert done.returncode == 2
    assert "--runs: expected a scenario, not two studies" in done.stderr
    done = cellway("compare", SHIPPED)
    assert "a single folder; expected a second one, or a scenario file" in done.stderr


def test_the_renewal_model_judges_each_assumption_once() -> None:
    """Rate changes and recovery are judged by the scenario alone."""
    for file in ("instcap", "stochastic-capacity"):
        found = only(shipped(file))
        texts = [one.text for one in found.assumptions]
        assert not any("only at multiples of the round trip" in text for text in texts)
        assert not any("no fast retransmit" in text for text in texts)
        greedy = next(one for one in found.assumptions if "one long-lived" in one.text)
        assert greedy.holds is None


def test_an_interval_that_is_wide_beside_the_mean_decides_nothing() -> None:
    prediction = only(shipped("random-loss"))
    number = Predicted("throughput", 150e6, "bit/s")
    wide = Compared(prediction, number, Estimate(140e6, 73e6, 5))
    assert wide.is_wide
    assert wide.is_within is None
    narrow = Compared(prediction, number, Estimate(140e6, 20e6, 5))
    assert narrow.is_within
