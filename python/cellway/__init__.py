"""How will TCP perform over this path?

cellway simulates TCP over cell-switched (ATM) and packet paths, cell by cell. A scenario goes in, a
`Run` comes out::

    import cellway

    scenario = cellway.Scenario.load("scenarios/rate-mismatch.toml")
    result = cellway.run(scenario)
    print(result.flows["bulk"]["throughput_bits_per_second"])

A `Study` runs a scenario over a design of factors, many times, and says how exact its means are.
`theory` has formulas to hold beside it, and `predict` finds those that a scenario fits; `netspec`
reads scripts of that workload generator.

NumPy, Matplotlib, Polars and SciPy are imported when they are first needed.
"""

from cellway import netspec, theory
from cellway._core import build_info
from cellway.capture import Capture
from cellway.errors import (
    CatalogueError,
    CellwayError,
    RunError,
    ScenarioError,
    SimulationFault,
    StoreError,
    StudyError,
    TheoryError,
)
from cellway.prediction import predict
from cellway.run import Run, run
from cellway.scenario import Scenario, explain, schema
from cellway.series import Series
from cellway.study import Study, load_results, load_study

__version__: str = build_info()["version"]

__all__ = [
    "Capture",
    "CatalogueError",
    "CellwayError",
    "Run",
    "RunError",
    "Scenario",
    "ScenarioError",
    "Series",
    "SimulationFault",
    "StoreError",
    "Study",
    "StudyError",
    "TheoryError",
    "__version__",
    "build_info",
    "explain",
    "load_results",
    "load_study",
    "netspec",
    "predict",
    "run",
    "schema",
    "theory",
]
