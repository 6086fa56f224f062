"""Studies that Ctrl-C or SIGTERM ends at an awkward moment."""

import signal
import subprocess
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import FrameType

import pytest

import cellway
from cellway import Scenario, Study, load_results
from cellway.runs.runs import Progress, Run
from cellway.statistics import Precision
from cellway.study import execution
from cellway.study.execution import Finished, execute, stopping
from started import MAIN, outcome
from study.texts import BESIDE, lasting

SHORT = lasting("20 ms")
WINDOW = "flow.bulk.tcp.window"
BOTH = [signal.SIGINT, signal.SIGTERM, signal.SIGHUP]


@pytest.fixture(autouse=True)
def _deadly() -> Iterator[None]:
    """Both signals, where nobody waits for them, are errors instead of the end of the tests."""

    def unheard(number: int, _frame: FrameType | None) -> None:
        raise AssertionError(f"nobody waited for signal {number}")

    before = [(number, signal.signal(number, unheard)) for number in BOTH]
    yield
    for number, handler in before:
        signal.signal(number, handler)


@pytest.mark.parametrize("number", BOTH)
def test_between_two_rounds_of_a_stopping_rule(
    number: signal.Signals, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def decide(samples: object, rule: Precision) -> object:
        signal.raise_signal(number)
        return cellway.statistics.decide(samples, rule)  # type: ignore[arg-type]

    monkeypatch.setattr("cellway.study.wanted.decide", decide)
    rule = Precision(1e-9, min=2, max=5)
    base = Scenario.parse(lasting("20 ms", BESIDE))
    study = Study(base, {WINDOW: ["16 KiB", "64 KiB"]}, replications=rule)
    results = study.run(tmp_path)
    assert not results.complete
    assert len(results.records) == 4
    monkeypatch.undo()
    assert len(load_results(tmp_path).records) == 4


def test_what_workers_hand_back_while_the_study_is_being_stopped_is_kept(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ran: list[Scenario] = []

    def counted(scenario: Scenario, progress: Progress | None = None) -> Run:
        found = cellway.run(scenario, progress)
        ran.append(scenario)
        return found

    monkeypatch.setattr(execution, "run", counted)
    given = Study(Scenario.parse(SHORT), {WINDOW: ["16 KiB", "32 KiB", "64 KiB"]}, replications=2)
    planned = [given.planned(condition, r) for condition in given.conditions() for r in (1, 2)]
    heard: list[str] = []

    def on_finished(finished: Finished) -> None:
        heard.append(finished.planned.key)
        while len(ran) < len(planned):
            time.sleep(0.01)
        signal.raise_signal(signal.SIGINT)

    with stopping() as stopped:
        assert execute(planned, 2, stopped, on_finished)
    assert sorted(heard) == sorted(run.key for run in planned)


def test_a_library_that_hears_ctrl_c_itself_loses_no_run() -> None:
    """Polars raises in the middle of writing the series of a run."""
    given = Study(Scenario.parse(SHORT), {WINDOW: ["16 KiB", "32 KiB"]}, replications=2)
    planned = [given.planned(condition, r) for condition in given.conditions() for r in (1, 2)]
    asked: list[str] = []
    kept: list[str] = []

    def on_finished(finished: Finished) -> None:
        asked.append(finished.planned.key)
        if len(asked) == 1:
            raise KeyboardInterrupt
        kept.append(finished.planned.key)

    with stopping() as stopped:
        execute(planned, 1, stopped, on_finished)
        assert stopped.is_set()
    assert kept == list(dict.fromkeys(asked))


def ended(
    patch: Sequence[str], folder: Path, command: str = "study"
) -> subprocess.CompletedProcess[str]:
    """The study command, or another on the same file, in `folder`, after the lines of `patch`."""
    (folder / "small.toml").write_text(SHORT)
    (folder / "mine.toml").write_text('[study]\nscenario = "small.toml"\n')
    return outcome("\n".join(["import signal", *patch, MAIN]), [command, "mine.toml"], folder)


def require_interrupted(said: subprocess.CompletedProcess[str]) -> None:
    assert (said.returncode, said.stdout, said.stderr) == (130, "", "interrupted\n")


@pytest.mark.parametrize("number", BOTH)
def test_while_planning(number: signal.Signals, tmp_path: Path) -> None:
    patch = [
        "from cellway.study.study import Study",
        f"Study.points = lambda study: signal.raise_signal({int(number)})",
    ]
    require_interrupted(ended(patch, tmp_path))


@pytest.mark.parametrize("number", BOTH)
def test_while_the_table_of_runs_is_written(number: signal.Signals, tmp_path: Path) -> None:
    patch = [
        "from cellway.study.results import Results",
        f"Results.export = lambda results, folder: signal.raise_signal({int(number)})",
    ]
    require_interrupted(ended(patch, tmp_path))
    assert len(load_results(tmp_path / "out" / "mine").records) == 1


def test_a_study_that_is_stopped_is_not_plotted(tmp_path: Path) -> None:
    patch = ["from cellway.study import campaign", "campaign.execute = lambda *_arguments: False"]
    require_interrupted(ended(patch, tmp_path, "plot"))
    assert not (tmp_path / "mine.png").exists()
