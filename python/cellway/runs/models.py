"""Editions of the model: the one that made a result, and the present one."""

from collections.abc import Sequence

from cellway._core import build_info

MODEL_VERSION = build_info()["model"]
"""Edition of the model: a number, and a hash of the results of a fixed set of runs."""
_UNKNOWN = "a model that is not known"


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
    return " and ".join(f"model {name}" if name else _UNKNOWN for name in models) or "no model"
