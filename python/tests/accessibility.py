"""Findings of axe-core, a kept checker of accessibility, on a page in the browser."""

from functools import cache
from importlib.resources import files

from browser import Tab

_FINDINGS = """axe.run(document, {resultTypes: ["violations"]}).then(({violations}) =>
  violations.flatMap(({id, impact, nodes}) =>
    nodes.map(({html}) => `${impact}: ${id}: ${html.slice(0, 120)}`)))"""


@cache
def _checker() -> str:
    return (files("axe_core_python") / "axe.min.js").read_text(encoding="utf-8")


def findings(tab: Tab) -> list[str]:
    """Violations of the page as it is now: impact, rule and element."""
    tab.run(f"{_checker()}; 0")
    found: list[str] = tab.run(_FINDINGS)
    return found
