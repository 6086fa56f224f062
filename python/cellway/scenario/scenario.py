"""A scenario: the complete description of one run."""

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from cellway import _core
from cellway.disk.files import TEXT_LIMIT, read_limited
from cellway.disk.folders import is_as_written
from cellway.errors import ScenarioError
from cellway.notebook import display
from cellway.scenario.capacity import CapacityPath
from cellway.scenario.list_files import ListFiles

if TYPE_CHECKING:
    from cellway.result_types import Explanation

_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")

SettableValue = str | int | float | bool | Mapping[str, Any] | Sequence[Any]
"""A value of a key: text such as ``"10 ms"``, or a number, list or table of TOML."""


class Scenario:
    """The complete description of one run, already checked; immutable.

    >>> import cellway
    >>> scenario = cellway.Scenario.load("scenarios/rate-mismatch.toml")
    >>> slower = scenario.with_set("link.edc-side.delay", "10 ms")
    >>> cellway.run(slower).flows["bulk"]["timeouts"]
    13
    """

    __slots__ = ("_awaits_flows", "_core", "_lists", "_origin", "_resolved", "_sets", "_text")

    def __init__(  # noqa: PLR0913
        self,
        origin: str,
        text: bytes,
        sets: Sequence[tuple[str, str]] = (),
        *,
        resolved: bool = False,
        lists: ListFiles | None = None,
        awaits_flows: bool = False,
    ) -> None:
        """Checks `text`, with `sets` applied in order; `load` and `parse` are the usual ways in.

        `resolved` text, which `to_toml` wrote, may be longer than text by hand. `lists` has the
        files that it names, by default those in the folder of `origin`. With `awaits_flows` it may
        have no flows, for those of a Netspec script.
        """
        for key, value in sets:
            if not _is_text(key) or not _is_text(value):
                raise ScenarioError(
                    f"--set {_shown(key)}={_shown(value)}: not UTF-8; text in UTF-8 is expected"
                )
        self._lists = ListFiles(Path(origin).parent) if lists is None else lists
        # The name of a file may have bytes that are not UTF-8.
        self._origin = _shown(origin)
        self._text = text
        self._sets = tuple(sets)
        self._resolved = resolved
        self._awaits_flows = awaits_flows
        self._core = _core.Scenario(
            self._origin, text, list(self._sets), resolved, self._lists.read, awaits_flows
        )

    @classmethod
    def load(cls, path: str | Path, *, awaits_flows: bool = False) -> Self:
        """Reads and checks a scenario file.

        Args:
            path: a TOML file of at most 1 MiB, in UTF-8; more only if cellway wrote it.
            awaits_flows: accepts a file without flows, for those of a script (`cellway.netspec`).

        Raises:
            ScenarioError: the content is not a scenario; the message gives file, line and column.
            OSError: the file cannot be read.
        """
        try:
            content = read_limited(Path(path))
        except ValueError as error:
            raise ScenarioError(
                f"{str(path)!r}: no file has this name; a scenario file is expected"
            ) from error
        if content is not None:
            return cls(str(path), content, awaits_flows=awaits_flows)
        if is_as_written(Path(path)):
            content = Path(path).read_bytes()
            return cls(str(path), content, resolved=True, awaits_flows=awaits_flows)
        raise ScenarioError(
            f"{path}:1:1: more than {TEXT_LIMIT} bytes; a scenario has at most 1 MiB"
        )

    @classmethod
    def parse(cls, text: str, origin: str = "scenario") -> Self:
        """Checks a scenario given as TOML text; `origin` names it in messages and results.

        Raises:
            ScenarioError: the text is not a scenario.
        """
        if not _is_text(text):
            raise ScenarioError(
                f"{origin}:1:1: surrogates, which are no text; text in UTF-8 is expected"
            )
        return cls(origin, text.encode())

    def with_set(self, key: str, value: SettableValue) -> "Scenario":
        """A copy in which `key` has another value.

        Args:
            key: dotted path, such as ``"link.edc-side.delay"``. A variant replaces the one that is
                set; a name may be a pattern, such as ``"link.*.delay"``, for all names that match.
            value: as in the file: ``"10 ms"``, ``3``, ``{"fine": {}}``; a table takes the place
                of a whole section, as ``{"preset": "linux"}`` does of ``"flow.bulk.tcp"``.

        Raises:
            ScenarioError: no such key, or a value that it cannot take.
        """
        return self.with_sets([(key, value)])

    def with_sets(self, sets: Sequence[tuple[str, SettableValue]]) -> "Scenario":
        """A copy in which several keys have other values; it is checked once, when all are set."""
        all_sets = [*self._sets, *((key, toml_value(value)) for key, value in sets)]
        return Scenario(
            self._origin,
            self._text,
            all_sets,
            resolved=self._resolved,
            lists=self._lists,
            awaits_flows=self._awaits_flows,
        )

    def with_netspec(self, text: bytes, origin: str) -> "tuple[Scenario, dict[str, Any]]":
        """A copy with the flows of a Netspec script, and its blocks; see `cellway.netspec`."""
        core, blocks = self._core.with_netspec(_shown(origin), text)
        resolved = core.to_toml().encode()
        made = Scenario(self._origin, resolved, resolved=True, lists=self._lists)
        return made, json.loads(blocks)

    def has_key(self, path: str) -> bool:
        """True if the resolved scenario has a key at `path`, such as ``flow.*.tcp.window``.

        ``*`` stands for any text in a name, and the name of a family for its members.
        """
        return self._core.has_key(path)

    def to_toml(self) -> str:
        """The resolved scenario: every default written out, families expanded."""
        return self._core.to_toml()

    def settings(self) -> dict[str, str]:
        """Every key of the resolved scenario by its path, each with its value as TOML."""
        return self._core.settings()

    def explain(self) -> "Explanation":
        """Numbers that follow from the scenario before anything runs.

        The result has `links`, `ports`, `flows`, `alike` and `warnings`. Rates are in bits per
        second, times in seconds: the names of the entries say so.

        `ports` have queues by service class, each with its buffer, its thresholds in cells or
        packets and its VCs. A queue that is a bottleneck of transports has `windows`: cells or
        packets of their full windows (`units`), the number of these that the path holds
        (`on_the_path`), and the `largest_queue` that they make without a limit, an estimate to
        about a segment for each flow where windows fill the path.

        `flows` has one entry for each flow; equal entries may share their tables. `alike` groups
        flows that differ in nothing but their numbers: members (`flows`) of a family (`name`),
        with the keys that they `differ_in` from the family's first, such as ``tcp.window``; or
        flows of no family, by the `name` of the first.

        For a flow with `tcp`, `ceiling_bits_per_second` bounds its mean throughput over a long
        time. `window_limit_bits_per_second` counts whole segments of the window; short segments
        may fill the rest of it. `fair_share_bits_per_second` and the limits of processors and of
        the ACK path are shares, which a flow exceeds where others take less.
        """
        text, names = self._core.explain()
        explained: Explanation = json.loads(text)
        explained["flows"] = [
            {**facts, "name": name}
            for facts, equal in zip(explained["flows"], names, strict=True)
            for name in equal
        ]
        return explained

    def alike_and_warnings(self, driven: Iterable[str] = ()) -> tuple[list[list[str]], list[str]]:
        """Names of the flows in each group of `alike`, and `warnings`, as in `explain`.

        Stacks of their own have the flows named by `driven`. The rest of an explanation takes
        twice as long for 10 000 flows.
        """
        return self._core.alike_and_warnings(list(driven))

    def host_names(self) -> list[str]:
        """Names of all hosts."""
        return self._core.host_names()

    def link_names(self) -> list[str]:
        """Names of all directions of links; the second one of a duplex link ``x`` is ``x back``."""
        return self._core.link_names()

    def capacity(self, link: str) -> CapacityPath | None:
        """The rates of a link in a run; `None` if its rate does not vary."""
        found = self._core.capacity(link)
        return None if found is None else CapacityPath(*found)

    @property
    def origin(self) -> str:
        """The file that the scenario was read from, or the name it was given."""
        return self._origin

    @property
    def observes(self) -> bool:
        """True if it has an ``[observe]`` table, without which a run has no time series."""
        return self._core.observed_ports is not None

    @property
    def text(self) -> str:
        """The scenario as it was written, before `sets`."""
        return self._text.decode()

    @property
    def sets(self) -> tuple[tuple[str, str], ...]:
        """Changes to `text`, as ``--set`` takes them, in order."""
        return self._sets

    @property
    def files(self) -> dict[str, str]:
        """Texts of the files named in it, or in scenarios made of it, by path."""
        return self._lists.texts

    def __reduce__(
        self,
    ) -> "tuple[Callable[..., Scenario], tuple[str, bytes, bool, dict[str, str]]]":
        """Pickles the scenario as its resolved text, with the texts of the files that it names."""
        return _restored, (self._origin, self.to_toml().encode(), self._awaits_flows, self.files)

    def __eq__(self, other: object) -> bool:
        """Equal when everything resolves to the same."""
        return isinstance(other, Scenario) and self.to_toml() == other.to_toml()

    def __hash__(self) -> int:
        return hash(self.to_toml())

    def _repr_html_(self) -> str:
        """The path and what is known before a run as a frame, for notebooks; nothing is run."""
        return display(self)

    def __repr__(self) -> str:
        return f"Scenario({self._origin!r})"


def _restored(
    origin: str, text: bytes, awaits_flows: bool, files: Mapping[str, str] | None = None
) -> Scenario:
    lists = ListFiles.of(files) if files else None
    return Scenario(origin, text, resolved=True, lists=lists, awaits_flows=awaits_flows)


def _is_text(text: str) -> bool:
    """True if `text` has no surrogates, which replace bytes that are not UTF-8."""
    return _shown(text) == text


def _shown(text: str) -> str:
    return text.encode("utf-8", "replace").decode()


def explain(scenario: Scenario) -> "Explanation":
    """Numbers that follow from `scenario` before anything runs; see `Scenario.explain`."""
    require_scenario(scenario)
    return scenario.explain()


def schema() -> dict[str, Any]:
    """The reference of the scenario language: `keys` with type, default, limits, meaning; `lines`.

    It is made from the table by which scenarios are read, and is no JSON Schema.
    """
    described: dict[str, Any] = json.loads(_core.schema())
    return described


def require_scenario(given: object) -> None:
    """Refuses a value that is no scenario, such as the path of one.

    Raises:
        TypeError: it is none; the message says what would be accepted.
    """
    if not isinstance(given, Scenario):
        raise TypeError(
            f"{_shown(f'{given!r:.60}')} is no Scenario; expected one, as Scenario.load(path) reads"
        )


def toml_value(value: SettableValue) -> str:
    """`value` as it is written behind ``--set key=``: text bare, everything else as inline TOML."""
    return value if isinstance(value, str) else toml_literal(value)


def toml_literal(value: object) -> str:
    """`value` in one line of TOML.

    Raises:
        TypeError: TOML has no word for it.
    """
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return repr(value)
    if isinstance(value, str):
        # JSON's escapes are a subset of TOML's, except DEL, which TOML wants escaped.
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(value, Mapping):
        return (
            "{"
            + ", ".join(f"{_key(str(key))} = {toml_literal(item)}" for key, item in value.items())
            + "}"
        )
    if isinstance(value, Sequence):
        return "[" + ", ".join(toml_literal(item) for item in value) + "]"
    raise TypeError(
        f"a key cannot be set to {value!r}; text, numbers, lists and tables can be written as TOML"
    )


def _key(name: str) -> str:
    return name if _BARE_KEY.fullmatch(name) else toml_literal(name)
