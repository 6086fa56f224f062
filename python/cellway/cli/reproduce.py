"""`reproduce`: published results, re-run and judged."""

import argparse
import json
from pathlib import Path
from typing import Any

from cellway.catalogue import Paper, Reproduction, paper, paper_ids, reproduce
from cellway.catalogue.markdown import reproduced_markdown
from cellway.catalogue.report import reproduction_json, reproduction_text
from cellway.cli.exits import FAILED, FINE, INTERRUPTED, InputError
from cellway.cli.progress import progress_bar
from cellway.files import whole_file, write_text


def add_commands(commands: Any) -> None:  # noqa: ANN401
    """Adds the command of this file."""
    command = commands.add_parser("reproduce", help="re-run published results and judge them; without PAPER all of them")
    command.add_argument("paper", nargs="?", metavar="PAPER", help=f"one of {', '.join(paper_ids())}")
    command.add_argument("table", nargs="?", metavar="TABLE", help="a table or a row, such as S4-T3 or S4-T3-R1")
    command.add_argument("--quick", action="store_true", help="one replication per row")
    command.add_argument("--sensitivity", action="store_true", help="also what the paper leaves open, varied")
    command.add_argument("--json", action="store_true", help="as JSON")
    command.add_argument("--workers", type=_workers, metavar="N", help="threads (default: a core each)")
    command.add_argument("--markdown", type=Path, metavar="FILE", help="write the results as Markdown")
    command.add_argument("--plots", type=Path, metavar="DIR", help="draw published against ours, a PNG per paper")
    command.set_defaults(perform=_reproduce)


def _workers(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of threads, 1 or more")
    return int(text)


def _reproduce(chosen: argparse.Namespace) -> int:
    _check_targets(chosen)
    wanted = [paper(chosen.paper)] if chosen.paper else [paper(identifier) for identifier in paper_ids()]
    done = [_one(published, chosen) for published in wanted]
    if chosen.json:
        print(json.dumps([reproduction_json(reproduction) for reproduction in done], indent=2))
    else:
        print("\n\n".join(reproduction_text(reproduction) for reproduction in done))
    if chosen.markdown is not None and all(reproduction.complete for reproduction in done):
        write_text(chosen.markdown, reproduced_markdown(done))
    if chosen.plots is not None:
        _draw(done, chosen.plots)
    if not all(reproduction.complete for reproduction in done):
        return INTERRUPTED
    return FINE if all(reproduction.passed for reproduction in done) else FAILED


def _one(published: Paper, chosen: argparse.Namespace) -> Reproduction:
    with progress_bar(published.id) as step:
        return reproduce(
            published,
            chosen.table,
            quick=chosen.quick,
            sensitivity=chosen.sensitivity,
            workers=chosen.workers,
            on_done=step,
        )


def _check_targets(chosen: argparse.Namespace) -> None:
    """Refuses before the runs what could not be written after them."""
    if chosen.markdown is not None and not chosen.markdown.absolute().parent.is_dir():
        raise InputError(f"--markdown {chosen.markdown}: no such folder; a file in an existing folder is accepted")
    if chosen.plots is not None and chosen.plots.exists() and not chosen.plots.is_dir():
        raise InputError(f"--plots {chosen.plots}: is a file; a folder is accepted")


def _draw(done: list[Reproduction], folder: Path) -> None:
    from cellway.plot import plot_reproduction  # noqa: PLC0415

    folder.mkdir(parents=True, exist_ok=True)
    for reproduction in done:
        target = folder / f"{reproduction.paper.id}.png"
        with whole_file(target) as file:
            plot_reproduction(reproduction).savefig(file, format="png")
        print(f"drawn in {target}")
