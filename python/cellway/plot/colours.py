"""Colours of flows, the same in figures, in reports and in the laboratory."""

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#7F3C8D", "#4D4D4D")
"""Eight colours safe for colour-blind readers: Okabe and Ito, Color Universal Design.

The flows that a figure shows have them in the order of their names in the results.
"""
ON_DARK = {"#7F3C8D": "#9A5BA8", "#4D4D4D": "#8A8A8A"}
"""Lighter forms of those that a dark page would hide."""
SLOWEST = 2
"""Slowest flows that have a colour beside the fastest where there are more flows than colours."""
