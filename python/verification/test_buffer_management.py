"""docs/buffer-management.md says what its study gives today.

The whole study takes minutes; `make catalogue` asks for it. In between, the first run of every
point is what it was when the page was last compared with the whole study.
"""

import os
from dataclasses import replace
from pathlib import Path

import pytest

from cellway import load_study
from cellway.study import Results

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs/buffer-management.md"
STUDY = ROOT / "scenarios/studies/buffer-management.toml"
FIRST_RUNS = Path(__file__).parent / "golden/buffer-management.txt"
CEILING = 149.76e6 / 424 / 32 * 8 * 1460 / 1e6
"""Mbit/s: an OC-3c full of segments of 1460 bytes, each in 32 cells."""
MEASURED = 6
"""Columns at the end of the page's table that are numbers of the study."""


def measured(results: Results) -> dict[str, list[str]]:
    """Per policy: fraction of the guarantee by size, where it fills the link, where MCR is kept."""
    rows: dict[str, list[str]] = {}
    filled: dict[str, list[str]] = {}
    kept: dict[str, list[str]] = {}
    for point, condition in enumerate(results.conditions):
        policy, size = (
            str(condition.parameters["policy"]),
            str(condition.parameters["buffer"]).split()[0],
        )
        part, rate = results.estimate("guarantee", point), results.estimate("throughput", point)
        assert part is not None
        assert rate is not None
        width = ", all the same" if part.half_width is None else f" ± {part.half_width:.0f}"
        rows.setdefault(policy, []).append(f"{part.mean:.0f}{width}")
        filled.setdefault(policy, []).extend([size] if rate.mean >= 0.97 * CEILING else [])
        kept.setdefault(policy, []).extend([size] if part.mean >= 100.0 else [])
    return {
        policy: [*cells, ", ".join(filled[policy]), ", ".join(kept[policy]) or "none"]
        for policy, cells in rows.items()
    }


def first_runs(results: Results) -> str:
    """A line for each point: policy, buffer, and what its only run gave."""
    lines = [
        ", ".join(
            [
                *map(str, condition.parameters.values()),
                *(
                    f"{name} {results.values(name, point)[0]!r}"
                    for name in ("guarantee", "throughput")
                ),
            ]
        )
        for point, condition in enumerate(results.conditions)
    ]
    return "\n".join(lines) + "\n"


@pytest.mark.timeout(600)
def test_the_first_run_of_every_point_is_that_of_the_page() -> None:
    found = first_runs(replace(load_study(STUDY), replications=1).run())
    if os.environ.get("UPDATE_GOLDENS"):
        FIRST_RUNS.write_text(found)
    assert found == FIRST_RUNS.read_text(), "run `make catalogue`, which compares the whole page"


@pytest.mark.whole
@pytest.mark.timeout(1800)
def test_the_table_is_that_of_the_study() -> None:
    rows = measured(load_study(STUDY).run())
    lines = [
        line.strip("| ").split(" | ")
        for line in PAGE.read_text().splitlines()
        if line.startswith("| ")
    ]
    written = {cells[0]: cells[-MEASURED:] for cells in lines if cells[0] in rows}
    assert written == rows
