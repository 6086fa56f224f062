"""Pages of the Python interface, whose texts MkDocs takes from the docstrings."""

from pathlib import Path

PLACE = "reference/python"
_PAGES = {
    "Scenarios and runs": (
        "cellway.scenario.scenario.Scenario",
        "cellway.scenario.scenario.explain",
        "cellway.scenario.scenario.schema",
        "cellway.runs.runs.run",
        "cellway.runs.runs.Run",
        "cellway.runs.series.Series",
        "cellway.runs.capture.Capture",
        "cellway.runs.measured.measure",
        "cellway.runs.measured.Program",
    ),
    "Studies": (
        "cellway.study.study.Study",
        "cellway.study.results.Results",
    ),
    "Theory": ("cellway.prediction.predict", "cellway.theory"),
    "Netspec and stacks": ("cellway.netspec", "cellway.stack"),
    "Errors": ("cellway.errors",),
}


def interface_pages() -> dict[str, str]:
    """Texts of the pages by name, with a page that lists them."""
    pages = {
        f"{PLACE}/{title.lower().replace(' ', '-')}.md": "\n".join(
            [f"# {title}", "", *(f"::: {name}\n" for name in names)]
        )
        for title, names in _PAGES.items()
    }
    listed = [f"- [{text.splitlines()[0][2:]}]({Path(page).name})" for page, text in pages.items()]
    pages[f"{PLACE}/index.md"] = "\n".join(
        [
            "# Python interface",
            "",
            "`import cellway` gives the names on these pages; each is loaded when it is first",
            "used. The types of results are on [a page of their own](../results.md).",
            "",
            *listed,
            "",
        ]
    )
    return pages
