"""Statistics of runs: intervals, warm-up, batches, stopping, comparison and designs.

Functions of numbers alone; one file per method, whose header names the source and where it departs.
"""

from cellway.statistics.anova import Anova, Source, analysis_of_variance
from cellway.statistics.batches import BatchMeans, batch_means, correlation_time, worth
from cellway.statistics.fractions import Aliases, aliases, sign_table
from cellway.statistics.intervals import (
    CONFIDENCE,
    Estimate,
    bonferroni,
    estimate,
    exponential,
    logarithmic,
    student_t,
)
from cellway.statistics.jackknife import jackknife_half_widths
from cellway.statistics.paired import (
    compare_to_first,
    difference,
    paired_difference,
    unpaired_difference,
)
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
from cellway.statistics.run_length import RunLength
from cellway.statistics.sensitivity import Indices, saltelli_rows, sensitivity_indices
from cellway.statistics.sequential import DifferenceRule, Finding, Judged, Verdict, judge
from cellway.statistics.stopping import Decision, Outcome, Precision, decide
from cellway.statistics.two_level import Effect, TwoLevel, two_level_effects
from cellway.statistics.unequal import Spread, spread
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
    "DifferenceRule",
    "Effect",
    "Estimate",
    "Finding",
    "Indices",
    "Judged",
    "Outcome",
    "Precision",
    "RunLength",
    "Source",
    "Spread",
    "Truncation",
    "TwoLevel",
    "Verdict",
    "aliases",
    "analysis_of_variance",
    "batch_means",
    "bonferroni",
    "compare_to_first",
    "correlation",
    "correlation_time",
    "decide",
    "difference",
    "estimate",
    "exponential",
    "jackknife_half_widths",
    "jain_index",
    "judge",
    "logarithmic",
    "min_ratio",
    "mser5",
    "paired_difference",
    "quantile",
    "reduce_series",
    "repeat_each_other",
    "saltelli_rows",
    "sensitivity_indices",
    "share_error",
    "sign_table",
    "spread",
    "stretch_means",
    "student_t",
    "two_level_effects",
    "unpaired_difference",
    "worth",
]
