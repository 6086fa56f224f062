"""Figures of runs and studies by Matplotlib, without a window; a file for each.

The figures use no global state of Matplotlib: they can be made in threads and on machines without a
display.
"""
