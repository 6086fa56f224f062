"""Formulas for what cellway simulates, to hold beside a run and to choose parameters without one."""

from cellway.theory.dfba import DfbaBuffer, DfbaShares, dfba_shares

__all__ = ["DfbaBuffer", "DfbaShares", "dfba_shares"]
