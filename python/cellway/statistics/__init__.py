"""What the numbers of runs are worth: intervals, warm-up, batches, stopping, comparison and designs.

Functions of numbers alone; one file per method, whose header names the source and where it departs.
"""

from cellway.statistics.intervals import CONFIDENCE, Estimate, bonferroni, estimate, student_t

__all__ = ["CONFIDENCE", "Estimate", "bonferroni", "estimate", "student_t"]
