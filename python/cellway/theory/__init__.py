"""Formulas for simulated quantities, to compare with runs and to choose parameters."""

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
from cellway.theory.renewal import (
    Accounted,
    BestRate,
    ModulatedCapacity,
    RenewalCurve,
    RenewalThroughput,
    TwoRatePath,
    best_constant_rate,
    overflow_delta,
    plot_renewal,
    renewal_curve,
    renewal_throughput,
)
from cellway.theory.tcp import (
    PftkRates,
    cubic_rate,
    pftk_approximate_rate,
    pftk_rates,
    square_root_rate,
)

__all__ = [
    "CELL_RATES",
    "Accounted",
    "BestRate",
    "Claim",
    "DfbaBuffer",
    "DfbaShares",
    "Encapsulated",
    "Encapsulation",
    "FeedbackLimits",
    "FluidQueue",
    "ModulatedCapacity",
    "PeriodicQueue",
    "PftkRates",
    "PoissonQueue",
    "RenewalCurve",
    "RenewalThroughput",
    "Share",
    "SlottedQueue",
    "TwoRatePath",
    "WindowRate",
    "best_constant_rate",
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
    "overflow_delta",
    "pftk_approximate_rate",
    "pftk_rates",
    "plot_renewal",
    "renewal_curve",
    "renewal_throughput",
    "slow_start_time",
    "square_root_rate",
    "window_rate",
]
