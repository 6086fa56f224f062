"""Whole studies: which runs are repeated, what numbers depend on, and how a stop ends them."""

import signal
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from cellway import Scenario, StoreError, Study, StudyError, load_study
from cellway.cli.study_results import report
from cellway.runs.quantity import Quantity
from cellway.statistics import Precision, unpaired_difference
from cellway.study import (
    Factor,
    LatinHypercube,
    Reduction,
    Response,
    Results,
    Span,
    TwoLevel,
    load_results,
)
from cellway.study.store import Store
from cellway.study.study import TOTAL
from common import SMALL, known
from started import MAIN, process_of
from study.texts import CHANCE

SHORT = SMALL.replace('duration = "1 s"', 'duration = "100 ms"')
WINDOW = "flow.bulk.tcp.window"


def study(**changes: object) -> Study:
    """Two windows, three replications, of the scenario with chance."""
    base = Study(Scenario.parse(CHANCE), {WINDOW: ["32 KiB", "64 KiB"]}, replications=3)
    return base.replaced(**changes) if changes else base


def walls(results: Results) -> dict[str, float]:
    return {record.key: record.wall_seconds for record in results.records}


def numbers(results: Results) -> list[tuple[object, ...]]:
    return [(record.key, record.seed, dict(record.metrics)) for record in results.records]


def test_the_same_again_runs_nothing(tmp_path: Path) -> None:
    first = study().run(tmp_path)
    assert first.complete
    assert len(first.records) == 6
    assert walls(study().run(tmp_path)) == walls(first)


def test_another_level_runs_the_new_points_only(tmp_path: Path) -> None:
    before = walls(study().run(tmp_path))
    wider = study(factors={WINDOW: ["16 KiB", "32 KiB", "64 KiB"]}).run(tmp_path)
    assert len(wider.records) == 9
    assert {key: wall for key, wall in walls(wider).items() if key in before} == before


def test_another_response_of_the_summary_needs_no_run_and_one_of_a_series_does(
    tmp_path: Path,
) -> None:
    before = walls(study().run(tmp_path))
    sent = Response("sent", Quantity("ports.s.right.sent"), "cell")
    found = study(responses=[sent]).run(tmp_path)
    assert walls(found) == before
    assert all(value > 0 for value in found.values("sent", 0))
    queue = Response("queue", Reduction("s.right.queue", "max"), "cell")
    again = study(responses=[queue]).run(tmp_path)
    assert not set(walls(again).values()) & set(before.values())
    assert again.values("queue", 1)[0] == 150.0


@pytest.mark.parametrize("workers", [2, 5])
def test_workers_change_nothing(workers: int) -> None:
    assert numbers(study().run(workers=workers)) == numbers(study().run(workers=1))


def test_the_order_of_levels_changes_the_order_of_rows_only() -> None:
    there, back = study().run(), study(factors={WINDOW: ["64 KiB", "32 KiB"]}).run()
    assert sorted(map(repr, numbers(there))) == sorted(map(repr, numbers(back)))


def test_common_seeds_are_those_of_the_replication_and_independent_ones_all_different() -> None:
    common, independent = study().run(), study(random_numbers="independent").run()
    assert [[record.seed for record in point] for point in common.runs] == [[1, 2, 3], [1, 2, 3]]
    assert len({record.seed for record in independent.records}) == 6
    assert numbers(independent) == numbers(study(random_numbers="independent").run(workers=1))


@pytest.mark.parametrize("workers", [1, 3])
def test_a_stopping_rule_looks_at_numbers_alone(workers: int) -> None:
    rule = Precision(0.01, min=3, max=24)
    found = study(replications=rule).run(workers=workers)
    counts = [len(point) for point in found.runs]
    assert counts == [len(point) for point in study(replications=rule).run(workers=2).runs]
    for point, count in enumerate(counts):
        width = known(known(found.estimate("throughput", point)).relative_half_width)
        assert width <= 0.01 or (count == 24 and point in found.inexact())


def test_pairs_under_common_seeds_show_more_than_independent_ones() -> None:
    """Two drop policies under the same Poisson cells: what is common to both cancels."""
    drop = Factor.of(
        "drop", ["switch.s.drop"], ["tail", {"epd": {"threshold": "120 cell"}}], ["tail", "epd"]
    )
    sent = [Response("sent", Quantity("ports.s.right.sent"), "cell")]
    widths: dict[str, float] = {}
    for numbers_of in ("common", "independent"):
        asked = study(factors=[drop], compared="drop", replications=12, responses=sent)
        ((others, found),) = asked.replaced(random_numbers=numbers_of).run().comparisons("sent")
        assert others == {}
        widths[numbers_of] = known(found["epd"].half_width)
    assert 0.0 < widths["common"] < widths["independent"]


def test_effects_of_a_two_level_study_are_those_of_its_own_table() -> None:
    delay = Factor.of("delay", ["link.left.delay", "link.right.delay"], ["1 ms", "4 ms"])
    window = Factor.of("window", [WINDOW], ["16 KiB", "64 KiB"])
    results = study(factors=[window, delay], design=TwoLevel()).run()
    y = np.array([np.mean(results.values("throughput", point)) for point in range(4)])
    second = results.conditions[1].parameters
    assert dict(second) == {"window": "64 KiB", "delay": "1 ms"}
    effects = {one.name: one.estimate.mean for one in results.effects("throughput").effects}
    signs = {"window": [-1, 1, -1, 1], "delay": [-1, -1, 1, 1], "window × delay": [1, -1, -1, 1]}
    assert effects == pytest.approx({name: y @ sign / 4 for name, sign in signs.items()})
    # Montgomery, section 6.2: the sum of squares of an effect is its square times all runs.
    variance = {row.name: row.sum_of_squares for row in results.anova("throughput").effects}
    assert variance == pytest.approx({name: 12 * effect**2 for name, effect in effects.items()})


def test_a_long_run_has_an_interval_of_its_own_and_says_what_it_deleted() -> None:
    long = Scenario.parse(CHANCE).with_set("run.duration", "1 s")
    queue = Reduction("s.right.queue", "batch_means", warm_up="mser5")
    results = Study(long, responses=[Response("queue", queue, "cell")]).run()
    found = known(results.estimate("queue", 0))
    assert known(found.half_width) > 0
    assert "batch means" in found.method
    assert any("by MSER-5" in warning for warning in results.warnings)


def test_a_series_that_is_too_short_for_its_warm_up_gives_no_number_and_says_why() -> None:
    few = Reduction("s.right.queue", "mean", end=0.003, warm_up="mser5")
    results = Study(Scenario.parse(CHANCE), responses=[Response("queue", few, "cell")]).run()
    assert results.estimate("queue", 0) is None
    assert any("too few for MSER-5" in warning for warning in results.warnings)


def test_what_a_run_does_not_have_is_said_at_once() -> None:
    said = r"response `x`: the summary has no number at 'flows\.bulk\.speed'"
    with pytest.raises(StudyError, match=said):
        study(responses={"x": "flows.bulk.speed"}).run()
    with pytest.raises(StudyError, match=r"response `x`: no series 's\.left\.length'"):
        study(responses=[Response("x", Reduction("s.left.length", "max"))]).run()


def test_what_nothing_explains_is_said_before_anything_runs(tmp_path: Path) -> None:
    """Forty runs of which none is needed to find the mistake."""
    typo = Response("x", Quantity("flows.bulk.tcp.ceiling"), "Mbit/s", explained=True)
    said = r"response `x`: the explanation has no number at 'flows\.bulk"
    with pytest.raises(StudyError, match=said):
        study(responses=[TOTAL, typo], replications=20).run(tmp_path / "never")
    assert not (tmp_path / "never").exists()


def test_what_is_not_there_for_a_microsecond_is_not_refused(tmp_path: Path) -> None:
    """A mean round-trip time of no round trip is nothing yet; the file is fine."""
    (tmp_path / "small.toml").write_text(SMALL)
    file = tmp_path / "study.toml"
    file.write_text(
        '[study]\nscenario = "small.toml"\n[response.rtt]\nquantity = "flows.bulk.rtt.mean_s"\n'
    )
    assert load_study(file).responses[0].name == "rtt"


def test_a_run_that_fails_is_kept_as_such_and_done_again(tmp_path: Path) -> None:
    """A queue of ten million cells is above the memory limit of a run; a small one is not."""
    rates = [("link.right.rate", "10 Mbit/s of cell"), ("link.side.rate", "106 Gbit/s of cell")]
    sets = [("switch.s.buffer", "infinite"), ("run.duration", "1 s"), *rates]
    wide = Scenario.parse(CHANCE).with_sets(sets)
    noise = Factor.of(
        "noise", ["flow.poisson.traffic.poisson.rate"], ["10 kbit/s of cell", "53 Gbit/s of cell"]
    )
    results = Study(wide, [noise]).run(tmp_path)
    assert [record.status for record in results.records] == ["done", "failed"]
    said = results.failed[0].warnings[0]
    assert "more than the 1 GB of `run.memory_limit`" in said
    assert "1.1 GB for cells" in said
    again = Study(wide, [noise]).run(tmp_path)
    same = [walls(again)[key] == wall for key, wall in walls(results).items()]
    assert same == [True, False]


DELAY = "link.left.delay"


@pytest.mark.parametrize(
    "changes",
    [
        {"sets": (("run.duration", "50 ms"), ("observe.interval", "1 ms")), "recorded": None},
        {
            "design": LatinHypercube(4),
            "factors": [Factor.spanning("d", [DELAY], Span(1, 9, "ms"), 3)],
        },
        {"factors": [Factor.zipped("side", {DELAY: ["1 ms", "3 ms"], WINDOW: ["9 KiB", "5 KiB"]})]},
        {"replications": Precision(0.2, 2, 5), "random_numbers": "independent", "seed": 7},
    ],
)
def test_the_folder_says_all_of_a_study(changes: dict[str, object], tmp_path: Path) -> None:
    first = study(**changes).run(tmp_path)
    frozen = load_study(tmp_path / "study.toml")
    assert walls(frozen.run(tmp_path)) == walls(first)
    read = load_results(tmp_path)
    assert read.complete
    assert numbers(read) == numbers(first)


def finished_runs(folder: Path) -> int:
    """How many runs a study that is under way has kept."""
    try:
        with Store.read(folder) as store:
            return len(store.keys())
    except StoreError:
        return 0


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_stopped_it_keeps_what_is_finished_and_continues_from_there(
    tmp_path: Path, how: signal.Signals
) -> None:
    (tmp_path / "small.toml").write_text(SMALL.replace('duration = "1 s"', 'duration = "20 s"'))
    file = tmp_path / "long.toml"
    file.write_text(
        '[study]\nscenario = "small.toml"\nreplications = 10\n'
        '[set]\n"flow.bulk.service.ubr.pace" = "80 Mbit/s of payload"\n'
    )
    command = ["study", "long.toml", "--workers", "1"]
    with process_of(MAIN, command, tmp_path) as process:
        while not finished_runs(tmp_path / "out" / "long"):
            time.sleep(0.02)
        process.send_signal(how)
        said, complained = process.communicate(timeout=30)
    assert process.returncode == 130, complained
    assert "interrupted: finished runs are kept" in said
    kept = walls(load_results(tmp_path / "out" / "long"))
    assert 0 < len(kept) < 10
    finished = load_study(tmp_path / "out" / "long" / "study.toml").run(tmp_path / "out" / "long")
    assert finished.complete
    assert {key: wall for key, wall in walls(finished).items() if key in kept} == kept


def test_a_stored_run_is_called_as_the_study_that_asks_for_it_does(tmp_path: Path) -> None:
    """Seed 3 is replication 3 of one study and replication 1 of another with another factor."""
    before = study().run(tmp_path)
    named = Factor.of("window", [WINDOW], ["32 KiB", "64 KiB"])
    again = study(factors=[named], seed=3, replications=1).run(tmp_path)
    assert walls(again) == {one.key: one.wall_seconds for one in before.records if one.seed == 3}
    rows = again.to_polars().select("window", "replication", "seed").rows()
    assert rows == [("32 KiB", 1, 3), ("64 KiB", 1, 3)]


def test_pairs_stay_pairs_where_a_replication_has_no_number() -> None:
    """The second replication of the first point gave none: neither point's is used."""
    results = study(compared=WINDOW).run()
    lost = replace(results.runs[0][1], metrics={results.study.responses[0].definition: None})
    first = (results.runs[0][0], lost, results.runs[0][2])
    partly = replace(results, runs=(first, results.runs[1]))
    ((_, found),) = partly.comparisons("throughput")
    a, b = results.values("throughput", 0), results.values("throughput", 1)
    assert found["64 KiB"].mean == pytest.approx(((b[0] - a[0]) + (b[2] - a[2])) / 2)
    assert found["64 KiB"].n == 2
    assert found["64 KiB"].left_out == 1
    assert partly.left_out("throughput") == 1


def test_a_level_with_few_runs_is_compared_by_all_runs_of_both() -> None:
    """A stopping rule once left five of forty runs for the difference, and did not say so."""
    results = study(compared=WINDOW, replications=5).run()
    partly = replace(results, runs=(results.runs[0][:2], results.runs[1]))
    ((_, found),) = partly.comparisons("throughput")
    a, b = partly.values("throughput", 0), partly.values("throughput", 1)
    assert (len(a), len(b)) == (2, 5)
    assert found["64 KiB"] == unpaired_difference(b, a)
    said = report(partly)
    assert any(line.endswith("of all runs (Welch)") for line in said)


def test_series_that_are_not_observed_are_said_at_once_and_none_at_all_are_fine(
    tmp_path: Path,
) -> None:
    with pytest.raises(StudyError, match=r"`series`: no series 'bulk\.speed'"):
        study(recorded=["bulk.speed"]).run(tmp_path / "one")
    silent = Scenario.parse(CHANCE.split("[observe]", maxsplit=1)[0])
    first = Study(silent, recorded=None).run(tmp_path / "two")
    assert walls(Study(silent, recorded=None).run(tmp_path / "two")) == walls(first)


def test_one_run_is_called_a_single_run() -> None:
    results = Study(Scenario.parse(SHORT), replications=1).run()
    assert "(single run)" in str(results)
    assert "±" not in str(results)
