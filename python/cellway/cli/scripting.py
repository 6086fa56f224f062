"""`cellway script`: packet scripts against a stack, expected beside actual."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

from cellway import _core
from cellway.cli.exits import BAD_INPUT, FAILED, FINE, BadInputError, unreadable
from cellway.cli.options import AsJson
from cellway.cli.parameters import Argument, ExitError, Option
from cellway.cli.programs import split_command
from cellway.cli.text import complain, say, say_json, table
from cellway.errors import ScriptError

_HEADER = ["line", "expected", "at s", "actual"]


def script(
    files: Annotated[
        list[Path],
        Argument(metavar="FILE", help="Packet scripts; docs/scripts.md has their language."),
    ],
    stack: Annotated[
        str,
        Option(
            "--stack",
            metavar="COMMAND",
            help="Program that is a transport itself; without it the simulator's own TCP.",
        ),
    ] = "model",
    show: Annotated[
        bool, Option(help="Print expected beside actual of scripts that pass, too.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Play packet scripts against the simulator's own TCP, or a program that is a transport.

    A script says which packets arrive and which have to leave, and when. A script that fails is
    printed up to there, expected beside actual, and the exit code is 1; a line that is none of the
    language is a fault at its place, and the code is 2. Statements beyond the language are skipped
    and named.
    """
    words = split_command("--stack", stack)
    code, reports = FINE, {}
    for file in files:
        try:
            report = json.loads(_core.run_script(str(file), _text(file), words))
        except ScriptError as error:
            code = BAD_INPUT
            complain(str(error))
            continue
        if report["fault"] is not None:
            code = max(code, FAILED)
        reports[str(file)] = report
        if not as_json:
            say(*_lines(file, report, show=show))
    if as_json:
        say_json(reports)
    if code != FINE:
        raise ExitError(code)


def _text(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8")
    except OSError as error:
        raise unreadable(file, error, "a packet script") from error
    except UnicodeDecodeError:
        raise BadInputError(f"{file}: no text in UTF-8; expected a packet script") from None


def _lines(file: Path, report: Mapping[str, Any], *, show: bool) -> list[str]:
    """Verdict of a script, with its statements if it fails or they are asked for."""
    fault = report["fault"]
    if fault is None:
        lines = [f"{file}: passes, {len(report['rows'])} statements"]
    else:
        line, why = fault
        lines = [f"{file}{f':{line}' if line else ''}: fails: {why}"]
    if fault is not None or show:
        lines += table(_HEADER, _rows(report), align="><><")
    lines += [
        f"note: {file}:{skipped['line']}: skipped {skipped['text']}: {skipped['why']}"
        for skipped in report["skipped"]
    ]
    return lines


def _rows(report: Mapping[str, Any]) -> list[list[str]]:
    played = [
        [str(row["line"]), row["expected"], _instant(row["at"]), row["actual"]]
        for row in report["rows"]
    ]
    left = [["", "", _instant(packet["at"]), packet["text"]] for packet in report["unexpected"]]
    return played + left


def _instant(seconds: float | None) -> str:
    return "" if seconds is None else f"{seconds:.6f}"
