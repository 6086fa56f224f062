"""What `import cellway` costs."""

import subprocess
import sys

HEAVY = ("numpy", "matplotlib", "scipy", "polars", "rich", "typer")

MEASURE = """
import sys
before = len(sys.modules)
import cellway
print(len(sys.modules) - before)
print(*sys.modules)
"""


MAX_MODULES = 200
"""Modules of the standard library and ours: some 0.2 s, which depends on the machine's load."""


def test_importing_is_quick_and_brings_nothing_heavy() -> None:
    answer = subprocess.run(
        [sys.executable, "-c", MEASURE], capture_output=True, text=True, check=True
    ).stdout
    loaded, modules = answer.splitlines()
    assert not {name.partition(".")[0] for name in modules.split()} & set(HEAVY)
    assert int(loaded) < MAX_MODULES


def test_a_run_without_series_needs_no_numpy() -> None:
    script = (
        "import sys, cellway.cli\n"
        "try: cellway.cli.main()\n"
        "finally: print(*sys.modules, file=sys.stderr)"
    )
    answer = subprocess.run(
        [sys.executable, "-c", script, "reproduce", "magic-1997", "S4-T2-R1", "--quick"],
        capture_output=True,
        text=True,
        check=True,
    )
    loaded = {name.partition(".")[0] for name in answer.stderr.split()}
    assert not loaded & {"numpy", "matplotlib", "scipy", "polars"}
