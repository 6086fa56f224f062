"""Formulas for what cellway simulates, to compare with runs and to choose parameters."""

from cellway.theory.ceilings import (
    CELL_RATES,
    Encapsulated,
    Encapsulation,
    encapsulated,
    goodput_ceiling,
)
from cellway.theory.dfba import DfbaBuffer, DfbaShares, dfba_shares
from cellway.theory.paths import (
    WindowRate,
    buffered_utilisation,
    desynchronised_utilisation,
    full_buffer_delay,
    needed_buffer,
    slow_start_time,
    window_rate,
)
from cellway.theory.queues import FluidQueue, PeriodicQueue, PoissonQueue, SlottedQueue
from cellway.theory.rates import Claim, FeedbackLimits, Share, feedback_limits, max_min_shares
from cellway.theory.tcp import (
    PftkRates,
    cubic_rate,
    pftk_approximate_rate,
    pftk_rates,
    square_root_rate,
)

__all__ = [
    "CELL_RATES",
    "Claim",
    "DfbaBuffer",
    "DfbaShares",
    "Encapsulated",
    "Encapsulation",
    "FeedbackLimits",
    "FluidQueue",
    "PeriodicQueue",
    "PftkRates",
    "PoissonQueue",
    "Share",
    "SlottedQueue",
    "WindowRate",
    "buffered_utilisation",
    "cubic_rate",
    "desynchronised_utilisation",
    "dfba_shares",
    "encapsulated",
    "feedback_limits",
    "full_buffer_delay",
    "goodput_ceiling",
    "max_min_shares",
    "needed_buffer",
    "pftk_approximate_rate",
    "pftk_rates",
    "slow_start_time",
    "square_root_rate",
    "window_rate",
]
