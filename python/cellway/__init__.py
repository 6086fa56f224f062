"""How will TCP perform over this path?

cellway simulates TCP over cell-switched (ATM) and packet paths, cell by cell. A scenario goes in, a `Run`
comes out::

    import cellway

    scenario = cellway.Scenario.load("scenarios/rate-mismatch.toml")
    result = cellway.run(scenario)
    print(result.flows["bulk"]["throughput_bits_per_second"])

NumPy, Matplotlib, Polars and SciPy are imported when they are first needed.
"""

from cellway._core import build_info
from cellway.errors import CatalogueError, CellwayError, RunError, ScenarioError, StoreError
from cellway.run import Run, Series, run
from cellway.scenario import Scenario, explain, schema

__version__: str = build_info()["version"]

__all__ = [
    "CatalogueError",
    "CellwayError",
    "Run",
    "RunError",
    "Scenario",
    "ScenarioError",
    "Series",
    "StoreError",
    "__version__",
    "build_info",
    "explain",
    "run",
    "schema",
]
