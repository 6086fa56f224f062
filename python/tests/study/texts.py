"""A study file and a scenario with chance, which several tests run."""

from common import SMALL, text_of

STUDY = text_of("window.toml")
"""Of `SMALL` in the same folder: two windows and two drop policies."""

CHANCE = text_of("chance.toml")
"""Poisson cells beside a connection: every seed gives another result."""

BESIDE = f"""\
{SMALL}[flow.others]
from = "a"
to = "b"
traffic.poisson = {{ rate = "40 Mbit/s of cell" }}
"""
"""Poisson cells beside the TCP of `SMALL`, so that runs differ and no mean is ever exact."""


def lasting(duration: str, text: str = SMALL) -> str:
    """A scenario of another length."""
    return text.replace('duration = "1 s"', f'duration = "{duration}"')
