"""Ctrl-C, SIGTERM and SIGHUP: code 130 and one line, whenever they come: `cellway.disk.signals`."""

import signal
import time
from pathlib import Path

import pytest

import cellway
from started import MAIN, ended_by, outcome, process_of

LONG = 'run.duration="400000 s"'
ENDING = [signal.SIGINT, signal.SIGTERM, signal.SIGHUP]
Asked = tuple[int, str]
INTERRUPTED = (130, "interrupted\n")


def ended(code: str, arguments: list[str], folder: Path) -> Asked:
    """The exit code and stderr of ``python -c code arguments``."""
    done = outcome(code, arguments, folder)
    return done.returncode, done.stderr


BROKEN_IMPORT = f"""
import builtins, signal
whole = builtins.__import__
def broken_off(name, *arguments, **options):
    if {{when}}:
        builtins.__import__ = whole
        signal.raise_signal({{number}})
    return whole(name, *arguments, **options)
builtins.__import__ = broken_off
{MAIN}"""


@pytest.mark.parametrize("number", ENDING)
@pytest.mark.parametrize("module", ["textwrap", "cellway.cli.exits", "cellway.study"])
def test_while_a_module_is_imported(folder: Path, module: str, number: signal.Signals) -> None:
    """Without a traceback of whatever was being imported."""
    code = BROKEN_IMPORT.format(when=f"name == {module!r}", number=int(number))
    assert ended(code, ["study", "none.toml"], folder) == INTERRUPTED


@pytest.mark.parametrize("number", ENDING)
def test_whatever_a_library_makes_of_it(folder: Path, number: signal.Signals) -> None:
    """NumPy for one says of an interrupted import that it failed."""
    code = f"""
import signal, cellway.cli.reference
def fails():
    try:
        signal.raise_signal({int(number)})
    except KeyboardInterrupt:
        raise ImportError("failed to import") from None
cellway.cli.reference.schema = fails
{MAIN}"""
    assert ended(code, ["schema"], folder) == INTERRUPTED


@pytest.mark.parametrize("number", ENDING)
def test_while_series_are_taken_over(folder: Path, small: Path, number: signal.Signals) -> None:
    """NumPy, imported by the core, once broke it: a panic, code 1 and forty lines."""
    when = 'name.startswith("numpy.") or name == "_multiarray_umath"'
    code = BROKEN_IMPORT.format(when=when, number=int(number))
    assert ended(code, ["run", small.name, "--out", "out"], folder) == INTERRUPTED
    assert not (folder / "out" / "summary.json").exists()


def test_while_series_are_written(folder: Path, small: Path) -> None:
    """An archive in a file that was closed before it said so in a traceback."""
    code = f"""
import signal, zipfile
entry = zipfile._ZipWriteFile
whole = entry.close
def broken_off(self):
    entry.close = whole
    signal.raise_signal(signal.SIGTERM)
entry.close = broken_off
{MAIN}"""
    assert ended(code, ["run", small.name, "--out", "out"], folder) == INTERRUPTED
    assert not (folder / "out" / "summary.json").exists()


@pytest.mark.parametrize("number", ENDING)
@pytest.mark.parametrize("command", [["run", "small.toml", "--out", "out"], ["plot", "small.toml"]])
def test_during_a_run_nothing_is_left(
    folder: Path, small: Path, command: list[str], number: signal.Signals
) -> None:
    code = f"print(flush=True); {MAIN}"
    with process_of(code, [*command, "--set", LONG], folder) as process:
        assert process.stdout is not None
        process.stdout.readline()
        assert ended_by(number, process)[1] == "interrupted\n"
    assert sorted(folder.iterdir()) == [small]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGHUP])
def test_one_that_is_ignored_stays_ignored(
    folder: Path, small: Path, number: signal.Signals
) -> None:
    """As under `nohup`, or in the background of a shell script."""
    code = f"""
import signal, cellway.runs.runs
signal.signal({int(number)}, signal.SIG_IGN)
whole = cellway.runs.runs.run
def run(*arguments, **options):
    signal.raise_signal({int(number)})
    return whole(*arguments, **options)
cellway.runs.runs.run = run
{MAIN}"""
    assert ended(code, ["run", small.name], folder) == (0, "")


MANY = """
run.duration = "1 ms"
host = { a.count = 100000, b = {} }
link.wire = { count = 100000, between = ["a[*]", "b"], rate = "OC-3c", delay = "1 ms" }
flow.f = { count = 100000, from = "a[*]", to = "b", traffic = "greedy", tcp = {} }
"""


def test_while_a_scenario_is_read() -> None:
    """A short text may have a hundred thousand hosts; reading them heard nothing until its end."""
    began = time.monotonic()
    cellway.Scenario.parse(MANY)
    whole = time.monotonic() - began
    before = signal.signal(signal.SIGALRM, signal.default_int_handler)
    try:
        signal.setitimer(signal.ITIMER_REAL, whole / 10)
        began = time.monotonic()
        with pytest.raises(KeyboardInterrupt):
            cellway.Scenario.parse(MANY)
        assert time.monotonic() - began < 0.7 * whole
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0.0)
        signal.signal(signal.SIGALRM, before)
