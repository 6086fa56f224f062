"""Formulas for what cellway simulates, to compare with runs and to choose parameters."""

from cellway.theory.dfba import DfbaBuffer, DfbaShares, dfba_shares

__all__ = ["DfbaBuffer", "DfbaShares", "dfba_shares"]
