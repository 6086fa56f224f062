"""What `import cellway` costs."""

import subprocess
import sys

HEAVY = ("numpy", "matplotlib", "scipy", "polars", "rich", "typer")

MEASURE = """
import sys, time
before = time.perf_counter()
import cellway
print(time.perf_counter() - before)
print(*sys.modules)
"""


def test_importing_is_quick_and_brings_nothing_heavy() -> None:
    seconds = []
    for _ in range(5):
        answer = subprocess.run(
            [sys.executable, "-c", MEASURE], capture_output=True, text=True, check=True
        ).stdout
        first, modules = answer.splitlines()
        seconds.append(float(first))
        assert not {name.partition(".")[0] for name in modules.split()} & set(HEAVY)
    assert min(seconds) < 0.3


def test_a_run_without_series_needs_no_numpy() -> None:
    script = "import sys, cellway.cli\ntry: cellway.cli.main()\nfinally: print(*sys.modules, file=sys.stderr)"
    answer = subprocess.run(
        [sys.executable, "-c", script, "reproduce", "magic-1997", "S4-T2-R1", "--quick"],
        capture_output=True,
        text=True,
        check=True,
    )
    loaded = {name.partition(".")[0] for name in answer.stderr.split()}
    assert not loaded & {"numpy", "matplotlib", "scipy", "polars"}
