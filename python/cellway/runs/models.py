"""Makers of results: editions of the model and, of measurements, the kernel; the present ones."""

import platform
from collections.abc import Sequence
from typing import Literal

from cellway._core import build_info

MODEL_VERSION = build_info()["model"]
"""Edition of the model: a number, and a hash of the results of a fixed set of runs."""
Way = Literal["simulate", "measure"]
"""Way to make a run: by the simulator alone, or with the TCP of this machine's kernel."""
SIMULATE: Way = "simulate"
MEASURE: Way = "measure"
WAYS: tuple[Way, ...] = (SIMULATE, MEASURE)
WITH_KERNEL = " with Linux "
"""Text between the edition of the path's model and the kernel whose TCP was measured."""
OTHER_TOOL = "another tool, "
"""Beginning of the maker of imported results; the name of their file follows."""
_UNKNOWN = "a model that is not known"


def present_kernel() -> str:
    """Release of this machine's kernel."""
    return platform.release()


def maker(way: Way) -> str:
    """Maker of runs that are made here and now: an edition, for measurements with the kernel."""
    kernel = f"{WITH_KERNEL}{present_kernel()}" if way == MEASURE else ""
    return f"{MODEL_VERSION}{kernel}"


def edition_of(made_by: str) -> str:
    """Edition of the model in the name of a maker."""
    return made_by.partition(WITH_KERNEL)[0]


def kernel_of(made_by: str) -> str:
    """Release of the kernel in the name of a maker; empty for simulations."""
    return made_by.partition(WITH_KERNEL)[2]


def way_of(made_by: str) -> Way:
    """Way in which a maker makes runs."""
    return MEASURE if WITH_KERNEL in made_by else SIMULATE


def note_of(models: Sequence[str]) -> str | None:
    """One line on the models that made a result; `None` where the present one made all of it.

    Args:
        models: names, each once; an empty one is not known.
    """
    if not models or tuple(models) == (MODEL_VERSION,):
        return None
    several = "several models, " if len(models) > 1 else ""
    return f"made by {several}{listed(models)}; this is {MODEL_VERSION}"


def listed(models: Sequence[str]) -> str:
    """The names of models, joined for a sentence."""
    return " and ".join(map(_named, models)) or "no model"


def _named(model: str) -> str:
    if model.startswith(OTHER_TOOL):
        return model
    return f"model {model}" if model else _UNKNOWN
