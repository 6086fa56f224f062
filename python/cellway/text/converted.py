"""Attributes of frozen dataclasses that may be given in more forms than they are kept in."""

from collections.abc import Callable
from typing import Generic, TypeVar

Kept = TypeVar("Kept")
Given = TypeVar("Given")


class Converted(Generic[Kept, Given]):
    """A descriptor-typed field: the constructor converts the value that it is given and keeps that.

    `dataclass` and type checkers take the constructor's parameter from `__set__` and the attribute
    from `__get__`. A frozen class stays frozen. `dataclasses.replace` converts the kept value
    again, which must change nothing.
    """

    def __init__(self, convert: Callable[[Given], Kept], *default: Given) -> None:
        """Makes a field that `convert` fills, with a default if one is given."""
        self._convert = convert
        self._default = default

    def __set_name__(self, owner: type, name: str) -> None:
        """Remembers the name of the field."""
        self._name = name

    def __get__(self, of: object | None, owner: type | None = None) -> Kept:
        """The value in an instance; in the class itself the default, which `dataclass` asks for.

        Raises:
            AttributeError: the class is asked, and there is no default.
        """
        if of is not None:
            kept: Kept = of.__dict__[self._name]
            return kept
        if not self._default:
            raise AttributeError(self._name)
        return self._convert(self._default[0])

    def __set__(self, of: object, given: Given) -> None:
        """Converts the given value and keeps it."""
        of.__dict__[self._name] = self._convert(given)
