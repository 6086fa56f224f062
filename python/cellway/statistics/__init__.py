"""Statistics of runs: intervals, warm-up, batches, stopping, comparison and designs.

Functions of numbers alone; one file per method, whose header names the source and where it departs.
"""

from cellway.statistics.anova import Anova, Source, analysis_of_variance
from cellway.statistics.batches import BatchMeans, batch_means
from cellway.statistics.fractions import Aliases, aliases, sign_table
from cellway.statistics.intervals import CONFIDENCE, Estimate, bonferroni, estimate, student_t
from cellway.statistics.paired import compare_to_first, paired_difference
from cellway.statistics.reductions import REDUCTIONS as SERIES_REDUCTIONS
from cellway.statistics.reductions import (
    correlation,
    jain_index,
    min_ratio,
    quantile,
    reduce_series,
    share_error,
    stretch_means,
)
from cellway.statistics.repeats import ALL_THE_SAME, DETERMINISTIC, repeat_each_other
from cellway.statistics.stopping import Decision, Outcome, Precision, decide
from cellway.statistics.two_level import Effect, TwoLevel, two_level_effects
from cellway.statistics.warmup import Truncation, mser5

__all__ = [
    "ALL_THE_SAME",
    "CONFIDENCE",
    "DETERMINISTIC",
    "SERIES_REDUCTIONS",
    "Aliases",
    "Anova",
    "BatchMeans",
    "Decision",
    "Effect",
    "Estimate",
    "Outcome",
    "Precision",
    "Source",
    "Truncation",
    "TwoLevel",
    "aliases",
    "analysis_of_variance",
    "batch_means",
    "bonferroni",
    "compare_to_first",
    "correlation",
    "decide",
    "estimate",
    "jain_index",
    "min_ratio",
    "mser5",
    "paired_difference",
    "quantile",
    "reduce_series",
    "repeat_each_other",
    "share_error",
    "sign_table",
    "stretch_means",
    "student_t",
    "two_level_effects",
]
