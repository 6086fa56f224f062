"""Faulty papers: whatever is wrong in one of their files is said at its place."""

from common import CLAIMS, PAPER, Make, joined, texts_of
from faults import Fault, faults, require_refused

WHOLE = joined(PAPER, CLAIMS, *map(texts_of, ("windows", "without-pacing", "curves", "layout")))


@faults("published", "criteria", "choices", "reasons", "figures", "layout")
def test_a_faulty_paper_is_refused_at_its_place(make: Make, fault: Fault) -> None:
    require_refused(make, WHOLE, f"{fault.listed_in}.toml", fault)
