"""Figures of papers that were run again, by Matplotlib, in the style of `cellway.plot`."""
