"""Numbers of a summary by path, with their units, for those who ask for them."""

from collections.abc import Iterator, Mapping
from typing import Any

UNITS_OF: Mapping[str, tuple[str, ...]] = {
    "_bits_per_second": ("bit/s", "kbit/s", "Mbit/s"),
    "_cells_per_second": ("1",),
    "_seconds": ("s", "ms", "us"),
    "_bytes": ("B", "KiB"),
    ".bytes": ("B", "KiB"),
    "_queue": ("cell", "packet"),
    "_s": ("s", "ms", "us"),
    "utilisation": ("1", "%"),
    "efficiency": ("1", "%"),
    "fairness": ("1", "%"),
}
"""Units by the ending of a path: that of its number, and others that it can be shown in."""
NAME = "NAME"
_NAMED = ("flows", "ports", "vcs", "links", "channels", "families", "protocols")
"""Tables whose keys are names of the scenario."""
_EXAMPLES = (
    "abr-vbr",
    "cellular",
    "gfr-dfba",
    "instcap",
    "mixed",
    "proxy",
    "random-loss",
    "voice-beside-bulk",
    "web",
)
"""Shipped scenarios whose summaries together have all numbers."""


def units_of(path: str) -> tuple[str, ...]:
    """Units that the number at `path` can be in, its own first; empty if that is unknown."""
    found = (units for ending, units in UNITS_OF.items() if path.endswith(ending))
    return next(found, ())


def numbers() -> dict[str, str]:
    """The unit of every number of a summary by path, with NAME for names; empty if unknown."""
    from cellway.scenario.shipped import called  # noqa: PLC0415
    from cellway.study.response_names import trial  # noqa: PLC0415

    paths: set[str] = set()
    for name in _EXAMPLES:
        paths.update(_paths(trial(called(name).scenario()).summary))
    return {path: (units_of(path) or ("",))[0] for path in sorted(paths)}


def _paths(tree: Mapping[str, Any], above: str = "") -> Iterator[str]:
    """Paths of numbers, and of nulls, which stand for numbers that this run lacks."""
    for name, inside in tree.items():
        if isinstance(inside, Mapping):
            if name in _NAMED:
                for one in inside.values():
                    yield from _paths(one, f"{above}{name}.{NAME}.")
            else:
                yield from _paths(inside, f"{above}{name}.")
        elif inside is None or (isinstance(inside, int | float) and not isinstance(inside, bool)):
            yield f"{above}{name}"
