"""Pages of the scenarios and studies that come with cellway, with their texts."""

from pathlib import PurePosixPath

from cellway.scenario.shipped import STUDIES, Shipped, shipped

PLACE = "scenarios"


def scenario_pages() -> tuple[dict[str, str], dict[str, str]]:
    """Texts of the pages by name; and the page of each file of scenarios/, by its place."""
    found = shipped()
    pages = {f"{PLACE}/{one.name}.md": _page(one) for one in found}
    places = {f"scenarios/{one.name}.toml": f"{PLACE}/{one.name}.md" for one in found}
    of_scenarios = [one for one in found if not one.name.startswith(STUDIES)]
    of_studies = [one for one in found if one.name.startswith(STUDIES)]
    pages[f"{PLACE}/index.md"] = _index(
        "Scenarios that come with cellway",
        "`cellway init NAME` writes a scenario, and the files that it names, to this folder.",
        of_scenarios,
    )
    pages[f"{PLACE}/studies/index.md"] = _index(
        "Studies that come with cellway",
        "`cellway init studies/NAME` writes a study and its scenario.",
        of_studies,
    )
    return pages, places


def _index(title: str, about: str, found: list[Shipped]) -> str:
    rows = [f"| [{PurePosixPath(one.name).name}]({_file(one)}) | {one.about} |" for one in found]
    return "\n".join([f"# {title}", "", about, "", "| name | about |", "|---|---|", *rows, ""])


def _file(one: Shipped) -> str:
    return f"{PurePosixPath(one.name).name}.md"


def _page(one: Shipped) -> str:
    """Its sentence, the command that writes it and its text; of other files only the names."""
    path, text = next(iter(one.files.items()))
    others = [name for name in one.files if name != path]
    beside = f" It also writes {', '.join(f'`{name}`' for name in others)}." if others else ""
    verb = "study" if one.name.startswith(STUDIES) else "run"
    commands = ["```sh", f"cellway init {one.name}", f"cellway {verb} {path}", "```"]
    return "\n".join(
        [
            f"# {PurePosixPath(one.name).name}",
            "",
            one.about,
            "",
            *commands,
            "",
            f"The first command writes this file.{beside}",
            "",
            "```toml",
            text.rstrip(),
            "```",
            "",
        ]
    )
