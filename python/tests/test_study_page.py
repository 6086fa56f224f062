"""Pictures of studies in reports: the numbers of the study, in Chromium and without scripts."""

import re
from collections.abc import Sequence
from pathlib import Path

import pytest

from accessibility import findings
from browser import BELOW, COLOURED, DRAWN, FAINT, FOCUSED, Tab
from cellway import Study, load_study
from cellway.cli.report_study import results_page
from cellway.cli.study_in_short import in_short
from cellway.cli.study_pictures import study_dots, study_effects, study_panels
from cellway.plot.study_choice import Choice
from cellway.report import html
from cellway.report.blocks import Code, Dot, Dots
from cellway.report.dot_rows import dot_rows
from cellway.runs.quantity import Quantity
from cellway.statistics import Estimate
from cellway.study import Factor, Response, Results
from cellway.study.design import Design, TwoLevel
from cellway.study.frozen import study_toml
from cellway.text.opening import opening
from common import SHIPPED, shipped

ALL = Choice()
STUDIES = sorted((SHIPPED / "studies").glob("*.toml"))
WILD = "<img src=x onerror=alert(1)>"
GOODPUT = Response("goodput", Quantity("flows.far[*].throughput_bits_per_second", "sum"), "Mbit/s")
QUEUE = Response("queue", Quantity("ports.router.line.mean_queue"), "packet")
RATE = Factor.of(
    "rate", ["link.line.rate"], ["5 Mbit/s of line", "10 Mbit/s of line", "20 Mbit/s of line"]
)
POLICY = Factor.of("policy", ["switch.router.drop"], ["tail", "fq_codel"], ["tail", WILD])


def done(factors: list[Factor], design: Design | None = None, replications: int = 3) -> Results:
    base = shipped("access-queue", {"run.duration": "3 s", "run.warm_up": "1 s"})
    given = Study(
        base,
        factors,
        responses=[GOODPUT, QUEUE],
        replications=replications,
        name=WILD,
        design=design or Design(),
    )
    return given.run()


@pytest.fixture(scope="module")
def over_rates() -> Results:
    return done([RATE, POLICY])


@pytest.fixture(scope="module")
def over_policies() -> Results:
    return done([POLICY])


@pytest.fixture(scope="module")
def page(over_rates: Results, tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("study") / "report.html"
    file.write_text(html.html(results_page(over_rates)), encoding="utf-8")
    return file


def test_charts_have_means_and_ends_of_intervals(over_rates: Results) -> None:
    goodput, queue = study_panels(over_rates, ALL)
    assert (goodput["title"], goodput["label"]) == (
        "goodput [Mbit/s]",
        "rate [Mbit/s of line] (log scale)",
    )
    assert queue["unit"] == "packet"
    for at, line in enumerate(goodput["lines"]):
        assert line["x"] == [5, 10, 20]
        found = [over_rates.estimate("goodput", 2 * rate + at) for rate in range(3)]
        for number, one in enumerate(found):
            assert one is not None
            assert line["v"][number] == pytest.approx(one.mean, rel=1e-6)
            low, high = one.interval or (0.0, 0.0)
            # A rate is not below 0.
            ends = (line["low"][number], line["high"][number])
            assert ends == pytest.approx((max(low, 0.0), high), rel=1e-6)
    assert goodput["range"][0] < 0
    assert goodput["range"][0] > -0.05 * goodput["range"][1]
    assert goodput["range"][1] > max(goodput["lines"][0]["high"])
    assert [*study_dots(over_rates, ALL)] == []


def test_factors_with_names_have_rows_of_dots(over_policies: Results) -> None:
    goodput, queue = study_dots(over_policies, ALL)
    assert goodput.caption == "goodput [Mbit/s]"
    assert [dot.group for dot in queue.dots] == ["tail", WILD]
    means = [one and one.mean for one in over_policies.estimates("queue")]
    assert [dot.value for dot in queue.dots] == means
    assert study_panels(over_policies, ALL) == []


def test_effects_of_a_two_level_design_are_rows() -> None:
    levels = ["5 Mbit/s of line", "20 Mbit/s of line"]
    given = done([Factor.of("rate", ["link.line.rate"], levels), POLICY], design=TwoLevel())
    goodput, _ = study_effects(given, ALL)
    assert goodput.dots[0].group.startswith("rate  (")
    assert goodput.dots[0].value == pytest.approx(given.effects("goodput").effects[0].estimate.mean)


def test_single_runs_have_effects_without_intervals() -> None:
    """The report of such a study ended with a traceback."""
    levels = ["5 Mbit/s of line", "20 Mbit/s of line"]
    rates = Factor.of("rate", ["link.line.rate"], levels)
    given = done([rates, POLICY], TwoLevel(), replications=1)
    goodput, _ = study_effects(given, ALL)
    assert [dot.interval for dot in goodput.dots] == [None] * 3
    assert "effects on goodput" in html.html(results_page(given))


def test_the_page_has_the_files_that_run_the_study_again(
    over_rates: Results, tmp_path: Path
) -> None:
    """The page had the scenario alone, without its factors and responses."""
    sections = results_page(over_rates).sections
    (texts,) = [one.blocks for one in sections if one.title == "Scenario and study"]
    study, scenario = [one.text for one in texts if isinstance(one, Code)]
    (tmp_path / "study.toml").write_text(study, encoding="utf-8")
    (tmp_path / "scenario.toml").write_text(scenario, encoding="utf-8")
    again = load_study(tmp_path / "study.toml")
    assert again.factors == over_rates.study.factors
    keys = [one.key for one in over_rates.records]
    assert [one.key for one in again.run().records] == keys


def places(lines: str) -> list[float]:
    return [float(one) for one in re.findall(r'circle cx="([\d.]+)%"', lines)]


def dots(*values: float, log: bool = False) -> str:
    block = Dots("n", "f", [Dot(str(v), "", "#000", v, None, str(v)) for v in values], log)
    return "".join(dot_rows(block, str))


def test_dots_stand_at_their_numbers() -> None:
    assert places(dots(0.0, 5.0, 10.0)) == [4.0, 50.0, 96.0]
    assert places(dots(-10.0, 10.0)) == [4.0, 96.0]
    assert places(dots(1.0, 10.0, 100.0, log=True)) == [4.0, 50.0, 96.0]
    # All equal, all zero, nothing: no axis to divide by.
    assert places(dots(0.0, 0.0)) == [4.0, 4.0]
    assert places(dots(7.0)) == [96.0]
    none = Dots("n", "f", [Dot("a", "", "#000", None, None, "–")])
    assert "".join(dot_rows(none, str)) == "<p>n: no run has this number.</p>"


def test_a_logarithmic_axis_has_ticks_within_a_decade() -> None:
    assert re.findall(r"<text[^>]*>([^<]*)<", dots(12.0, 80.0, log=True)) == ["20", "50"]
    assert re.findall(r"<text[^>]*>([^<]*)<", dots(1.0, 9000.0, log=True)) == [
        "1",
        "10",
        "100",
        "1000",
    ]


def test_sentences_name_the_level_that_changes_most(over_policies: Results) -> None:
    tail, fair = (one for one in over_policies.estimates("queue") if one)
    (said,) = [one for one in in_short(over_policies) if one.startswith("queue goes from ")]
    percent = 100 * (fair.mean / tail.mean - 1)
    assert f" packet ({percent:+.0f} %) with policy = {WILD} instead of tail" in said


def found(mean: float, half_width: float | None) -> Estimate:
    return Estimate(mean, half_width, 5)


def sentences(
    monkeypatch: pytest.MonkeyPatch, given: Results, estimates: Sequence[Estimate | None]
) -> list[str]:
    """Sentences on `goodput` with these numbers at its points."""
    monkeypatch.setattr(
        Results,
        "estimate",
        lambda _, name, point: estimates[point] if name == "goodput" else None,
    )
    return in_short(given)


# Points are 5, 10, 20 Mbit/s, each with tail and then with the other policy.
def test_what_intervals_show_is_said_rather_than_what_is_largest(
    over_rates: Results, monkeypatch: pytest.MonkeyPatch
) -> None:
    noisy = [found(10, 0.1), found(15, 9), found(11, 0.1), found(16, 9), found(10, 1), found(15, 9)]
    (said,) = sentences(monkeypatch, over_rates, noisy)
    assert said.startswith("goodput goes from 12.50 to 13.50 Mbit/s (+8.0 %) with rate = 10 Mbit/s")
    assert said.endswith("in the mean over 2 settings of the others; in 1 of them no difference is "
                         "shown")  # fmt: skip


def test_opposite_changes_have_no_mean(
    over_rates: Results, monkeypatch: pytest.MonkeyPatch
) -> None:
    turning = [found(one, 0.1) for one in (10, 20, 20, 10, 10, 20)]
    assert sentences(monkeypatch, over_rates, turning) == [
        f"goodput is more in 2 and less in 1 of 3 settings with policy = {WILD} instead of tail"
    ]


def test_single_runs_and_gaps_say_nothing(
    over_rates: Results, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert sentences(monkeypatch, over_rates, [found(one, None) for one in range(1, 7)]) == []
    gap = [found(1, 0.1), None, *(found(one, 0.1) for one in (2, 3, 4, 5))]
    assert sentences(monkeypatch, over_rates, gap) == []
    same = [found(1, 0.1) for _ in range(6)]
    assert sentences(monkeypatch, over_rates, same) == [
        "goodput: no factor changes it beyond its intervals"
    ]


@pytest.mark.parametrize("is_compared", [True, False])
def test_comparisons_of_the_study_decide(is_compared: bool) -> None:
    base = shipped("access-queue", {"run.duration": "3 s", "run.warm_up": "1 s"})
    levels = ["10 Mbit/s of line", "10 Mbit/s of line"]
    same = Factor.of("same", ["link.line.rate"], levels, ["one", "other"])

    def said(factor: Factor, runs: int) -> list[str]:
        name = factor.name if is_compared else None
        study = Study(base, [factor], responses=[QUEUE], replications=runs, compared=name)
        return in_short(study.run())

    assert said(same, 3) == ["queue: no factor changes it beyond its intervals"]
    assert said(POLICY, 3)[0].startswith("queue goes from ")
    assert said(POLICY, 1) == []


@pytest.mark.parametrize("file", STUDIES, ids=lambda file: file.stem)
def test_a_saved_study_keeps_its_question(file: Path, tmp_path: Path) -> None:
    given = load_study(file)
    (tmp_path / "scenario.toml").write_text(given.base.text)
    (tmp_path / "study.toml").write_text(study_toml(given))
    assert opening((tmp_path / "study.toml").read_text()) == given.question
    assert given.question


def test_gaps_and_explained_numbers_are_drawn_as_such() -> None:
    base = shipped("access-queue", {"run.duration": "3 s", "run.warm_up": "1 s"})
    never = Response("call_lost", Quantity("flows.call.loss.fraction"), transform="log")
    bound = Response("limit", Quantity("flows.near[1].tcp.ceiling_bits_per_second"), "Mbit/s", True)
    given = Study(base, [RATE], responses=[GOODPUT, bound, never], replications=2).run()
    goodput, lost = study_panels(given, ALL)
    assert [line["name"] for line in goodput["lines"]] == ["goodput", "limit"]
    assert goodput["lines"][1]["dash"]
    assert goodput["lines"][1]["gaps"] == []
    # No datagram of these few was lost, and 0 has no logarithm.
    assert {gap["kind"] for line in lost["lines"] for gap in line["gaps"]} == {"undefined"}
    over_names = Study(base, [POLICY], responses=[GOODPUT, bound], replications=2).run()
    (rows,) = study_dots(over_names, ALL)
    assert [dot.name for dot in rows.dots] == ["", "limit"] * 2


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_charts_are_drawn_and_nothing_is_asked_for(tab: Tab, page: Path, dark: bool) -> None:
    tab.open(page, dark=dark)
    assert tab.complaints() == []
    assert tab.requests() == [page.resolve().as_uri()]
    drawn = tab.run(COLOURED)
    assert len(drawn) == 2
    assert min(drawn) > 200
    assert tab.run(FAINT) == []
    assert findings(tab) == []


def test_a_narrow_page_needs_no_scrolling_to_the_side(
    tab: Tab, page: Path, over_policies: Results, tmp_path: Path
) -> None:
    tab.open(page, width=400)
    assert tab.run(BELOW) <= 0
    assert min(tab.run(COLOURED)) > 100
    rows = tmp_path / "rows.html"
    rows.write_text(html.html(results_page(over_policies)), encoding="utf-8")
    for width in (400, 1200):
        tab.open(rows, width=width)
        assert tab.run(BELOW) <= 0
        assert tab.complaints() == []
        wide = "[...document.querySelectorAll('td .track')].map((one) => one.clientWidth)"
        assert min(tab.run(wide)) > width / 4
        assert findings(tab) == []


def test_keys_zoom_all_charts_over_a_factor(tab: Tab, page: Path) -> None:
    tab.open(page)
    before = tab.run(DRAWN)
    reached: list[str] = []
    while not any("queue [packet], chart" in one for one in reached) and len(reached) < 60:
        tab.press("Tab")
        reached.append(tab.run(FOCUSED))
    tab.press("+")
    zoomed = tab.run(f"new Promise((done) => setTimeout(() => done({DRAWN}), 100))")
    assert all(one != other for one, other in zip(before, zoomed, strict=True))
    tab.press("0")
    assert tab.run(f"new Promise((done) => setTimeout(() => done({DRAWN}), 100))") == before


def test_without_scripts_there_are_pictures(tab: Tab, page: Path) -> None:
    tab.open(page, scripts=False)
    shown = "[...document.querySelectorAll('noscript img')].map((one) => one.naturalWidth > 300)"
    assert tab.run(shown) == [True]
