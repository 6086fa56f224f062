"""Published results that re-run and judge themselves.

A paper is data: a folder with `published.toml` and the scenarios it names; nothing here knows any
paper. `paper_ids` lists them, `paper` reads one, `reproduce` runs it.
"""

from cellway.catalogue.claims import Finding
from cellway.catalogue.published import Claim, Paper, Row
from cellway.catalogue.reading import load_paper
from cellway.catalogue.rows import Result
from cellway.catalogue.runner import Reproduction, reproduce
from cellway.catalogue.shelf import paper, paper_ids
from cellway.catalogue.verdict import Verdict, judge

__all__ = [
    "Claim",
    "Finding",
    "Paper",
    "Reproduction",
    "Result",
    "Row",
    "Verdict",
    "judge",
    "load_paper",
    "paper",
    "paper_ids",
    "reproduce",
]
