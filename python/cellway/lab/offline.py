"""A laboratory in one file: the page with the simulator inside, as WebAssembly."""

import gzip
import json
from pathlib import Path

from cellway.lab import bundle
from cellway.lab.declared import declared
from cellway.lab.jobs import LOSSES, QUANTITIES, Job, Offered, description, observed_keys
from cellway.lab.pages import told
from cellway.runs.models import MODEL_VERSION
from cellway.scenario.scenario import toml_value

_HERE = Path(__file__).parent
MODULE = _HERE / "lab.wasm.gz"
"""The simulator as `make lab` builds it; wheels carry it."""


class NoModuleError(Exception):
    """Simulator as WebAssembly that is missing, or of another edition of the model."""


def offline(offered: Offered) -> str:
    """The page of a scenario, for `file://` and any server of files.

    Raises:
        NoModuleError: this installation has no simulator that a page can carry.
        ScenarioError: the scenario, or its section `[lab]`, cannot be accepted.
    """
    assets = {"module": _module(), "worker": (_HERE / "worker.js").read_bytes()}
    allowed = {"script-src": ["'wasm-unsafe-eval'"], "worker-src": ["blob:"]}
    engine = bundle.Engine("web", "web.js", allowed, assets)
    scenario = offered.scenario(offered.text, [])
    declared(scenario)
    data = {
        **told(offered),
        **json.loads(description(offered, Job(offered.text))),
        "files": scenario.files,
        "drawn": {"quantities": QUANTITIES, "losses": LOSSES},
        "observed": [[key, toml_value(value)] for key, value in observed_keys(scenario)],
    }
    return bundle.laboratory(f"{offered.name}: laboratory", data, engine)


def _module() -> bytes:
    if not MODULE.exists():
        raise NoModuleError(
            "this installation has no simulator as WebAssembly; expected one from a wheel, or "
            "from `make lab` before `make dev`"
        )
    packed = MODULE.read_bytes()
    if MODEL_VERSION.encode() not in gzip.decompress(packed):
        raise NoModuleError(
            f"the simulator as WebAssembly is not of edition {MODEL_VERSION} of the model; "
            "`make lab` builds it anew"
        )
    return packed
