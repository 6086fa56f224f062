"""Attributes of frozen dataclasses that may be given in more forms than they are kept in."""

from collections.abc import Callable
from typing import Generic, TypeVar

Kept = TypeVar("Kept")
Given = TypeVar("Given")


class Converted(Generic[Kept, Given]):
    """A descriptor-typed field: what is given to the constructor is converted, and kept so.

    `dataclass` and type checkers take the constructor's parameter from `__set__` and the attribute
    from `__get__`. A frozen class stays frozen, and `dataclasses.replace` converts again what is
    converted, which must change nothing.
    """

    def __init__(self, convert: Callable[[Given], Kept], *default: Given) -> None:
        """A field that `convert` makes, with a default if one is given."""
        self._convert = convert
        self._default = default

    def __set_name__(self, owner: type, name: str) -> None:
        """The name of the field."""
        self._name = name

    def __get__(self, of: object | None, owner: type | None = None) -> Kept:
        """The value; of the class, the default, which `dataclass` asks for.

        Raises:
            AttributeError: of the class, without a default.
        """
        if of is not None:
            kept: Kept = of.__dict__[self._name]
            return kept
        if not self._default:
            raise AttributeError(self._name)
        return self._convert(self._default[0])

    def __set__(self, of: object, given: Given) -> None:
        """Converts and keeps."""
        of.__dict__[self._name] = self._convert(given)
