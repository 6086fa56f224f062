"""Statistics of simulation output: NumPy and SciPy underneath, one file per method with its source.

| method | answers |
|---|---|
| `estimate` | a mean over replications with its interval |
| `mser5`, `batch_means` | where the warm-up ends; an interval from one long run |
| `decide` | whether there are enough replications |
| `paired_difference`, `compare_to_first` | whether schemes differ |
| `two_level_analysis`, `anova` | which factors matter |
| `reduce_series` | one number of a series |
"""

from cellway.statistics.anova import Anova, anova
from cellway.statistics.batches import BatchMeans, batch_means, lag_1
from cellway.statistics.intervals import CONFIDENCE, Estimate, estimate, student_t
from cellway.statistics.paired import compare_to_first, paired_difference
from cellway.statistics.reductions import SERIES_REDUCTIONS, reduce_series
from cellway.statistics.stopping import Decision, Precision, decide
from cellway.statistics.two_level import TwoLevelAnalysis, aliases, resolution, two_level_analysis
from cellway.statistics.warmup import Truncation, mser5

__all__ = [
    "CONFIDENCE",
    "SERIES_REDUCTIONS",
    "Anova",
    "BatchMeans",
    "Decision",
    "Estimate",
    "Precision",
    "Truncation",
    "TwoLevelAnalysis",
    "aliases",
    "anova",
    "batch_means",
    "compare_to_first",
    "decide",
    "estimate",
    "lag_1",
    "mser5",
    "paired_difference",
    "reduce_series",
    "resolution",
    "student_t",
    "two_level_analysis",
]
