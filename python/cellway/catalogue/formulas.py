"""Formulas of the theory that stand in a paper's data, by name: expressions and figures call them.

    abr_optimistic(high, low, buffer, psi)      TCP over ABR by the renewal model, part of the mean
    abr_conservative(high, low, buffer, psi)    capacity; packets of a loss counted as they are
    alone_optimistic(high, low, buffer, psi)    sent, or once they are acknowledged, and TCP alone
    alone_conservative(high, low, buffer, psi)

Rates are in packets per round trip, the buffer in packets, psi in round trips that a rate lasts.
"""

from collections.abc import Callable, Mapping
from functools import cache
from typing import Literal

from cellway.theory.renewal import Sender, TwoRatePath, renewal_throughput

_Accounting = Literal["optimistic", "each_once"]


def _renewal(sender: Sender, accounting: _Accounting) -> Callable[..., float]:
    @cache
    def efficiency(high: float, low: float, buffer: float, psi: float) -> float:
        path = TwoRatePath(int(high), int(low), int(buffer), high_lasts=psi)
        return float(getattr(renewal_throughput(path, sender).efficiency, accounting))

    return efficiency


FORMULAS: Mapping[str, Callable[..., float]] = {
    "abr_optimistic": _renewal("abr", "optimistic"),
    "abr_conservative": _renewal("abr", "each_once"),
    "alone_optimistic": _renewal("alone", "optimistic"),
    "alone_conservative": _renewal("alone", "each_once"),
}
ARGUMENTS = 4
"""Numbers that each formula takes."""
