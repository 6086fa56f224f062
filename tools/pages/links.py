"""Links of a page: between pages of the site, and to files that are in the source tree alone."""

import os
import re
from collections.abc import Callable, Mapping
from posixpath import dirname, join, normpath, relpath

from pages.places import ROOT

_FENCE = re.compile(r"^( *)(`{3,}|~{3,}).*?^\1\2 *$", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\[\]]*\])*)\]\(([^()\s]+)\)")
_LIST = re.compile(r"^(?P<space> *)(?:[-*+]|\d+\.) ")
_ELSEWHERE = re.compile(r"[a-z]+:|#")


class LinkError(Exception):
    """Link of a page to a file that is not there."""


def outside_fences(text: str, change: Callable[[str], str]) -> str:
    """The text with everything changed that is no block of code."""
    parts, at = list[str](), 0
    for fence in _FENCE.finditer(text):
        parts += [change(text[at : fence.start()]), fence[0]]
        at = fence.end()
    return "".join([*parts, change(text[at:])])


def linked(text: str, source: str, page: str, places: Mapping[str, str]) -> str:
    """The text of a file as that of a page, with its links.

    A link to a file without a page becomes the name of its place in the source tree.

    Args:
        text: of the file.
        source: the file, relative to the project.
        page: the page, relative to the site.
        places: pages and files of the site by place.

    Raises:
        LinkError: a link leads to no file.
    """

    def one(link: re.Match[str]) -> str:
        mark, words, target = link.groups()
        if _ELSEWHERE.match(target):
            return link[0]
        path, _, heading = target.partition("#")
        place = normpath(join(dirname(source), path))
        if place in places:
            there = relpath(places[place], dirname(page) or ".")
            return f"{mark}[{words}]({there}{'#' if heading else ''}{heading})"
        if not os.path.lexists(ROOT / place):
            raise LinkError(f"{source}: no such file: {target}")
        named = words.strip("`").replace("\n", " ")
        return words if place.endswith(named.strip("/")) else f"{words} (`{place}` in the source)"

    return outside_fences(text, lambda part: _LINK.sub(one, part))


def lists(text: str) -> str:
    """The text with an empty line before each list, and items inside others four columns further.

    Both are what the Markdown of the site expects; that of code hosts takes two columns, and no
    empty line.
    """

    def spaced(part: str) -> str:
        made, before = list[str](), ""
        for line in part.split("\n"):
            item = _LIST.match(line)
            is_inner = item is not None and len(item["space"]) in (2, 3)
            begins = item is not None and not item["space"] and before[:1] not in ("", " ", "|")
            if begins and not _LIST.match(before):
                made.append("")
            made.append(f"  {line}" if is_inner else line)
            before = line
        return "\n".join(made)

    return outside_fences(text, spaced)
