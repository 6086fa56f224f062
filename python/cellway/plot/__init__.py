"""Pictures of runs, studies and reproductions, as Matplotlib figures without a window; one file for each.

The figures belong to nobody's global state: they can be made in threads and on machines without a
display.
"""
