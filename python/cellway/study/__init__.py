"""Studies: a design over one scenario, replications, intervals, and a store that continues.

study = Study(
    "scenarios/rate-mismatch.toml",
    factors={"flow.bulk.tcp.window": ["64 KiB", "128 KiB"]},
    replications=10,
)
results = study.run("out/window")
results.estimates("throughput"), results.to_polars(), results.plot()
"""

from cellway.study.campaign import load_results
from cellway.study.comparison import Comparison, Difference, compare
from cellway.study.design import Design, Fractional, LatinHypercube, Saltelli, Sobol, TwoLevel
from cellway.study.execution import local_workers
from cellway.study.factors import Factor, Level, Span
from cellway.study.file import load_study
from cellway.study.foreign import import_results
from cellway.study.merge import Merged, merge
from cellway.study.own_files import STUDY
from cellway.study.part import Part
from cellway.study.responses import Reduction, Response
from cellway.study.results import Results
from cellway.study.sensitivity import sensitivity
from cellway.study.study import Study

__all__ = [
    "STUDY",
    "Comparison",
    "Design",
    "Difference",
    "Factor",
    "Fractional",
    "LatinHypercube",
    "Level",
    "Merged",
    "Part",
    "Reduction",
    "Response",
    "Results",
    "Saltelli",
    "Sobol",
    "Span",
    "Study",
    "TwoLevel",
    "compare",
    "import_results",
    "load_results",
    "load_study",
    "local_workers",
    "merge",
    "sensitivity",
]
