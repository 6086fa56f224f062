"""Reading a table of catalogue data strictly: every key known, every value of its type."""

from collections.abc import Iterator
from typing import Any, NoReturn

from cellway.errors import CatalogueError


class Fields:
    """A table being read. Keys that nobody asked for are errors when `done` is called."""

    def __init__(self, table: dict[str, Any], where: str) -> None:
        self._table = table
        self._where = where
        self._known: list[str] = []

    def fail(self, message: str) -> NoReturn:
        """Raises `CatalogueError` with the place in front."""
        raise CatalogueError(f"{self._where}: {message}")

    def has(self, key: str) -> bool:
        """Whether `key` is there; it counts as known from now on."""
        self._known.append(key)
        return key in self._table

    def done(self) -> None:
        """Refuses keys that nobody asked for."""
        for key in self._table:
            if key not in self._known:
                accepted = ", ".join(dict.fromkeys(self._known))
                self.fail(f"unknown key `{key}`; accepted are {accepted}")

    def text(self, key: str, default: str | None = None) -> str:
        """A text; missing is an error without a `default`."""
        value = self._value(key, (str,), "a text", optional=default is not None)
        if value is None:
            return default or ""
        if not value.strip():
            self.fail(f"`{key}` is empty; a text is accepted")
        return " ".join(str(value).split())

    def texts(self, key: str, *, optional: bool = False) -> tuple[str, ...]:
        """A list of texts, not empty; none of them only when `optional` and missing."""
        if optional and not self.has(key):
            return ()
        value = self._value(key, (list,), "a list of texts")
        if not value or not all(isinstance(item, str) for item in value):
            self.fail(f"`{key}` must be a list of texts, not empty")
        return tuple(value)

    def whole(self, key: str, least: int) -> int:
        """A whole number of at least `least`."""
        value = self._value(key, (int,), "a whole number")
        if value < least:
            self.fail(f"`{key}` is {value}; at least {least} is accepted")
        return int(value)

    def number(self, key: str, *, optional: bool = False) -> float | None:
        """A number; `None` only when `optional` and missing."""
        value = self._value(key, (int, float), "a number", optional=optional)
        return None if value is None else float(value)

    def flag(self, key: str) -> bool:
        """Whether `key` is true; false when missing."""
        value = self.has(key) and self._table[key]
        if not isinstance(value, bool):
            self.fail(f"`{key}` is {value!r}; true or false is accepted")
        return value

    def one_of(self, key: str, accepted: tuple[str, ...], default: str | None = None) -> str:
        """One of the texts `accepted`; missing is an error without a `default`."""
        value = self.text(key, default)
        if value not in accepted:
            self.fail(f"`{key}` is {value!r}; accepted are {', '.join(accepted)}")
        return value

    def sets(self, key: str) -> tuple[tuple[str, Any], ...]:
        """Keys of a scenario with their values, in order; none when missing."""
        value = self._value(key, (dict,), "a table of scenario keys, each in quotes", optional=True)
        return tuple((value or {}).items())

    def named(self, key: str) -> dict[str, str]:
        """A table of texts, not empty, in order."""
        value = self._value(key, (dict,), "a table of texts")
        if not value or not all(isinstance(item, str) for item in value.values()):
            self.fail(f"`{key}` must be a table of texts, not empty")
        return dict(value)

    def table(self, key: str) -> "Fields":
        """A table inside this one."""
        return Fields(self._value(key, (dict,), "a table"), f"{self._where}: {key}")

    def tables(self, key: str, name: str, *, optional: bool = False) -> Iterator["Fields"]:
        """A list of tables, each named in messages by its entry `name`."""
        value = self._value(key, (list,), "a list of tables", optional=optional)
        for number, item in enumerate(value or [], start=1):
            if not isinstance(item, dict):
                self.fail(f"`{key}` must be a list of tables")
            yield Fields(item, f"{self._where}: {key} {item.get(name, number)}")

    def _value(self, key: str, types: tuple[type, ...], wanted: str, *, optional: bool = False) -> Any:  # noqa: ANN401
        if not self.has(key):
            if optional:
                return None
            self.fail(f"no `{key}`; {wanted} is needed")
        value = self._table[key]
        if not isinstance(value, types) or isinstance(value, bool):
            self.fail(f"`{key}` is {value!r}; {wanted} is accepted")
        return value
