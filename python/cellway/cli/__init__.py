"""The command line: one file per group of commands."""

from cellway.cli.entry import main

__all__ = ["main"]
