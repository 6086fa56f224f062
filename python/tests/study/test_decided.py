"""Studies that replicate until differences between levels are decided."""

import math
from pathlib import Path

import pytest

from cellway import Scenario, Study, load_results, load_study
from cellway.cli.study_results import report
from cellway.errors import StudyError
from cellway.runs.quantity import Quantity
from cellway.statistics import DifferenceRule, estimate
from cellway.study import Factor, Part, Response, Results, merge
from cellway.study.frozen import study_toml
from cellway.study.remaining import progress_of
from common import known, text_of
from study.test_study_files import written
from study.texts import BESIDE, lasting

RULE = DifferenceRule(0.001, min=4, max=40)
QUEUE = Response("queue", Quantity("ports.s.right.mean_queue"), "cell")


def study_of(rule: DifferenceRule = RULE, *windows: str) -> Study:
    """Windows against the smallest, below two buffers; Poisson cells take a part of the line."""
    return Study(
        Scenario.parse(lasting("200 ms", BESIDE)),
        [
            Factor.of("window", ["flow.bulk.tcp.window"], windows or ["64 KiB", "62 KiB"]),
            Factor.of("buffer", ["switch.s.buffer.per_vc"], ["64 cell", "256 cell"]),
        ],
        replications=rule,
        responses=[QUEUE],
        compared="window",
    )


def counts(results: Results) -> list[int]:
    return [len(runs) for runs in results.runs]


def test_a_setting_stops_at_the_look_at_which_its_differences_are_decided() -> None:
    results = study_of(RULE, "64 KiB", "62 KiB", "32 KiB").run()
    assert RULE.looks == (4, 6, 9, 14, 21, 32, 40)
    small, large = counts(results)[0::2], counts(results)[1::2]
    assert small == [4, 4, 4]  # All windows fill 64 cells alike: nothing varies.
    assert len({*large}) == 1  # All levels of a setting have pairs.
    assert large[0] in RULE.looks[1:]
    _, (_, differences) = results.comparisons("queue")
    assert all(known(one.half_width) < abs(one.mean) for one in differences.values())


def test_the_printed_interval_is_that_of_the_look(tmp_path: Path) -> None:
    results = study_of().run(tmp_path)
    first, second = (results.values("queue", point) for point in (1, 3))
    assert len(first) == len(second) < 40
    pairs = [b - a for a, b in zip(first, second, strict=True)]
    _, (_, found) = results.comparisons("queue")
    assert found["62 KiB"].half_width == estimate(pairs, 1.0 - 0.05 / 7).half_width
    assert "intervals together at 95 %, at all 7 looks" in "\n".join(report(results))
    assert load_results(tmp_path).complete
    runs = sum(counts(results))
    told = progress_of(tmp_path)
    assert (told.done, told.runs) == (runs, runs)


def test_what_is_undecided_at_most_is_said() -> None:
    results = study_of(DifferenceRule(1e-9, min=4, max=4), "64 KiB", "62 KiB", "32 KiB").run()
    said = [line.partition(" cell: ") for line in report(results) if line.startswith("undecided")]
    assert [one[0] for one in said] == ["undecided after 4 replications: buffer = 256"] * 2
    assert [one[2].partition(":")[0] for one in said] == ["queue of 62 KiB", "queue of 32 KiB"]


def remarks(rule: DifferenceRule, *windows: str) -> list[str]:
    """Words on each window against 64 KiB at the larger buffer."""
    lines = report(study_of(rule, "64 KiB", *windows).run())
    rows = [line for line in lines if line.startswith("buffer = 256 cell")]
    return [line.partition(")")[2].strip() for line in rows]


def test_a_decided_difference_says_which_level_has_more() -> None:
    assert remarks(RULE, "62 KiB", "32 KiB") == [
        "decided: less than 64 KiB",
        "decided: more than 64 KiB",
    ]


def test_an_interval_as_narrow_as_asked_says_how_much_the_levels_differ_at_most() -> None:
    """The farther end of the interval, from the 21 pairs at which the rule stops."""
    rule = DifferenceRule(0.5, min=4, max=40)
    results = study_of(rule, "64 KiB", "62 KiB", "32 KiB").run()
    first, last = (results.values("queue", point) for point in (1, 5))
    found = estimate([b - a for a, b in zip(first, last, strict=True)], rule.each(2))
    most = found.mean + known(found.half_width)
    said = f"decided: differs from 64 KiB by {most:.2f} at most, ± as narrow as asked"
    assert remarks(rule, "62 KiB", "32 KiB")[1] == said


def test_a_difference_that_the_most_runs_left_open_is_called_not_decided() -> None:
    said = remarks(DifferenceRule(1e-9, min=4, max=4), "62 KiB", "32 KiB")
    assert said == ["not decided: stopped by max, 4 runs each"] * 2


def test_parts_have_whole_settings_and_join_to_the_same(tmp_path: Path) -> None:
    whole = study_of().run(tmp_path / "whole")
    folders = [tmp_path / f"part-{number}" for number in (1, 2)]
    for number, folder in enumerate(folders, 1):
        results = study_of().replaced(part=Part(number, 2)).run(folder)
        assert sum(bool(count) for count in counts(results)) == 2
    merged = merge(tmp_path / "joined", folders).results
    assert merged.complete
    assert report(merged) == report(whole)


def test_the_file_says_the_rule_and_its_copy_the_same(tmp_path: Path) -> None:
    rule = 'replications = { difference_half_width = 0.02, max = 50 }\ncompare = "window"'
    text = text_of("window.toml").replace("replications = 3", rule)
    study = load_study(written(tmp_path, text))
    assert study.replications == DifferenceRule(0.02, 5, 50)
    (tmp_path / "again.toml").write_text(
        study_toml(study).replace('"scenario.toml"', '"small.toml"')
    )
    assert load_study(tmp_path / "again.toml").replications == study.replications


def test_differences_need_a_factor_that_is_compared() -> None:
    with pytest.raises(StudyError, match="no factor is compared; `compare` is expected"):
        study_of().replaced(compared=None)


def test_ratios_are_decided_by_the_logarithms_of_pairs() -> None:
    """The rule stops at the look at which the interval of the mean logarithm excludes 0."""
    logarithm = Response("queue", QUEUE.source, "cell", transform="log")
    results = study_of().replaced(responses=[logarithm]).run()
    first, second = (results.values("queue", point) for point in (1, 3))
    assert len(first) == len(second) in RULE.looks
    logs = [math.log(b / a) for a, b in zip(first, second, strict=True)]
    found = estimate(logs, 1.0 - 0.05 / 7)
    assert abs(found.mean) > known(found.half_width)
    earlier = [look for look in RULE.looks if look < len(logs)]
    for look in earlier:
        before = estimate(logs[:look], 1.0 - 0.05 / 7)
        assert abs(before.mean) <= known(before.half_width)
        assert known(before.half_width) > RULE.half_width
    lines = [line for line in report(results) if line.startswith("buffer = 256 cell")]
    assert [line.partition(")")[2].strip() for line in lines] == ["decided: less than 64 KiB"]


def test_a_ratio_as_narrow_as_asked_has_the_factor_at_its_farther_end() -> None:
    logarithm = Response("queue", QUEUE.source, "cell", transform="log")
    given = study_of(DifferenceRule(0.5, min=4, max=40), "64 KiB", "62 KiB")
    results = given.replaced(responses=[logarithm]).run()
    first, second = (results.values("queue", point) for point in (1, 3))
    logs = [math.log(b / a) for a, b in zip(first, second, strict=True)]
    found = estimate(logs, DifferenceRule(0.5, min=4, max=40).each(1))
    (line,) = [one for one in report(results) if one.startswith("buffer = 256 cell")]
    most = math.exp(abs(found.mean) + known(found.half_width))
    assert f"differs from 64 KiB by a factor of {most:.3f} at most" in line
