"""Every figure of the pages is whole: a picture that a browser refuses is not on its page."""

from pathlib import Path
from xml.etree import ElementTree

import pytest

DOCS = Path(__file__).parents[2] / "docs"
FIGURES = sorted(DOCS.rglob("*.svg"))
SVG = "{http://www.w3.org/2000/svg}svg"


def test_there_are_figures() -> None:
    assert len(FIGURES) > 30


@pytest.mark.parametrize("figure", FIGURES, ids=lambda figure: str(figure.relative_to(DOCS)))
def test_a_figure_is_xml(figure: Path) -> None:
    root = ElementTree.parse(figure).getroot()
    assert root.tag == SVG
    assert len(root) > 0
