"""Strict TOML: every key is known, every value has its type, every fault its line and column."""

import re
import sys
import tomllib
from collections import ChainMap
from collections.abc import Callable, Iterable, Iterator, Mapping, MutableMapping, Sequence
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from pathlib import Path
from typing import Any, NoReturn, TypeVar

from cellway import _core
from cellway.disk.files import TEXT_LIMIT, read_limited, require_name
from cellway.errors import CellwayError, Fault, FileError

BEYOND = "nested too deeply, or a number too long; at most 80 levels and 4300 digits are accepted"
"""Fault of a TOML file that `tomllib` or the reader of places gives up on."""
MUCH_ALIKE = 0.75
"""Least likeness of a misspelt key to the key meant: `lable`, but not `table` for `scale`."""
_T = TypeVar("_T")
_Word = TypeVar("_Word", bound=str)
Step = str | int
"""One step from the root of a document to a value: a key, or an index from 0."""


@dataclass(frozen=True)
class Text:
    """A TOML file: its name, the places of its keys and values, and the faults found so far.

    Attributes:
        origin: its path, or another name for messages.
        error: the class of the exception that a fault is raised as.
        places: line and column, from 1, of every key and of every value, by path from the root.
        kept: the faults after which reading went on.
    """

    origin: str
    error: type[CellwayError]
    places: MutableMapping[tuple[Step, ...], tuple[tuple[int, int], tuple[int, int]]]
    kept: list[Fault] = field(default_factory=list)

    def fail(self, path: tuple[Step, ...], message: str, *, at_key: bool = False) -> NoReturn:
        """Raises `error` with ``origin:line:column:`` of the innermost written part of `path`."""
        while path and path not in self.places:
            path = path[:-1]
        key, value = self.places.get(path, ((1, 1), (1, 1)))
        line, column = key if at_key else value
        raise self.error(f"{self.origin}:{line}:{column}: {message}")


def load_optional(path: Path, error: type[CellwayError], what: str) -> "Table":
    """The root table of a TOML file, an empty one if the file is missing; see `load_document`."""
    if not path.is_file():
        return Table({}, Text(str(path), error, {}), ())
    return load_document(path, error, what)


def load_document(path: Path, error: type[CellwayError], what: str) -> "Table":
    """The root table of the TOML file `path`; messages call it `what`, such as ``"a study"``.

    Raises:
        error: the content is not TOML 1.0 in UTF-8, or longer than 1 MiB.
        OSError: the file cannot be read.
    """
    content = read_limited(path)
    if content is None:
        raise error(f"{path}:1:1: more than {TEXT_LIMIT} bytes; {what} has at most 1 MiB")
    return parse_document(content, str(path), error)


def parse_document(content: bytes, origin: str, error: type[CellwayError]) -> "Table":
    """The root table of TOML `content`; see `load_document`."""
    try:
        text = content.decode()
    except UnicodeDecodeError as wrong:
        place = _end(content[: wrong.start].decode())
        raise error(f"{origin}:{place}: not UTF-8; a text file in UTF-8 is expected") from wrong
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as wrong:
        if issubclass(error, FileError) and (twice := _core.toml_duplicates(text)):
            raise error.of([Fault(origin, *place) for place in twice]) from wrong
        raise error(f"{origin}:{_syntax(str(wrong), text)}") from wrong
    except (ValueError, RecursionError) as wrong:
        raise error(f"{origin}:1:1: {BEYOND}") from wrong
    places = {tuple(path): (key, value) for path, key, value in _core.toml_places(text)}
    if table and not places:
        raise error(f"{origin}:1:1: {BEYOND}")
    return Table(table, Text(origin, error, places), ())


def _syntax(complaint: str, text: str) -> str:
    """``… (at line 3, column 5)`` or ``… (at end of document)``, with the place in front."""
    message, _, where = complaint.rpartition(" (at ")
    found = re.fullmatch(r"line (\d+), column (\d+)\)", where)
    place = f"{found[1]}:{found[2]}" if found else _end(text)
    return f"{place}: not TOML 1.0: {message.lower()}"


def _end(text: str) -> str:
    """Line and column of the first character behind `text`."""
    return f"{text.count(chr(10)) + 1}:{len(text) - text.rfind(chr(10))}"


def in_backticks(words: Iterable[str]) -> str:
    """Keys or words in backticks, as messages list them: ``full``, ``sobol``."""
    return ", ".join(f"`{word}`" for word in words)


def _meant(word: str, known: Sequence[str]) -> str:
    near = get_close_matches(word, known, n=1)
    return f"; did you mean `{near[0]}`?" if near else ""


@dataclass
class Table:
    """A table being read. Keys that nobody asked for are faults when `done` is called."""

    _values: Mapping[str, Any]
    _text: Text
    _path: tuple[Step, ...]
    _known: list[str] = field(default_factory=list)

    def fail(self, message: str, key: Step | None = None, *, at_key: bool = False) -> NoReturn:
        """Raises the document's error at `key`, or at the table itself."""
        if key is None:
            self._text.fail(self._path, message, at_key=True)
        self.fail_at((key,), message, at_key=at_key)

    def fail_at(self, path: tuple[Step, ...], message: str, *, at_key: bool = False) -> NoReturn:
        """Raises the document's error at the value, or the key, at `path` from here."""
        self._text.fail((*self._path, *path), message, at_key=at_key)

    def attempt(self, read: Callable[[], _T]) -> _T | None:
        """The result of `read`, or `None` if it finds faults, which are kept.

        `refuse` raises the kept faults.
        """
        try:
            return read()
        except FileError as error:
            if not isinstance(error, self._text.error):
                raise
            self._text.kept.extend(error.faults)
            return None

    def refuse(self) -> None:
        """Raises the document's error with every kept fault, in the order of the file."""
        if self._text.kept and issubclass(self._text.error, FileError):
            first = {(one.line, one.column): one for one in reversed(self._text.kept)}
            raise self._text.error.of([first[place] for place in sorted(first)])

    def knows(self, *keys: str) -> None:
        """Declares that these keys may stand here, even if they are not asked for."""
        self._known += keys

    def has(self, key: str) -> bool:
        """True if `key` is there; it counts as known from now on."""
        self._known.append(key)
        return key in self._values

    def fail_missing(self, key: str, message: str) -> NoReturn:
        """Raises the document's error at the table, or at a misspelling of `key`.

        Keys that are asked for later are not known yet, so only close misspellings count.
        """
        strange = [other for other in self._values if other not in self._known]
        for other in get_close_matches(key, strange, n=1, cutoff=MUCH_ALIKE):
            self.fail(f"unknown key `{other}`; did you mean `{key}`?", other, at_key=True)
        self.fail(message)

    def refuse_others_words(self, meant: Mapping[str, str]) -> None:
        """Raises the document's error at a key that is another program's name for one of ours."""
        for key in self._values:
            if key in meant:
                self.fail(f"unknown key `{key}`; did you mean `{meant[key]}`?", key, at_key=True)

    def done(self) -> None:
        """Refuses keys that nobody asked for.

        A study keeps all such faults; other documents raise the first.
        """
        known = list(dict.fromkeys(self._known))
        for key in self._values:
            if key not in known:
                self._unknown(key, known)

    def only(self, made: _T) -> _T:
        """`made`, if the table has no other keys than those that were asked for; see `done`."""
        self.done()
        return made

    def _unknown(self, key: str, known: list[str]) -> None:
        message = f"unknown key `{key}`; expected one of {in_backticks(known)}{_meant(key, known)}"
        self.attempt(lambda: self.fail(message, key, at_key=True))

    def text(self, key: str, default: str | None = None) -> str:
        """A text in one line; a missing one is a fault without a `default`."""
        value = self.value(key, (str,), "a text", optional=default is not None)
        if value is None:
            return default or ""
        if not value.strip():
            self.fail(f"`{key}` is empty; a text is expected", key)
        return " ".join(str(value).split())

    def name(self, key: str, default: str | None = None) -> str:
        """A text that becomes the name of a file or folder."""
        name = self.text(key, default)
        try:
            require_name(name)
        except ValueError as error:
            self.fail(f"`{key}` is {name!r}, which {error}", key)
        return name

    def texts(self, key: str, *, optional: bool = False) -> tuple[str, ...]:
        """A list of texts, not empty."""
        value = self.value(key, (list,), "a list of texts", optional=optional)
        if value is None:
            return ()
        if not value:
            self.fail(f"`{key}` is empty; a list of texts is expected", key)
        for number, item in enumerate(value):
            if not isinstance(item, str):
                self.fail_at((key, number), f"`{key}` has {item!r}; a text is expected")
        return tuple(value)

    def named_texts(self, key: str) -> dict[str, str]:
        """The texts inside the table `key`, not empty, by their names, in the order of the file."""
        values = self.value(key, (dict,), "a table of texts")
        if not values:
            self.fail(f"`{key}` is empty; a table of texts is expected", key)
        for name, value in values.items():
            if not isinstance(value, str):
                self.fail_at((key, name), f"`{key}.{name}` is {value!r}; a text is expected")
        return dict(values)

    def weights(self, key: str) -> tuple[tuple[str, float], ...]:
        """A table of numbers by name, in the order of the file."""
        inside = self.table(key)
        names = tuple(self.value(key, (dict,), "a table of numbers"))
        return inside.only(tuple((name, inside.number(name) or 0.0) for name in names))

    def whole(
        self, key: str, least: int, most: int | None = None, default: int | None = None
    ) -> int:
        """A whole number from `least` to `most`; a missing one is a fault without a `default`."""
        value = self.value(key, (int,), "a whole number", optional=default is not None)
        if value is None:
            return default or 0
        if value < least or (most is not None and value > most):
            accepted = f"at least {least}" if most is None else f"{least} to {most}"
            self.fail(f"`{key}` is {value}; {accepted} is accepted", key)
        return int(value)

    def number(self, key: str, *, optional: bool = False) -> float | None:
        """A finite number; `None` only when `optional` and missing."""
        value = self.value(key, (int, float), "a number", optional=optional)
        if value is None:
            return None
        if not -sys.float_info.max <= value <= sys.float_info.max:
            self.fail(f"`{key}` is {value}; a finite number is expected", key)
        return float(value)

    def numbers(self, key: str) -> tuple[float, ...]:
        """A list of finite numbers."""
        given = self.value(key, (list,), "a list of numbers")
        for at, one in enumerate(given):
            if isinstance(one, bool) or not isinstance(one, int | float):
                self.fail_at((key, at), f"`{key}` has {one!r}; a number is expected")
            if not -sys.float_info.max <= one <= sys.float_info.max:
                self.fail_at((key, at), f"`{key}` has {one}; a finite number is expected")
        return tuple(map(float, given))

    def yes(self, key: str, *, default: bool) -> bool:
        """True or false."""
        if not self.has(key):
            return default
        value = self._values[key]
        if not isinstance(value, bool):
            self.fail(f"`{key}` is {value!r}; true or false is expected", key)
        return value

    def one_of(self, key: str, accepted: tuple[_Word, ...], default: _Word | None = None) -> _Word:
        """One of the texts `accepted`."""
        value = self.text(key, default)
        found = next((word for word in accepted if word == value), None)
        if found is None:
            hint = f"expected one of {in_backticks(accepted)}{_meant(value, accepted)}"
            self.fail(f"`{key}` is {value!r}; {hint}", key)
        return found

    def sets(self, key: str) -> tuple[tuple[str, Any], ...]:
        """Keys of a scenario with their values, in order; none when missing."""
        value = self.value(key, (dict,), "a table of scenario keys in quotes", optional=True)
        return tuple((value or {}).items())

    def table(self, key: str) -> "Table":
        """A table inside this one."""
        return Table(self.value(key, (dict,), "a table"), self._text, (*self._path, key))

    @property
    def content(self) -> Mapping[str, Any]:
        """Keys and values, as they are written."""
        return self._values

    def composed(
        self,
        at: tuple[Step, ...],
        values: Mapping[str, Any],
        origins: Mapping[tuple[Step, ...], tuple[Step, ...]],
    ) -> "Table":
        """A table of `values` that stand elsewhere in this one.

        Args:
            at: the path of the table, whose place is that of faults without a value.
            values: keys and values.
            origins: the path of each value, by its path in `values`.
        """
        places = self._text.places
        path = (*self._path, *at)
        moved = {
            (*path, *to): places[(*self._path, *origin)]
            for to, origin in origins.items()
            if (*self._path, *origin) in places
        }
        text = replace(self._text, places=ChainMap(moved, places))
        return Table(values, text, path)

    def named(self, key: str) -> Iterator[tuple[str, "Table"]]:
        """The tables in the table `key`, by name, in the file's order; none if it is missing."""
        values = self.value(key, (dict,), "a table of tables", optional=True) or {}
        for name, value in values.items():
            if not isinstance(value, dict):
                self._no_table(key, name)
                continue
            yield name, Table(value, self._text, (*self._path, key, name))

    def _no_table(self, key: str, name: str) -> None:
        message = f"`{key}.{name}` is {self._values[key][name]!r}; a table is expected"
        self.attempt(lambda: self.fail_at((key, name), message))

    def tables(self, key: str, *, optional: bool = False) -> Iterator["Table"]:
        """A list of tables."""
        value = self.value(key, (list,), "a list of tables", optional=optional)
        for number, item in enumerate(value or []):
            if not isinstance(item, dict):
                self.fail_at((key, number), f"`{key}` has {item!r}; a table is expected")
            yield Table(item, self._text, (*self._path, key, number))

    def value(
        self, key: str, types: tuple[type, ...], wanted: str, *, optional: bool = False
    ) -> Any:  # noqa: ANN401
        """The value of `key`, of one of `types`; `wanted` says them to the user."""
        if not self.has(key):
            if optional:
                return None
            self.fail_missing(key, f"no `{key}`; {wanted} is needed")
        value = self._values[key]
        if not isinstance(value, types) or isinstance(value, bool):
            self.fail(f"`{key}` is {value!r}; {wanted} is expected", key)
        return value
