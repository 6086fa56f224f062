"""`cellway shell`: a prompt, or a program, at a host of a scenario, in real time."""

import os
import signal
import sys
from typing import Annotated

from cellway.cli.ending import ending
from cellway.cli.measuring import Asked, MeasuredOut
from cellway.cli.options import Force, ScenarioFile, Seed, Sets, read_scenario
from cellway.cli.parameters import Argument, ExitError, Rest
from cellway.cli.programs import LeftTo, Programs, programs_of, require_program
from cellway.runs.measured import Program
from cellway.scenario.scenario import Scenario

HORIZON = f"{30 * 86_400} s"
"""Longest time of a shell."""
INTERVAL = '"10 ms"'
"""First distance of points of a series, which doubles whenever there are too many."""


def shell(
    scenario: ScenarioFile,
    host: Annotated[str, Argument(metavar="HOST", help="A host of the scenario.")],
    sets: Sets = [],
    seed: Seed = None,
    programs: Programs = [],
    flows: LeftTo = [],
    out: MeasuredOut = None,
    force: Force = False,
    command: Annotated[
        list[str], Rest("COMMAND...", "Run this instead of the shell of $SHELL.")
    ] = [],
) -> None:
    """Open a shell at a host of a scenario, whose network is the path in real time.

    Other hosts are reached by their names in the scenario. The path ends with the shell, whose exit
    code is that of this command. It needs Linux and root; `cellway doctor` says what is missing.
    """
    words = command or [os.environ.get("SHELL") or "/bin/sh"]
    require_program("shell", words[0])
    checked = _endless(read_scenario(scenario, sets, seed))
    foreground = Program(host, words, has_terminal=True)
    asked = Asked(checked, [*programs_of(programs), foreground], flows, out, force, as_json=False)
    with ending(by_terminal=False) as end:
        try:
            finished = asked.measure(end)
        finally:
            _take_terminal()
    asked.tell(finished)
    asked.leave(finished, end)
    ran = (finished.measured or {}).get("programs", [])
    if code := ran[-1]["code"]:
        raise ExitError(code)


def _endless(scenario: Scenario) -> Scenario:
    """The scenario without an end of its own, measured from the start."""
    sets: list[tuple[str, str]] = [("run.duration", f'"{HORIZON}"'), ("run.warm_up", '"0 s"')]
    if scenario.observes:
        sets.append(("observe.interval", INTERVAL))
    return scenario.with_sets(sets)


def _take_terminal() -> None:
    """Takes the terminal back, which a shell has given to its own processes."""
    if not sys.stdin or not sys.stdin.isatty():
        return
    before = signal.signal(signal.SIGTTOU, signal.SIG_IGN)
    try:
        os.tcsetpgrp(sys.stdin.fileno(), os.getpgrp())
    except OSError:  # It is closed, and nobody else has it.
        pass
    finally:
        signal.signal(signal.SIGTTOU, before)
