"""The study.toml of a folder of results: reading it gives the study that was run."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from cellway import Scenario, StoreError, Study, StudyError, load_study
from cellway.runs.quantity import Quantity
from cellway.statistics import Precision
from cellway.study import Factor, LatinHypercube, Reduction, Response, Span
from cellway.study.frozen import freeze
from common import SMALL

DELAY = "link.left.delay"
WINDOW = "flow.bulk.tcp.window"
PORT = Quantity("ports.s.right.sent")


def study(**changes: object) -> Study:
    base = Study(Scenario.parse(SMALL), {WINDOW: ["32 KiB", "64 KiB"]})
    return base.replaced(**changes)


def read_back(made: Study, folder: Path) -> Study:
    freeze(made, folder)
    return load_study(folder / "study.toml")


def values(one: Study) -> list[dict[str, object]]:
    return [dict(condition.parameters) for condition in one.conditions()]


def hashes(one: Study) -> list[str]:
    return [condition.scenario_hash for condition in one.conditions()]


def span(low: float, high: float, unit: str, steps: int, *, whole: bool = False) -> Factor:
    return Factor.spanning("f", [DELAY], Span(low, high, unit, whole=whole), steps)


FACTORS = {
    "ends of more than six digits": span(1.234567891, 9.87654321, "ms", 3),
    "whole ends of more than six digits": span(1234567, 87654321, "ns", 3),
    "whole-number steps that fall together": span(1, 3, "ms", 9, whole=True),
    "a zip called by numbers": Factor.zipped(
        "f", {"flow.bulk.count": [1, 2], DELAY: ["1 ms", "2 ms"]}
    ),
    "a zip called by variants": Factor.zipped(
        "f",
        {"switch.s.drop": ["tail", {"epd": {"threshold": "100 cell"}}], DELAY: ["1 ms", "2 ms"]},
    ),
    "a zip called by labels": Factor.zipped("f", {DELAY: ["1 ms", "2 ms"]}, ["near", "far"]),
    "a zip one of whose keys has a value twice": Factor.zipped(
        "f", {DELAY: ["1 ms", "2 ms", "3 ms"], "link.right.delay": ["5 ms", "5 ms", "1 ms"]}
    ),
    "a zip called by labels because its first key has a value twice": Factor.zipped(
        "f", {DELAY: ["1 ms", "1 ms"], "link.right.delay": ["5 ms", "1 ms"]}, ["far", "near"]
    ),
    "a name beyond the sixteen bits of JSON's escapes": Factor.of("𝜏", [DELAY], ["1 ms", "2 ms"]),
}


@pytest.mark.parametrize("name", FACTORS)
def test_factors_come_back(name: str, tmp_path: Path) -> None:
    made = study(factors=[FACTORS[name]])
    again = read_back(made, tmp_path)
    levels, expected = (
        [[level.value for level in factor.levels] for factor in one.factors]
        for one in (again, made)
    )
    assert levels == expected
    assert values(again) == values(made)
    assert hashes(again) == hashes(made)


@pytest.mark.parametrize(
    "factor",
    [
        span(1.23456789, 9.87654321, "ms", 2),
        span(1, 3, "ms", 9, whole=True),
        span(1.5, 3.5, "ms", 2, whole=True),
        span(1.0, 1.0000001, "s", 2),
    ],
)
def test_samples_of_a_span_come_back(factor: Factor, tmp_path: Path) -> None:
    made = study(factors=[factor], design=LatinHypercube(8))
    again = read_back(made, tmp_path)
    assert again.factors[0].span == factor.span
    assert values(again) == values(made)


RESPONSES: dict[str, Sequence[Response]] = {
    "times below a tenth of a millisecond": [
        Response("x", Reduction("s.right.queue", "max", start=1e-5, end=9.000000000001e-5), "cell")
    ],
    "a unit of one's own": [
        Response("x", PORT, "octet"),
        Response("y", Reduction("s.left.queue", "max"), "octet"),
    ],
    "a fraction of a number": [Response("x", Quantity("ports.s.right.sent", times=(48, 53)))],
}


@pytest.mark.parametrize("name", RESPONSES)
def test_responses_come_back(name: str, tmp_path: Path) -> None:
    made = study(responses=RESPONSES[name])
    assert read_back(made, tmp_path).responses == made.responses


def test_a_stopping_rule_comes_back_with_its_confidence(tmp_path: Path) -> None:
    rule = Precision(0.1, 3, 7, confidence=0.9)
    assert read_back(study(replications=rule), tmp_path).replications == rule


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        ("confidence = 0.95", "confidence = 95", "confidence 95.0 is out of range"),
        ('unit = "cell"', 'unit = { name = "ms" }', "converted to ms; `unit` = 'ms' is expected"),
        ('unit = "cell"', 'unit = "octet"', "`unit` is 'octet'; expected one of `1`, `%`, `bit/s`"),
    ],
)
def test_what_cannot_be_read_is_said(before: str, after: str, said: str, tmp_path: Path) -> None:
    freeze(study(replications=Precision(0.1), responses=[Response("x", PORT, "cell")]), tmp_path)
    file = tmp_path / "study.toml"
    assert before in file.read_text()
    file.write_text(file.read_text().replace(before, after))
    with pytest.raises(StudyError) as refused:
        load_study(file)
    assert said in str(refused.value)


def test_a_range_begins_and_ends_where_it_says() -> None:
    """Values between its ends are rounded to six digits, the ends are not."""
    levels = [level.value for level in span(1234567, 3234567, "ns", 3).levels]
    assert levels == ["1234567 ns", "2234570 ns", "3234567 ns"]


def test_times_that_differ_in_the_seventh_digit_are_different_responses() -> None:
    """A number is stored under its definition: one must not pass for the other."""
    one, other = (str(Reduction("q", "max", start=start)) for start in (1.2345678, 1.2345679))
    assert one != other
    quantile = str(Reduction("q", "quantile", 0.5, 9.0, 0.95))
    assert quantile == "quantile of q at 0.95 from 0.5 s to 9 s"


def test_a_changed_scenario_with_several_faults_is_told_in_one_line(tmp_path: Path) -> None:
    """A study's text in the place of its scenario has a fault in each section."""
    freeze(study(), tmp_path)
    (tmp_path / "scenario.toml").write_bytes((tmp_path / "study.toml").read_bytes())
    with pytest.raises(StoreError, match=r"scenario\.toml of this folder changed") as told:
        load_study(tmp_path / "study.toml")
    assert len(str(told.value).splitlines()) == 1
