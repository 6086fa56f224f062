"""Words of a command line become the arguments of the function that it calls, by argparse.

The arguments of a command are read from its signature; see `parameters.py`.
"""

from argparse import ArgumentParser, ArgumentTypeError, HelpFormatter
from collections.abc import Callable, Sequence
from types import GenericAlias, NoneType
from typing import Any, NoReturn, get_args

from cellway.cli.parameters import Argument, ExitError, Option, Rest, UsageError
from cellway.cli.text import help_columns
from cellway.text.nearest import did_you_mean

Group = Any
"""A group of arguments of argparse, whose class has no public name."""
Kind = Any
"""Type of a parameter, as it is written."""
REQUIRED = object()
_FREE = Option()
"""Option without limits of its value."""
_UNKNOWN = "unrecognized arguments: "


def parser_of(name: str, command: Callable[..., object]) -> ArgumentParser:
    """The parser of the arguments of the function `command`, called as ``cellway name``."""
    about = "\n\n".join(
        " ".join(part.split()) for part in (command.__doc__ or "").strip().split("\n\n")
    )
    parser = _Parser(
        prog=f"cellway {name}",
        description=about,
        allow_abbrev=False,
        add_help=False,
        formatter_class=_Paragraphs,
    )
    arguments, options = map(parser.add_argument_group, ("arguments", "options"))
    rest = ""
    for parameter, annotation, default in _parameters(command):
        kind, declared = get_args(annotation)
        if isinstance(declared, Option):
            _add_option(options, parameter, kind, declared, default)
        elif isinstance(declared, Argument):
            _add_argument(arguments, parameter, kind, declared, default)
        else:
            rest = f" [-- {declared.metavar}]"
            arguments.description = f"behind --: {_text(declared.help)}"
    options.add_argument("--help", "-h", action="help", help="Show this message and exit.")
    if rest:
        parser.usage = parser.format_usage().removeprefix("usage: ").rstrip() + rest
    return parser


def call(name: str, command: Callable[..., object], words: Sequence[str]) -> object:
    """Calls `command` with the arguments in `words`.

    Raises:
        UsageError: it does not take them.
        ExitError: they ask for help, which was printed.
    """
    parser = parser_of(name, command)
    words, rest = _without_rest(command, words)
    # Options may stand between arguments; behind -- every word is an argument.
    read = parser.parse_args if "--" in words else parser.parse_intermixed_args
    found = vars(read(words)) | rest
    # Lists that nobody gave are made anew: a default is shared.
    return command(
        **{key: list(one) if isinstance(one, list) else one for key, one in found.items()}
    )


def _without_rest(
    command: Callable[..., object], words: Sequence[str]
) -> tuple[Sequence[str], dict[str, list[str]]]:
    """The words before ``--``, and those behind it, if the command has a parameter for them."""
    for name, annotation, _ in _parameters(command):
        _, declared = get_args(annotation)
        if isinstance(declared, Rest):
            before, after = list(words), []
            if "--" in words:
                place = before.index("--")
                before, after = before[:place], before[place + 1 :]
            return before, {name: after}
    return words, {}


def takes(command: Callable[..., object]) -> str:
    """Arguments and options of `command`: ``SCENARIO FILE... --json --format=png|svg``."""
    words = []
    for name, annotation, _ in _parameters(command):
        kind, declared = get_args(annotation)
        several, single = (False, kind) if kind is bool else _single(kind)
        known = () if isinstance(single, GenericAlias) else get_args(single)
        shown = "|".join(known) or declared.metavar
        if isinstance(declared, Argument):
            words.append((shown or name.upper()) + "..." * several)
        elif isinstance(declared, Option):
            shown = shown.partition(" ")[0]
            words.append(_word(name, declared) + ("" if kind is bool else f"={shown or 'N'}"))
    return " ".join(words)


def _parameters(command: Callable[..., object]) -> list[tuple[str, Any, object]]:
    """Name, annotation and default of each parameter; `inspect` takes long to import."""
    code, defaults = command.__code__, command.__defaults__ or ()
    names = code.co_varnames[: code.co_argcount]
    padded = [REQUIRED] * (len(names) - len(defaults)) + list(defaults)
    return [
        (name, command.__annotations__[name], default)
        for name, default in zip(names, padded, strict=True)
    ]


def _add_argument(group: Group, name: str, kind: Kind, declared: Argument, default: object) -> None:
    several, single = _single(kind)
    more: dict[str, Any] = {} if default is REQUIRED else {"default": default, "nargs": "?"}
    group.add_argument(
        name,
        metavar=declared.metavar or name.upper(),
        help=_text(declared.help),
        type=_reader(single),
        **(more | ({"nargs": "+"} if several else {})),
    )


def _add_option(group: Group, name: str, kind: Kind, declared: Option, default: object) -> None:
    word = _word(name, declared)
    if kind is bool:
        group.add_argument(word, dest=name, action="store_true", help=_text(declared.help))
        return
    several, single = _single(kind)
    if isinstance(single, GenericAlias):
        group.add_argument(
            word,
            dest=name,
            nargs=len(get_args(single)),
            metavar=tuple(declared.metavar.split()),
            help=_text(declared.help),
            action="append",
            default=default,
        )
        return
    known = get_args(single)
    group.add_argument(
        word,
        dest=name,
        metavar=declared.metavar or "|".join(known) or "N",
        help=_text(declared.help + _noted(declared, default)),
        type=_reader(single, declared),
        action="append" if several else "store",
        required=default is REQUIRED,
        default=None if default is REQUIRED else default,
    )


def _word(name: str, declared: Option) -> str:
    return declared.name or f"--{name.replace('_', '-')}"


def _single(kind: Kind) -> tuple[bool, Kind]:
    """True if a parameter takes several values, and the type of one."""
    if NoneType in get_args(kind):
        (kind,) = (one for one in get_args(kind) if one is not NoneType)
    return (True, get_args(kind)[0]) if isinstance(kind, GenericAlias) else (False, kind)


def _reader(kind: Kind, declared: Option = _FREE) -> Callable[[str], object]:
    """Function that converts a word to a value."""
    known = get_args(kind)
    limits = declared.min, declared.max

    def read(word: str) -> object:
        if known and word not in known:
            raise ArgumentTypeError(f"{word!r}; expected one of {', '.join(known)}")
        try:
            value: Any = kind(word) if isinstance(kind, type) else word
        except ValueError:
            what = "a whole number" if kind is int else "a number"
            raise ArgumentTypeError(f"{word!r}; expected {what}") from None
        least, most = limits
        if (least is not None and value < least) or (most is not None and value > most):
            raise ArgumentTypeError(f"{word}; expected {_limits(declared)}")
        return value

    return read


def _text(words: str) -> str:
    """The text with per cent signs doubled: argparse replaces names behind single ones."""
    return words.replace("%", "%%")


def _limits(declared: Option) -> str:
    return f"{declared.min} {'or more' if declared.max is None else f'to {declared.max}'}"


def _noted(declared: Option, default: object) -> str:
    """Default or limits of an option, behind its help."""
    if isinstance(default, str | int | float):
        return f" [default: {default}]"
    return "" if declared.min is None else f" [{_limits(declared)}]"


class _Paragraphs(HelpFormatter):
    """Help with the paragraphs of a function's text, on a terminal of any width."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, max_help_position=26, width=help_columns())

    def add_text(self, text: str | None) -> None:
        for part in text.split("\n\n") if text else ():
            super().add_text(part)


class _Parser(ArgumentParser):
    """A parser that raises an error instead of leaving the process."""

    def error(self, message: str) -> NoReturn:
        if message.startswith(_UNKNOWN):
            message += self._nearest(message.removeprefix(_UNKNOWN).split()[0])
        raise UsageError(f"{message} ({self.prog} --help)")

    def exit(self, status: int = 0, message: str | None = None) -> NoReturn:  # noqa: ARG002
        """Ends the command after its help; `error` never comes here."""
        raise ExitError(status)

    def _nearest(self, word: str) -> str:
        known = (name for action in self._actions for name in action.option_strings)
        return did_you_mean(word.partition("=")[0], known)
