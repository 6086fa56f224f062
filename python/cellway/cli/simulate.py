"""`run` and `plot`."""

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import Any

from cellway.cli.exits import FINE, InputError
from cellway.cli.progress import progress_bar
from cellway.files import whole_file
from cellway.run import Run, run
from cellway.saved import SUMMARY
from cellway.scenario import Scenario
from cellway.text import run_text

FORMATS = ("png", "svg", "pdf")


def add_commands(commands: Any) -> None:  # noqa: ANN401
    """Adds the commands of this file."""
    simulate = commands.add_parser("run", help="simulate a scenario")
    add_scenario(simulate)
    simulate.add_argument("--out", type=Path, metavar="DIR", help="write summary, resolved scenario and series here")
    simulate.add_argument("--json", action="store_true", help="print the summary as JSON")
    simulate.set_defaults(perform=_run)

    plot = commands.add_parser("plot", help="draw a saved run, or run a scenario and draw it")
    plot.add_argument("source", type=Path, metavar="DIR|SCENARIO")
    _add_sets(plot)
    plot.add_argument("--format", choices=FORMATS, default="png", help="file format (default: png)")
    plot.add_argument("--from", dest="start", type=float, default=0.0, metavar="S", help="begin at this second")
    plot.add_argument("--to", dest="end", type=float, metavar="S", help="end at this second")
    plot.add_argument("--out", type=Path, metavar="FILE", help="where to write (default: beside the source's name)")
    plot.set_defaults(perform=_plot)


def add_scenario(command: argparse.ArgumentParser) -> None:
    """The arguments by which a command takes a scenario."""
    command.add_argument("scenario", type=Path, metavar="SCENARIO", help="a TOML file")
    _add_sets(command)


def _add_sets(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--set",
        dest="sets",
        action="append",
        default=[],
        type=_assignment,
        metavar="KEY=VALUE",
        help='such as link.x.delay="10 ms"; may be repeated, obeys the same checks as the file',
    )
    command.add_argument("--seed", type=int, help="root of the random streams, instead of run.seed")


def _assignment(text: str) -> tuple[str, str]:
    key, equals, value = text.partition("=")
    if not equals or not key.strip():
        raise argparse.ArgumentTypeError(f"{text!r} is not KEY=VALUE, such as link.x.delay=\"10 ms\"")
    return key.strip(), value.strip()


def load(chosen: argparse.Namespace, path: Path | None = None) -> Scenario:
    """The scenario that the command line asks for."""
    sets = list(chosen.sets)
    if chosen.seed is not None:
        sets.append(("run.seed", str(chosen.seed)))
    scenario = Scenario.load(path or chosen.scenario)
    return scenario.with_sets(sets) if sets else scenario


def _run(chosen: argparse.Namespace) -> int:
    scenario = load(chosen)
    if chosen.out is not None:
        _check_folder(chosen.out)
    finished = _simulate(scenario)
    if chosen.out is not None:
        finished.save(chosen.out)
    print(finished.summary_json if chosen.json else run_text(finished))
    if chosen.out is not None and not chosen.json:
        print(f"written to {chosen.out}")
    return FINE


def _simulate(scenario: Scenario) -> Run:
    with progress_bar("simulating") as step:
        told: Callable[[float, float], None] | None = step
        return run(scenario, told)


def _plot(chosen: argparse.Namespace) -> int:
    finished = _finished(chosen)
    target = chosen.out or _beside(chosen.source, chosen.format)
    if not finished.series_names:
        raise InputError(f"{chosen.source}: nothing was recorded; add an `[observe]` table to the scenario")
    try:
        figure = finished.plot(chosen.start, chosen.end)
    except ValueError as error:
        raise InputError(f"{chosen.source}: {error}") from error
    with whole_file(target) as file:
        figure.savefig(file, format=chosen.format)
    print(f"drawn in {target}")
    return FINE


def _finished(chosen: argparse.Namespace) -> Run:
    """The saved run in a folder, or a new one of a scenario file."""
    if not chosen.source.is_dir():
        return _simulate(load(chosen, chosen.source))
    if not (chosen.source / SUMMARY).is_file():
        raise InputError(f"{chosen.source}: no {SUMMARY} here; a folder written by `cellway run --out` is accepted")
    if chosen.sets or chosen.seed is not None:
        raise InputError(f"{chosen.source}: a saved run cannot be changed; --set and --seed go with a scenario")
    return Run.load(chosen.source)


def _beside(source: Path, suffix: str) -> Path:
    return source / f"plot.{suffix}" if source.is_dir() else Path(f"{source.stem}.{suffix}")


def _check_folder(folder: Path) -> None:
    """Refuses before the run what could not be written after it."""
    if folder.exists() and not folder.is_dir():
        raise InputError(f"--out {folder}: is a file; a folder is accepted")
