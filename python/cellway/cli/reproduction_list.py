"""The papers of the catalogue, with their runs and how long these take."""

from collections.abc import Mapping
from textwrap import shorten

from cellway import catalogue
from cellway.catalogue.runner import planned_runs
from cellway.cli.exits import BadInputError
from cellway.cli.study_design import duration
from cellway.cli.text import say, say_json, titled

TITLE = 52
"""Most letters of a title."""


def list_papers(given: Mapping[str, object], *, as_json: bool) -> None:
    """Prints the papers, and how to run one or all.

    Raises:
        BadInputError: one of the options `given` is for runs.
    """
    names = catalogue.paper_ids()
    for option, value in given.items():
        if value:
            raise BadInputError(
                f"{option}: expected a paper, one of {', '.join(names)}, or --all for all of them"
            )
    papers = [catalogue.paper(name) for name in names]
    facts = [
        {
            "paper": one.id,
            "title": one.title,
            "numbers": len(one.numbers),
            "runs": planned_runs(one),
            "quick_runs": planned_runs(one, quick=True),
            "cpu_seconds": one.cpu_seconds,
        }
        for one in papers
    ]
    if as_json:
        say_json({"papers": facts})
        return
    rows = [
        {
            "paper": one.id,
            "numbers": str(fact["numbers"]),
            "runs": str(fact["runs"]),
            "CPU time": "–" if one.cpu_seconds is None else duration(one.cpu_seconds),
            "runs with --quick": str(fact["quick_runs"]),
            "": shorten(one.title, TITLE, placeholder="…"),
        }
        for one, fact in zip(papers, facts, strict=True)
    ]
    say(
        *titled(rows, "<>>>><", less=("",)),
        "",
        "cellway reproduce PAPER runs one and judges it; --quick makes one run of each number.",
        "cellway reproduce --all runs all of them. Several cores divide the time.",
    )
