"""Suggestions for a name that is not there."""

from collections.abc import Iterable


def did_you_mean(word: str, known: Iterable[str], most: int = 3) -> str:
    """The hint ``; did you mean tail or taildrop?`` with the most similar names, empty for none."""
    from difflib import get_close_matches  # noqa: PLC0415 - names are seldom wrong

    near = get_close_matches(word, list(known), most)
    return f"; did you mean {' or '.join(near)}?" if near else ""
