"""Arithmetic over named numbers, as in the claims of a paper; nothing else is accepted.

expression  names, numbers, ( ), + - * /, unary -, abs(x), min(x, y, ...), max(x, y, ...), and the
            formulas of `cellway.catalogue.formulas`, such as alone_optimistic(40, 20, 10, 2)
name        `ticks`, or a published number of it: `ticks.simulated`, `ticks.measured`
"""

import ast
import math
import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from cellway.catalogue.formulas import ARGUMENTS, FORMULAS

ACCEPTED = f"names, numbers, + - * /, parentheses, abs, min, max, {', '.join(FORMULAS)}"
LENGTH_LIMIT = 500
"""Most characters: more than any claim needs, and too few to exhaust the parser's stack."""

_OPERATIONS: Mapping[type[ast.operator], Callable[[float, float], float]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
}
_FUNCTIONS: Mapping[str, Callable[[Sequence[float]], float]] = {
    "abs": lambda values: abs(values[0]),
    "min": min,
    "max": max,
}
FUNCTIONS = (*_FUNCTIONS, *FORMULAS)
"""Names that cannot be given to a number."""


@dataclass(frozen=True)
class Named:
    """A name in an expression; `part` is the text after its dot."""

    name: str
    part: str | None = None

    def __str__(self) -> str:
        return self.name if self.part is None else f"{self.name}.{self.part}"


Lookup = Callable[[Named], float]
_Value = Callable[[Lookup], float]


@dataclass(frozen=True)
class Expression:
    """Parsed arithmetic that has accepted operations only.

    Attributes:
        text: as it was written.
        names: every name in it, once, in the order of their first appearance.
    """

    text: str
    names: tuple[Named, ...]
    _value: _Value = field(repr=False, compare=False)

    @classmethod
    def parse(cls, text: str) -> "Expression":
        """Parses `text`.

        Raises:
            ValueError: something else stands there; the message quotes it and says what is
                accepted.
        """
        if len(text) > LENGTH_LIMIT:
            raise ValueError(
                f"more than {LENGTH_LIMIT} characters; a shorter expression is accepted"
            )
        try:
            tree = ast.parse(text.strip(), mode="eval").body
        except (SyntaxError, ValueError) as error:
            raise ValueError(f"{text!r} cannot be read; accepted are {ACCEPTED}") from error
        names: dict[Named, None] = {}
        value = _read(tree, names)
        return cls(text, tuple(names), value)

    def value(self, of: Lookup) -> float:
        """Value of the expression with the numbers that `of` gives for its names.

        Raises:
            ZeroDivisionError: a divisor is zero.
            OverflowError: the number is too large for a float.
        """
        value = self._value(of)
        if not math.isfinite(value):
            raise OverflowError(f"{self.text} is not a finite number")
        return value


def _read(node: ast.expr, names: dict[Named, None]) -> _Value:
    match node:
        case ast.Constant(value=int() | float() as number) if not isinstance(number, bool):
            return _constant(number, node)
        case ast.Name(id=name) if name not in FUNCTIONS:
            return _named(Named(name), names)
        case ast.Attribute(value=ast.Name(id=name), attr=part) if name not in FUNCTIONS:
            return _named(Named(name, part), names)
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            inner = _read(operand, names)
            return lambda of: -inner(of)
        case ast.BinOp(left=left, op=sign, right=right) if type(sign) in _OPERATIONS:
            operate, one, other = _OPERATIONS[type(sign)], _read(left, names), _read(right, names)
            return lambda of: operate(one(of), other(of))
        case ast.Call(func=ast.Name(id=name), args=arguments, keywords=[]) if name in FUNCTIONS:
            return (_formula if name in FORMULAS else _call)(name, arguments, names)
        case _:
            raise ValueError(f"{ast.unparse(node)!r} is not accepted; accepted are {ACCEPTED}")


def _constant(number: float, node: ast.expr) -> _Value:
    try:
        value = float(number)
    except OverflowError:
        value = math.inf
    if not math.isfinite(value):
        raise ValueError(f"{ast.unparse(node)!r} is beyond what a number can be")
    return lambda _of: value


def _named(named: Named, names: dict[Named, None]) -> _Value:
    names[named] = None
    return lambda of: of(named)


def _call(name: str, arguments: Sequence[ast.expr], names: dict[Named, None]) -> _Value:
    if (len(arguments) != 1) if name == "abs" else (len(arguments) < 2):  # noqa: PLR2004
        wanted = "one number" if name == "abs" else "at least two numbers"
        raise ValueError(
            f"{name} of {len(arguments)} numbers is not accepted; {name} takes {wanted}"
        )
    function, values = _FUNCTIONS[name], [_read(argument, names) for argument in arguments]
    return lambda of: function([value(of) for value in values])


def _formula(name: str, arguments: Sequence[ast.expr], names: dict[Named, None]) -> _Value:
    if len(arguments) != ARGUMENTS:
        raise ValueError(f"{name} of {len(arguments)} numbers; {name} takes {ARGUMENTS}")
    formula, values = FORMULAS[name], [_read(argument, names) for argument in arguments]
    return lambda of: formula(*(value(of) for value in values))
