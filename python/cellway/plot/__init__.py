"""Pictures of runs and of reproductions, as Matplotlib figures without a window.

The figures belong to nobody's global state: they can be made in threads and on machines without a display.
"""

from cellway.plot.reproductions import plot_reproduction
from cellway.plot.runs import plot_run
from cellway.plot.studies import plot_study

__all__ = ["plot_reproduction", "plot_run", "plot_study"]
