"""`--theory` of `run`, `study` and `reproduce`: predictions beside the numbers that they print."""

import json
from pathlib import Path

import pytest

import cellway as package
from cellway import Scenario, predict
from cellway.prediction import beside_quantity, beside_run
from cellway.runs.quantity import Quantity
from cellway.statistics import Estimate
from common import SHIPPED, Command, shipped, text_of

LOSSY = SHIPPED / "random-loss.toml"

STUDY = text_of("recoveries.toml")


def test_a_run_has_the_ratio_and_what_is_violated(cellway: Command) -> None:
    done = cellway("run", LOSSY, "--theory", "--set", "run.duration=100 s")
    assert done.returncode == 0, done.stderr
    _, _, below = done.stdout.partition("\ntheory\n")
    assert "theory / simulation" in below
    (row,) = (line for line in below.splitlines() if line.startswith("flow f"))
    assert row.rstrip().endswith("PFTK")
    (violated,) = (line for line in below.splitlines() if line.startswith("violated"))
    assert violated.startswith("violated, PFTK: a run has at least 100 losses (flow f: 18.4 in")


def test_json_of_a_run_has_both_and_their_ratio(cellway: Command) -> None:
    done = cellway("run", LOSSY, "--theory", "--json", "--set", "run.duration=100 s")
    said = json.loads(done.stdout)
    (one,) = said["theory"]["numbers"]
    simulated = said["flows"]["f"]["throughput_bits_per_second"]
    assert one["simulated"]["mean"] == simulated
    assert one["ratio"] == pytest.approx(one["predicted"]["value"] / simulated)
    assert one["violated"] == ["a run has at least 100 losses"]
    without = json.loads(cellway("run", LOSSY, "--json", "--set", "run.duration=100 s").stdout)
    assert {key: value for key, value in said.items() if key != "theory"} == without


def test_a_run_of_which_nothing_is_known_says_why(cellway: Command) -> None:
    done = cellway("run", SHIPPED / "lan.toml", "--theory", "--set", "run.duration=2 s")
    assert done.returncode == 0, done.stderr
    assert "\ntheory\nno formula for " in done.stdout


def test_a_study_has_a_formula_for_each_point(cellway: Command, folder: Path) -> None:
    (folder / "mine.toml").write_text(STUDY.replace("random-loss.toml", str(LOSSY)))
    done = cellway("study", "mine.toml", "--theory")
    assert done.returncode == 0, done.stderr
    _, _, below = done.stdout.partition("theory beside means")
    listed = [line for line in below.splitlines() if ": throughput" in line]
    rows = [line for line in listed if not line.startswith("violated")]
    assert [row.split()[-1] for row in rows] == ["PFTK", "root"]
    said = json.loads(cellway("study", "mine.toml", "--theory", "--json").stdout)
    assert [(one["point"], one["response"]) for one in said["theory"]] == [
        (0, "throughput"),
        (1, "throughput"),
    ]
    for one, point in zip(said["theory"], said["points"], strict=True):
        shown = point["responses"]["throughput"]["mean"]
        assert one["simulated"]["mean"] == pytest.approx(1e6 * shown)


def test_a_paper_has_theory_beside_its_rows(cellway: Command) -> None:
    asked = ("reproduce", "magic-1997", "S4-T2-R1", "--quick", "--theory")
    assert "theory" in cellway(*asked).stdout
    (paper,) = json.loads(cellway(*asked, "--json").stdout)["papers"]
    assert all(one["code"] == "S4-T2-R1" for one in paper["theory"])


def test_a_sum_needs_a_prediction_of_every_flow() -> None:
    theory = predict(shipped("random-loss"))
    throughputs = Quantity("flows.*.throughput_bits_per_second", "sum")
    mean = Estimate(4.0, 0.1, 5)
    (one,) = beside_quantity(theory, throughputs, mean, 1e6)
    assert one.simulated == Estimate(4e6, 1e5, 5)
    assert one.ratio == pytest.approx(one.predicted.value / 4e6)
    more = dict(theory.parts) | {"flows": ("f", "another")}
    theory = type(theory)(theory.scenario, theory.predictions, (), more)
    assert beside_quantity(theory, throughputs, mean, 1e6) == ()


def test_numbers_that_a_run_lacks_are_left_out() -> None:
    sets = {"run.duration": "0.2 s", "observe.distributions.ports": []}
    scenario = shipped("poisson-multiplexer", sets)
    names = [one.predicted.name for one in beside_run(predict(scenario), package.run(scenario))]
    assert names == ["utilisation", "mean queue"]


def test_a_shared_line_upstream_is_the_bottleneck_of_both() -> None:
    """Ports behind a trunk that more connections share are not full, whatever their windows."""
    theory = predict(shipped("gfr-dfba"))
    assert {one.of for one in theory.predictions} == {"port first.trunk"}
    behind = [one for one in theory.refusals if one.of.startswith("port second.down")]
    assert len(behind) == 5
    assert all("expected their bottleneck here" in one.reason for one in behind)


def test_a_short_window_waits_for_delayed_acknowledgements() -> None:
    """Seven segments: the last one of a round trip is acknowledged with the next."""
    short = shipped("satellite", {"flow.transfer.tcp.window": "64 KiB"})
    (one,) = predict(short).predictions
    assert "no segment waits for its acknowledgement" in [text.text for text in one.violated]
    every = short.with_set("flow.transfer.tcp.ack", "every_segment")
    (one,) = predict(every).predictions
    assert "no segment waits for its acknowledgement" not in [text.text for text in one.violated]


@pytest.mark.parametrize(
    ("rule", "loss", "delay", "holds"),
    [
        ("reno", 0.01, "5 ms", False),  # 61 % low
        ("reno", 0.003, "5 ms", False),
        ("reno", 0.003, "50 ms", True),
        ("sack", 0.003, "50 ms", True),
        ("sack", 0.05, "50 ms", False),
    ],
)
def test_formulas_at_a_loss_hold_in_their_region(
    rule: str, loss: float, delay: str, *, holds: bool
) -> None:
    """As docs/validity.md has it."""
    sets = {
        "link.there.impairments.loss": loss,
        "link.*.delay": delay,
        "flow.f.tcp.recovery": rule,
    }
    (one,) = predict(shipped("random-loss", sets)).predictions
    assert (not one.violated) == holds


def test_what_a_loss_leaves_is_no_more_than_the_window() -> None:
    """100 segments of 1460 bytes in 100 ms are 11.68 Mbit/s."""
    sets = {
        "link.there.impairments.loss": 0.0001,
        "flow.f.tcp.window": "146000 B",
        "flow.f.tcp.recovery": "sack",
    }
    (one,) = predict(shipped("random-loss", sets)).predictions
    assert 10.2e6 < one.numbers[0].value < 11.68e6


def test_dfba_shares_are_near_a_run() -> None:
    """The formula is for selective acknowledgements; its shares are within 10 % of one run."""
    scenario = shipped("gfr-dfba", {"flow.*.tcp.recovery": "sack"})
    theory = predict(scenario)
    assert not theory.predictions[0].violated
    queue, *shares = beside_run(theory, package.run(scenario))
    assert queue.ratio == pytest.approx(1, abs=0.2)
    assert len(shares) == 5
    assert all(one.ratio == pytest.approx(1, abs=0.1) for one in shares)


@pytest.mark.parametrize(
    ("rule", "scales"),
    [
        ("one", [1.0] * 5),
        ({"constant": 0.5}, [0.5] * 5),
        ("one_minus_share", [14 / 15, 13 / 15, 12 / 15, 11 / 15, 10 / 15]),
        ("one_minus_share_squared", [(k / 15) ** 2 for k in (14, 13, 12, 11, 10)]),
        ("per_vc", [0.9] * 5),
    ],
)
def test_dfba_drops_by_the_scale_of_the_policy(rule: object, scales: list[float]) -> None:
    """Minimum rates of 20 to 100 kcell/s, 300 together: the shares are 1/15 to 5/15."""
    plain = shipped("gfr-dfba", {"vc.*.service.gfr.z": 0.9})
    dfba = {"low": 0.5, "high": 0.8, "alpha": 0.5, "z": rule}
    theory = predict(plain.with_set("switch.*.drop", {"dfba": dfba}))
    same = predict(
        plain.with_sets(
            [("switch.*.drop", {"dfba": dfba | {"z": "per_vc"}})]
            + [(f"vc.mcr-{20 * k}.service.gfr.z", z) for k, z in enumerate(scales, 1)]
        )
    )
    for number, expected in zip(
        theory.predictions[0].numbers, same.predictions[0].numbers, strict=True
    ):
        assert number.value == pytest.approx(expected.value, rel=1e-9)


ABR = text_of("abr.toml")


def test_flows_with_one_prediction_have_paths_of_their_own() -> None:
    found = predict(Scenario.parse(ABR)).predictions
    assert [(one.of, one.numbers[0].path) for one in found] == [
        (f"flow bulk[{k}]", f"flows.bulk[{k}].throughput_bits_per_second") for k in (1, 2, 3)
    ]
    assert len({one.assumptions for one in found}) == 1


@pytest.mark.parametrize(("allocator", "delay"), [("erica", "100 us"), ("erica_plus", "1 ms")])
def test_abr_shares_are_what_erica_gives(allocator: str, delay: str) -> None:
    """ERICA aims at 90 % of the line: that is in the shares, and counts once."""
    scenario = Scenario.parse(ABR).with_sets(
        [("switch.west.rate_allocator", allocator), ("link.trunk.delay", delay)]
    )
    theory = predict(scenario)
    assert {one.model for one in theory.predictions} == {"max-min share of ABR"}
    found = beside_run(theory, package.run(scenario))
    assert len(found) == 3
    assert all(one.ratio == pytest.approx(1, abs=0.01) for one in found)
