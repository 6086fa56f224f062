"""Formulas for what cellway simulates, to compare with runs and to choose parameters."""

from cellway.theory.dfba import DfbaBuffer, DfbaShares, dfba_shares
from cellway.theory.tcp import PftkRates, cubic_rate, pftk_rates, square_root_rate

__all__ = [
    "DfbaBuffer",
    "DfbaShares",
    "PftkRates",
    "cubic_rate",
    "dfba_shares",
    "pftk_rates",
    "square_root_rate",
]
