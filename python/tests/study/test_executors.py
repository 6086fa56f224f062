"""Studies by threads, processes, Dask and any executor: the same tables, and nothing twice."""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import closing
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import pytest

import cellway
from cellway import Scenario, Study
from cellway.cli.study_results import report
from cellway.errors import StudyError
from cellway.runs.models import MODEL_VERSION
from cellway.statistics import Precision
from cellway.study import Response, Results, executors
from cellway.study.executors import AUTO, PROCESSES, THREADS, chosen
from cellway.study.store import Store
from cellway.study.tables import to_csv
from cellway.study.wanted import Wanted
from cellway.study.work import Chunk, Made, chunks, make
from common import SMALL
from started import MAIN, ended_by, process_of
from study.texts import BESIDE, lasting

WINDOW = "flow.bulk.tcp.window"
OBSERVED = lasting("20 ms", BESIDE)


def study_of(replications: int | Precision = 4, text: str = OBSERVED) -> Study:
    return Study(
        Scenario.parse(text),
        {WINDOW: ["16 KiB", "32 KiB", "64 KiB"]},
        replications=replications,
        recorded=None,
        responses={"throughput": "flows.*.throughput_bits_per_second"},
    )


def tables(results: Results, folder: Path) -> tuple[list[str], bytes]:
    """The printed tables, and the table of runs without times and the machine."""
    facts = results.to_polars().drop("wall_seconds", "cpu_seconds", "host")
    to_csv(facts, folder / "facts.csv")
    return report(results), (folder / "facts.csv").read_bytes()


@pytest.fixture(scope="module")
def alone(tmp_path_factory: pytest.TempPathFactory) -> tuple[list[str], bytes]:
    folder = tmp_path_factory.mktemp("alone")
    return tables(study_of().run(folder / "out", workers=1), folder)


@pytest.mark.parametrize("workers", [2, 8])
def test_threads(workers: int, alone: object, tmp_path: Path) -> None:
    assert tables(study_of().run(tmp_path / "out", workers=workers), tmp_path) == alone


def test_processes(alone: object, tmp_path: Path) -> None:
    results = study_of().run(tmp_path / "out", workers=2, executor=PROCESSES)
    assert tables(results, tmp_path) == alone
    with Store.read(tmp_path / "out") as store:
        key = results.records[0].key
        there = cellway.run(results.conditions[0].scenario(1))
        (name,) = [one for one in there.series_names if one.endswith("right.queue")][:1]
        assert store.series(key)[name].value.tolist() == there.series(name).value.tolist()


def test_any_executor_of_the_standard_library(alone: object, tmp_path: Path) -> None:
    with ThreadPoolExecutor(3) as executor:
        results = study_of().run(tmp_path / "out", executor=executor)
    assert tables(results, tmp_path) == alone


def test_a_stopping_rule_asks_the_executor_again(tmp_path: Path) -> None:
    rule = Precision(1e-9, min=2, max=4)
    ones = study_of(rule).run(workers=1)
    with ThreadPoolExecutor(2) as executor:
        others = study_of(rule).run(executor=executor)
    assert len(others.records) == 12
    assert tables(others, tmp_path) == tables(ones, tmp_path)


def test_a_number_that_a_run_lacks_is_a_result_of_a_process_too() -> None:
    text = lasting("20 ms")
    given = Study(Scenario.parse(text), replications=2, responses={"no": "flows.bulk.rtt.mean_s"})
    by_threads, by_processes = (given.run(executor=word) for word in (THREADS, PROCESSES))
    assert [one.metrics for one in by_processes.records] == [
        one.metrics for one in by_threads.records
    ]
    assert [one.warnings for one in by_processes.records] == [
        one.warnings for one in by_threads.records
    ]


def planned(replications: int, text: str = SMALL) -> tuple[list[Any], dict[str, list[Response]]]:
    wanted = Wanted(given := study_of(replications, text), given.conditions())
    runs = list(wanted.planned())
    return runs, {run.key: list(wanted.simulated) for run in runs}


def test_short_runs_go_in_chunks_and_each_run_in_one() -> None:
    runs, asked = planned(200, lasting("1 ms"))
    found = list(chunks(runs, asked, 2))
    assert sorted(run.key for chunk in found for run in chunk.runs) == sorted(asked)
    assert max(len(chunk.runs) for chunk in found) > 10
    assert len(found) >= 8


def test_long_runs_go_alone() -> None:
    runs, asked = planned(20, lasting("100 s"))
    assert {len(chunk.runs) for chunk in chunks(runs, asked, 2)} == {1}


def test_processes_are_for_many_short_runs() -> None:
    few, _ = planned(5, lasting("1 ms"))
    many, _ = planned(5000, lasting("1 ms"))
    long, _ = planned(5000, lasting("100 s"))
    assert [chosen(AUTO, runs) for runs in (few, many, long)] == [THREADS, PROCESSES, THREADS]
    assert chosen(PROCESSES, few) == PROCESSES


class Odd(Executor):
    """An executor at which something is wrong from the second chunk on."""

    def __init__(self, wrong: BaseException | Made) -> None:
        self.wrong = wrong
        self.count = 0

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        del kwargs
        self.count += 1
        future: Future[Any] = Future()
        if self.count == 1:
            future.set_result(fn(*args))
        elif isinstance(self.wrong, Made):
            future.set_result(self.wrong)
        else:
            future.set_exception(self.wrong)
        return future


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (OSError("no route to host"), "a worker failed: OSError: no route to host"),
        (Made("0-other", ()), f"a worker has model 0-other, and this is {MODEL_VERSION}"),
    ],
)
def test_a_wrong_worker_costs_no_finished_run(
    wrong: BaseException | Made, said: str, tmp_path: Path
) -> None:
    with pytest.raises(StudyError, match=said):
        study_of().run(tmp_path, executor=Odd(wrong))
    kept = len(cellway.load_results(tmp_path).records)
    assert 0 < kept < 12
    assert len(study_of().run(tmp_path).records) == 12


def test_a_process_that_is_killed_is_named_and_costs_no_finished_run(tmp_path: Path) -> None:
    with pytest.raises(StudyError, match="a worker process was ended from outside"):
        study_of().run(tmp_path, workers=1, executor=Killing())
    assert len(study_of().run(tmp_path).records) == 12


class Killing(Executor):
    """Processes of which the first ends without a word."""

    def __init__(self) -> None:
        self.pool = ProcessPoolExecutor(1, get_context("spawn"))

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        del fn, kwargs, args
        return self.pool.submit(os._exit, 1)


@pytest.mark.parametrize("word", ["proceses", "dask://", "slurm"])
def test_a_word_that_is_no_executor(word: str) -> None:
    with pytest.raises(StudyError, match="threads, processes or dask://HOST:PORT is expected"):
        study_of().run(executor=word)


def test_dask_that_is_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(StudyError, match=r"Dask is not installed; pip install 'cellway\[dask\]'"):
        study_of().run(executor="dask://127.0.0.1:1")


def test_a_chunk_is_made_where_it_is_asked() -> None:
    runs, asked = planned(1, lasting("1 ms"))
    made = make(Chunk(tuple(runs), tuple(asked[runs[0].key])))
    assert [record.key for record, _ in made.runs] == [run.key for run in runs]
    assert executors.in_worker(Chunk((), ())).runs == ()


def test_processes_end_with_the_study_that_is_killed(tmp_path: Path) -> None:
    """`kill -9` once left workers that waited for work for ever."""
    (tmp_path / "small.toml").write_text(lasting("2 s"))
    (tmp_path / "mine.toml").write_text('[study]\nscenario = "small.toml"\nreplications = 400\n')
    words = ["study", "mine.toml", "--workers", "1", "--executor", "processes"]
    code = f"import sys; sys.argv = ['cellway', *{words!r}]\nfrom cellway.cli import main; main()"
    with subprocess.Popen([sys.executable, "-c", code], cwd=tmp_path) as parent:
        children = _wait_for(lambda: _children(parent.pid))
        parent.send_signal(signal.SIGKILL)
    _wait_for(lambda: not any(Path(f"/proc/{child}/exe").exists() for child in children))


def _children(parent: int) -> list[int]:
    """Processes below a process that have begun to work."""
    text = Path(f"/proc/{parent}/task/{parent}/children").read_text()
    return [int(word) for word in text.split() if "spawn_main" in _command(word)]


def _command(process: str) -> str:
    return Path(f"/proc/{process}/cmdline").read_bytes().decode()


def _wait_for(there: Any) -> Any:
    end = time.monotonic() + 60.0
    while time.monotonic() < end:
        if found := there():
            return found
        time.sleep(0.05)
    raise AssertionError("nothing came in a minute")


@pytest.fixture
def scheduler() -> Iterator[tuple[str, list[subprocess.Popen[bytes]]]]:
    """The address of a scheduler of Dask, and its two workers."""
    pytest.importorskip("distributed", reason="Dask is not installed: pip install 'cellway[dask]'")
    with closing(socket.socket()) as free:
        free.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{free.getsockname()[1]}"
    host, port = address.split(":")

    def started(role: str, *words: str) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", f"distributed.cli.dask_{role}", *words, "--no-dashboard"]
        return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    main = started("scheduler", "--host", host, "--port", port)
    workers = [
        started("worker", f"tcp://{address}", "--nthreads", "1", "--no-nanny") for _ in range(2)
    ]
    try:
        yield address, workers
    finally:
        for process in (*workers, main):
            process.kill()
            process.wait()


@pytest.mark.filterwarnings("ignore")
def test_dask_loses_a_worker_and_no_run(
    scheduler: tuple[str, list[subprocess.Popen[bytes]]], alone: object, tmp_path: Path
) -> None:
    address, workers = scheduler
    _wait_until_two(address)
    given = study_of(40, lasting("400 ms", BESIDE))
    killed: list[int] = []

    def progress(done: int, _every: int, _exact: str) -> None:
        if done and not killed:
            workers[0].kill()
            killed.append(done)

    results = given.run(tmp_path / "out", executor=f"dask://{address}", progress=progress)
    assert 0 < killed[0] < 120
    assert workers[0].wait(10) == -signal.SIGKILL
    with Store.read(tmp_path / "out") as store:
        assert len(store.keys()) == len(results.records) == 120
    one = given.run(tmp_path / "one", workers=1)
    assert tables(results, tmp_path) == tables(one, tmp_path)
    again = study_of().run(tmp_path / "again", executor=f"dask://{address}")
    assert tables(again, tmp_path) == alone


def _wait_until_two(address: str) -> None:
    from distributed import Client  # noqa: PLC0415

    with Client(f"tcp://{address}", timeout=60) as client:
        client.wait_for_workers(2, timeout=60)


def test_ctrl_c_ends_processes_and_keeps_finished_runs(tmp_path: Path) -> None:
    (tmp_path / "small.toml").write_text(lasting("5 s"))
    (tmp_path / "mine.toml").write_text('[study]\nscenario = "small.toml"\nreplications = 2000\n')
    words = ["study", "mine.toml", "--workers", "1", "--executor", "processes"]
    process = process_of(MAIN, words, tmp_path)
    children = _wait_for(lambda: _children(process.pid))
    _, said = ended_by(signal.SIGINT, process)
    assert said == "interrupted\n"
    assert not any(Path(f"/proc/{child}/exe").exists() for child in children)
    assert len(cellway.load_results(tmp_path / "out" / "mine").records) < 2000
