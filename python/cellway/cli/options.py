"""Options that several commands share, and reading what they name."""

import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cellway.cli.exits import BadInputError, reason, unreadable
from cellway.cli.parameters import Argument, Option
from cellway.disk.files import read_limited
from cellway.errors import ScenarioError
from cellway.runs.capture import Layer
from cellway.scenario.scenario import Scenario

if TYPE_CHECKING:
    from cellway.netspec import Workload

_HEADER = re.compile(r"^[ \t]*\[[ \t]*([A-Za-z0-9_-]+)", re.MULTILINE)
Sets = Annotated[
    list[str],
    Option(
        "--set",
        metavar="KEY=VALUE",
        help='Change a key, such as link.x.delay="10 ms"; host.*.ack_cost=charged is for every '
        "host. May be repeated.",
    ),
]
# All commands that write files share this option.
Force = Annotated[
    bool,
    Option("--force", help="Also replace files that cellway did not write, or that were changed."),
]
WithTheory = Annotated[
    bool,
    Option(
        "--theory", help="Print predictions of published formulas beside the simulated numbers."
    ),
]
ByExecutor = Annotated[
    str,
    Option(
        "--executor",
        metavar="threads|processes|dask://HOST:PORT",
        help="Workers of simulated runs; by default threads, or processes for many short runs.",
    ),
]
AsJson = Annotated[bool, Option("--json", help="Print JSON instead of text.")]
Seed = Annotated[
    int | None,
    Option(min=0, max=2**63 - 1, help="Root of all random streams; the same as --set run.seed=N."),
]
Pcap = Annotated[
    Path | None,
    Option(
        metavar="FILE",
        help="Write the packets as a pcapng file for Wireshark: of every flow, at its source host.",
    ),
]
PcapAt = Annotated[
    list[str],
    Option(
        "--pcap-at",
        metavar="HOST",
        help="Capture all packets that this host sends or receives instead; a pattern such as "
        "src[*] names several hosts. May be repeated.",
    ),
]
PcapAs = Annotated[
    Layer,
    Option(
        "--pcap-as",
        help="How packets on links of cells are shown: as IP packets, with their virtual channel, "
        "or with that and RM cells beside them.",
    ),
]
EITHER = "a scenario or study file, or the folder of a study"
"""Description of the files accepted by commands that take both."""
Script = Annotated[
    Path | None,
    Option(
        "--netspec",
        metavar="FILE",
        help="A Netspec script; its connections become flows on the hosts of the scenario. A "
        "scenario flow between the same hosts only gives such a connection its settings and does "
        "not run; other flows run, too.",
    ),
]
ScenarioFile = Annotated[Path, Argument(metavar="SCENARIO", help="A scenario file.")]


def read_scenario(
    path: Path,
    sets: list[str],
    seed: int | None = None,
    *,
    awaits_flows: bool = False,
    expected: str = "a scenario file",
) -> Scenario:
    """Loads the scenario in `path`, changed by ``--set`` and ``--seed``.

    It may have no flows if it `awaits_flows` of a script. The message on a path that cannot be
    read ends with `expected`.

    Raises:
        BadInputError: the file cannot be read, or a ``--set`` is not KEY=VALUE.
        ScenarioError: it, or what is set, is not a scenario.
    """
    try:
        scenario = Scenario.load(path, awaits_flows=awaits_flows)
    except ScenarioError:
        if tables_of(path) & {"study"}:
            raise BadInputError(
                f"{path}: a study, where a scenario is expected; cellway study {path} runs it"
            ) from None
        raise
    except OSError as error:
        raise unreadable(path, error, expected) from error
    changes = [pair_of(text) for text in sets]
    if seed is not None:
        changes.append(("run.seed", str(seed)))
    return scenario.with_sets(changes) if changes else scenario


def read_workload(path: Path, scenario: Scenario) -> "Workload":
    """Loads the Netspec script in `path` for the hosts of `scenario`.

    Raises:
        BadInputError: the file cannot be read.
        ScenarioError: it is not a script, or does not fit the scenario.
    """
    from cellway.netspec import Workload  # noqa: PLC0415 - not without a script

    try:
        return Workload.load(scenario, path)
    except OSError as error:
        raise BadInputError(
            f"--netspec {path}: cannot be read: {reason(error)}; expected a Netspec script"
        ) from error


def tables_of(path: Path) -> set[str]:
    """Names at the top of a TOML file; for a faulty file, the names in brackets."""
    import tomllib  # noqa: PLC0415

    try:
        content = read_limited(path)
        text = "" if content is None else content.decode()
    except (OSError, ValueError):
        return set()
    try:
        return set(tomllib.loads(text))
    except (ValueError, RecursionError):
        return set(_HEADER.findall(text))


def is_study(path: Path) -> bool:
    """True if a file, or the frozen file of a folder, is a study."""
    if path.is_dir():
        from cellway.study import STUDY  # noqa: PLC0415 - not for scenarios

        path /= STUDY
    # Most files have no such word; to import a reader of TOML takes as long as a short run.
    return _says_study(path) and "study" in tables_of(path)


def _says_study(path: Path) -> bool:
    try:
        return b"study" in (read_limited(path) or b"")
    except (OSError, ValueError):
        return False


def pair_of(text: str) -> tuple[str, str]:
    """Key and value of a ``--set``.

    Raises:
        BadInputError: it is not KEY=VALUE.
    """
    key, equals, value = text.partition("=")
    if not equals or not key.strip():
        raise BadInputError(
            f'--set {text}: not KEY=VALUE; expected for instance link.x.delay="10 ms"'
        )
    return key.strip(), value
