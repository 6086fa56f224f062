"""The course: eight units, each with a laboratory, exercises, a checker and solutions."""

from importlib import import_module

from cellway.course.exercise import Unit
from cellway.errors import CellwayError
from cellway.text.nearest import did_you_mean

UNITS = {
    "units": "Units, overhead and the bandwidth-delay product",
    "slow-start": "Slow start and the sawtooth",
    "queues": "Queues and active queue management",
    "fairness": "Fairness and round trips",
    "recovery": "Loss recovery, packet by packet",
    "cells": "Early packet discard against tail drop, and ABR",
    "replications": "Warm-up, replications and 2^k designs",
    "capacity": "A capacity that varies",
}
"""Titles by name, in the order in which the units are taught."""


def unit(name: str) -> Unit:
    """The unit `name`, or that of a number from 1.

    Raises:
        CellwayError: there is none.
    """
    numbered = {str(number): one for number, one in enumerate(UNITS, 1)}
    wanted = numbered.get(name, name)
    if wanted not in UNITS:
        raise CellwayError(
            f"no unit {name!r}{did_you_mean(name, UNITS)} (cellway course lists them)"
        )
    module = import_module(f"cellway.course.{wanted.replace('-', '_')}")
    found: Unit = module.UNIT
    return found
