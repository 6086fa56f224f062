"""The comment with which a file begins."""

_RESOLVED = "# Resolved scenario;"
"""Beginning of the text of a saved scenario, which has no other comments."""


def opening(text: str) -> str:
    """The first paragraph of a file, if it is a comment: what it is for; else empty."""
    lines: list[str] = []
    for line in text.split("\n"):
        # A command that the comment shows is indented.
        if not line.startswith("# ") or line.startswith(("#  ", _RESOLVED)):
            break
        lines.append(line[2:].strip())
    # One space between words, as there is when the text is wrapped again.
    return " ".join(word for word in " ".join(lines).split(" ") if word).removesuffix(":")


def is_resolved(text: str) -> bool:
    """True for the text of a saved scenario, which has all defaults."""
    return text.startswith(_RESOLVED)
