"""Simulator of TCP over cell-switched (ATM) and packet paths, cell by cell.

It answers how TCP will perform over a path. A scenario goes in, a `Run` comes out::

    import cellway

    scenario = cellway.Scenario.load("scenarios/rate-mismatch.toml")
    result = cellway.run(scenario)
    print(result.flows["bulk"]["throughput_bits_per_second"])

A `Study` runs a scenario over a design of factors, many times, and says how exact its means are.
`theory` has formulas to hold beside it, and `predict` finds those that a scenario fits; `netspec`
reads scripts of that workload generator; `stack` is for programs that are transports themselves.

Everything is imported when it is first needed: the command starts before its parts are there, and
NumPy, Matplotlib, Polars and SciPy are loaded only where they are used.
"""

from importlib import import_module

TYPE_CHECKING = False  # That of `typing` takes longer to import than the rest of this.

if TYPE_CHECKING:
    from cellway import netspec, stack, theory
    from cellway._core import build_info
    from cellway.errors import (
        CatalogueError,
        CellwayError,
        MeasurementError,
        RunError,
        ScenarioError,
        SimulationFault,
        StackError,
        StackFault,
        StoreError,
        StudyError,
        TheoryError,
    )
    from cellway.prediction import predict
    from cellway.runs.capture import Capture
    from cellway.runs.measured import Program, measure
    from cellway.runs.quantity import Quantity
    from cellway.runs.runs import Run, run
    from cellway.runs.series import Series
    from cellway.scenario.scenario import Scenario, explain, schema
    from cellway.study import Study, load_results, load_study

    __version__: str

__all__ = [
    "Capture",
    "CatalogueError",
    "CellwayError",
    "MeasurementError",
    "Program",
    "Quantity",
    "Run",
    "RunError",
    "Scenario",
    "ScenarioError",
    "Series",
    "SimulationFault",
    "StackError",
    "StackFault",
    "StoreError",
    "Study",
    "StudyError",
    "TheoryError",
    "__version__",
    "build_info",
    "explain",
    "load_results",
    "load_study",
    "measure",
    "netspec",
    "predict",
    "run",
    "schema",
    "stack",
    "theory",
]

_HOMES = {
    "_core": ("build_info",),
    "runs.capture": ("Capture",),
    "errors": tuple(name for name in __all__ if name.endswith(("Error", "Fault"))),
    "prediction": ("predict",),
    "runs.measured": ("Program", "measure"),
    "runs.quantity": ("Quantity",),
    "runs.runs": ("Run", "run"),
    "scenario.scenario": ("Scenario", "explain", "schema"),
    "runs.series": ("Series",),
    "study": ("Study", "load_results", "load_study"),
}
"""The module of each name. No name may be that of a module, which would take its place."""
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> object:
    if name in {"netspec", "stack", "theory"}:
        return import_module(f"{__name__}.{name}")
    if name == "__version__":
        found: object = import_module(f"{__name__}._core").build_info()["version"]
    elif name in _HOME_OF:
        found = getattr(import_module(f"{__name__}.{_HOME_OF[name]}"), name)
    else:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
