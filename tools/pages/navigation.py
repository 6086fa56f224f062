"""Navigation of the site, whose patterns name the pages of whole folders."""

from collections.abc import Iterable, Sequence
from typing import Any

REST = "*"


class NavigationError(Exception):
    """Entry of the navigation for pages that are not there."""


def navigation(entries: Sequence[Any], pages: Iterable[str]) -> list[Any]:
    """The entries with pages in place of patterns.

    `FOLDER/*` is each page right in the folder that no entry names, its index first; `*` is each
    page that no other entry takes. A pattern without pages is left out.

    Raises:
        NavigationError: an entry without a pattern names a page that is not there.
    """
    known = sorted(pages, key=lambda page: (not page.endswith("index.md"), page))
    named = {*_named(entries)}
    if missing := sorted(one for one in named if not one.endswith(REST) and one not in known):
        raise NavigationError(f"no such page: {', '.join(missing)}")
    folders = {one.removesuffix(REST) for one in named if one.endswith(f"/{REST}")}

    def of(pattern: str) -> list[str]:
        if pattern != REST:
            folder = pattern.removesuffix(REST)
            return [one for one in known if one not in named and _folder(one) == folder]
        return [one for one in known if one not in named and _folder(one) not in folders]

    def opened(given: Any) -> list[Any]:
        """The entries that stand in place of one."""
        if isinstance(given, str):
            return of(given) if given.endswith(REST) else [given]
        ((title, inside),) = given.items()
        if isinstance(inside, list):
            found = [part for one in inside for part in opened(one)]
        elif inside.endswith(REST):
            found = of(inside)
        else:
            return [given]
        return [{title: found}] if found else []

    return [part for one in entries for part in opened(one)]


def _folder(page: str) -> str:
    return page[: page.rfind("/") + 1]


def _named(entries: Sequence[Any]) -> Iterable[str]:
    for one in entries:
        if isinstance(one, str):
            yield one
            continue
        ((_, inside),) = one.items()
        yield from _named(inside if isinstance(inside, list) else [inside])
