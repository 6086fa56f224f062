"""Shell completion: the words that may come next, and the scripts that ask for them.

A script sets `_CELLWAY_COMPLETE` and passes the words typed so far; the answer has one word a line.
Where a file or a folder is expected the answer says so, and the shell offers them.
"""

import os
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from cellway.cli.exits import BadInputError
from cellway.cli.text import say
from cellway.errors import CellwayError

VARIABLE = "_CELLWAY_COMPLETE"
FILES, FOLDERS = ":files", ":folders"
"""Answers that stand for files and folders."""
_SHELF = Path(__file__).parent.parent / "catalogue"
TAKES = {
    "init": "NAME --out=DIR --force --json",
    "run": (
        "SCENARIO --set=KEY=VALUE --seed=N --netspec=FILE --out=DIR --pcap=FILE "
        "--pcap-at=HOST --pcap-as=ip|sunatm|erf --stack=FLOW[.END]=COMMAND --theory --members "
        "--force --json"
    ),
    "measure": (
        "SCENARIO --set=KEY=VALUE --seed=N --netspec=FILE --exec=HOST --flow=FLOW --kernel=FILE "
        "--out=DIR --pcap=FILE --pcap-at=HOST --pcap-as=ip|sunatm|erf --force --json"
    ),
    "shell": "SCENARIO HOST --set=KEY=VALUE --seed=N --exec=HOST --flow=FLOW --out=DIR --force",
    "script": "FILE... --stack=COMMAND --show --json",
    "study": (
        "STUDY|DIR --out=DIR --workers=N --paths=N --again --csv=FILE --set=KEY=VALUE --part=I/N "
        "--executor=threads|processes|dask://HOST:PORT --slurm-array=N --theory --force --json"
    ),
    "progress": "DIR... --json",
    "boundary": (
        "STUDY --response=RESPONSE --less --within=SHARE --out=DIR --workers=N --plot=FILE "
        "--size=slide|column|page --force --json"
    ),
    "merge": "OUT DIR... --force --json",
    "import": (
        "FILE --factor=COLUMN --response=COLUMN --unit=COLUMN=UNIT --rename=COLUMN=NAME --out=DIR "
        "--force --json"
    ),
    "compare": (
        "DIR|FILE DIR|FILE --set=KEY=VALUE --runs=N --measure --paths=N --out=DIR --again --json"
    ),
    "verify": "DIR --sample=N --json",
    "deposit": "DIR --out=FILE --author=AUTHOR --license=ID --force",
    "explain": "SCENARIO|STUDY --set=KEY=VALUE --netspec=FILE --json",
    "theory": "SCENARIO|STUDY --set=KEY=VALUE --plot=FILE --size=slide|column|page --force --json",
    "validate": "FILE... --netspec=FILE --json",
    "capacity": ("SCENARIO --link=LINK --to=FILE --format=csv|mahimahi --set=KEY=VALUE --seed=N"),
    "schema": "PREFIX --json --study --results",
    "doctor": "--json",
    "plot": (
        "DIR|FILE... --format=png|svg|pdf --out=FILE|DIR --from=S --to=S --port=PORT "
        "--occupancy --regions --distributions --time-sequence=FLOW --series=NAME "
        "--response=RESPONSE --x=FACTOR --panels=FACTOR --log=none|x|y|xy "
        "--size=slide|column|page --no-title --set=KEY=VALUE --force"
    ),
    "export": "iperf3|flent DIR|SCENARIO --to=FILE --interval=S --set=KEY=VALUE",
    "report": (
        "DIR|FILE|PAPER --out=FILE --md --set=KEY=VALUE --quick --store=DIR --pages=DIR --force"
    ),
    "lab": "FILE --port=N --no-browser --out=FILE --force",
    "course": "UNIT --check=FILE --solution --out=DIR --force --json",
    "reproduce": (
        "PAPER TABLE --all --quick --sensitivity --json --workers=N "
        "--executor=threads|processes|dask://HOST:PORT --store=DIR --pages=DIR "
        "--markdown=FILE --plots=DIR --size=slide|column|page --redraw --theory --measure "
        "--paths=N --force"
    ),
}
"""Arguments and options of each command, as its help lists them: importing its module takes 0.2
s."""
_BASH = r"""
_cellway_completion() {
    local IFS=$'\n' one
    COMPREPLY=()
    while read -r one; do
        case "$one" in
            :files) compopt -o default ;;
            :folders) compopt -o dirnames ;;
            *) COMPREPLY+=("$(printf %q "$one")") ;;
        esac
    done < <(env _CELLWAY_COMPLETE=complete_bash COMP_WORDS="${COMP_WORDS[*]}" \
        COMP_CWORD=$COMP_CWORD "$1")
}
complete -F _cellway_completion cellway
""".lstrip()
_ZSH = """\
#compdef cellway
_cellway() {
    local -a offered
    offered=("${(@f)$(env _CELLWAY_COMPLETE=complete_zsh \\
        COMP_WORDS="${(F)words[1,CURRENT]}" cellway)}")
    [[ "${offered[1]}" = :* && "$PREFIX" = --*=* ]] && compset -P 1 '*='
    case "${offered[1]}" in
        :files) _files ;;
        :folders) _files -/ ;;
        ?*) compadd -- $offered ;;
    esac
}
if [[ "$funcstack[1]" = _cellway ]]; then _cellway; else compdef _cellway cellway; fi
"""
_FISH = """\
function __cellway_offered
    set -l typed (commandline --current-process --tokenize --cut-at-cursor)
    set -a typed (commandline --current-token --cut-at-cursor)
    set -l offered (env _CELLWAY_COMPLETE=complete_fish \\
        COMP_WORDS=(string join \\n -- $typed | string collect) cellway)
    switch "$offered[1]"
        case :files
            __fish_complete_path $typed[-1]
        case :folders
            __fish_complete_directories $typed[-1]
        case '*'
            printf '%s\\n' $offered
    end
end
complete --command cellway --no-files --arguments "(__cellway_offered)"
"""
SCRIPTS = {"bash": _BASH, "zsh": _ZSH, "fish": _FISH}
_PLACES = {
    "bash": ".local/share/bash-completion/completions/cellway",
    "zsh": ".zfunc/_cellway",
    "fish": ".config/fish/completions/cellway.fish",
}
"""Places, below the user's folder, where the shells look for scripts."""
_ZSH_SETUP = "\nfpath+=~/.zfunc; autoload -Uz compinit; compinit\n"


def shell() -> str:
    """The user's shell.

    Raises:
        BadInputError: no script for this shell exists.
    """
    name = Path(os.environ.get("SHELL", "")).name
    if name not in SCRIPTS:
        raise BadInputError(
            f"completion: the shell is {name or 'unknown'} ($SHELL); expected one of "
            f"{', '.join(SCRIPTS)}"
        )
    return name


def show() -> None:
    """Prints the script for the user's shell."""
    say(SCRIPTS[shell()].removesuffix("\n"))


def install() -> None:
    """Writes the script where the user's shell finds it.

    Raises:
        BadInputError: it cannot be written.
    """
    name = shell()
    file = Path.home() / _PLACES[name]
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(SCRIPTS[name], encoding="utf-8")
        if name == "zsh":
            _extend(Path.home() / ".zshrc", _ZSH_SETUP)
    except OSError as error:
        raise BadInputError(f"completion: {file}: cannot be written: {error.strerror}") from error
    say(f"written to {file}; it works in a new shell")


def _extend(file: Path, text: str) -> None:
    """Adds `text` to the end of a file unless it is there."""
    before = file.read_text(encoding="utf-8") if file.exists() else ""
    if text.strip() not in before:
        with file.open("a", encoding="utf-8") as end:
            end.write(text)


class _Typed(NamedTuple):
    """The words of a command typed so far.

    Attributes:
        given: arguments before the word that is being typed, without options and their values.
        options: options before that word.
        word: the typed beginning of the word.
    """

    given: list[str]
    options: list[str]
    word: str

    @property
    def source(self) -> Path:
        """The file or folder that the command is about."""
        return Path(*self.given[:1])


def offer(commands: Sequence[str], options: Sequence[str]) -> None:
    """Prints the words that may stand in the place of the one that is being typed.

    Args:
        commands: accepted as the first word.
        options: accepted in its place.
    """
    (_, *words), last = _typed()
    option, equals, word = last.rpartition("=") if last.startswith("--") else ("", "", last)
    if not words:
        offered: Iterable[str] = options if word.startswith("-") else commands
    elif words[0] in TAKES:
        offered = _of_command(words[0], [*words[1:], *filter(None, [option])], word)
    else:
        offered = ()
    for one in offered:
        if one in (FILES, FOLDERS):
            say(one)
        elif one.startswith(word):
            say(option + equals + one)


def _typed() -> tuple[list[str], str]:
    """The words before the one that is being typed, and that one, as the program would get them."""
    typed = os.environ.get("COMP_WORDS", "")
    words = typed.split("\n" if "\n" in typed else " ")
    at = int(os.environ.get("COMP_CWORD", len(words) - 1))
    words = [re.sub(r"\\(.)", r"\1", one.lstrip("\"'")) for one in [*words[:at], *words[at:][:1]]]
    last = words[at] if words[at:] not in ([], ["="]) else ""
    return _rejoined(words[:at]), last


def _rejoined(words: Sequence[str]) -> list[str]:
    """The words as typed: bash splits --format=png into three, and into two while it is typed."""
    rejoined: list[str] = []
    follows = False
    for one in words:
        if rejoined and (one == "=" or follows):
            rejoined[-1] += one
        else:
            rejoined.append(one)
        follows = one == "="
    if follows:
        rejoined[-1] = rejoined[-1].removesuffix("=")
    return rejoined


def _of_command(command: str, words: Sequence[str], word: str) -> Iterable[str]:
    """Candidates for a word of `command` behind others."""
    *places, last = [one for one in TAKES[command].split() if not one.startswith("--")]
    known = dict(one.partition("=")[::2] for one in TAKES[command].split() if one[:2] == "--")
    typed = _Typed([], [], word)
    awaited = ""
    for one in words:
        if awaited:
            awaited = ""
        elif (option := one.partition("=")[0]) in known:
            typed.options.append(option)
            awaited = "" if "=" in one else known[option]
        else:
            typed.given.append(one)
    if not awaited and word.startswith("-"):
        return [*known, "--help"]
    several = last.endswith("...")
    places += [last.removesuffix("...")] * (len(words) + 1 if several else 1)
    kinds = [awaited] if awaited else places[len(typed.given) :]
    try:
        return _values(kinds[0], typed) if kinds else ()
    except (CellwayError, OSError, ValueError):
        return ()


def _values(kind: str, typed: _Typed) -> Iterable[str]:
    """Candidates for a word that the help calls `kind`."""
    if not kind.isupper():
        return kind.split("|")
    if {"FILE", "SCENARIO", "STUDY"} & {*kind.split("|")}:
        return [FILES]
    return _SOURCES[kind](typed) if kind in _SOURCES else ()


def _shipped(_typed: _Typed) -> Iterable[str]:
    from cellway.scenario.shipped import shipped  # noqa: PLC0415

    return [one.name for one in shipped()]


def _units(_typed: _Typed) -> Iterable[str]:
    from cellway.course import UNITS  # noqa: PLC0415

    return UNITS


def _papers(_typed: _Typed) -> Iterable[str]:
    return sorted(file.parent.name for file in _SHELF.glob("*/published.toml"))


def _tables(typed: _Typed) -> Iterable[str]:
    """Tables of a paper, or, if none begins so, codes of rows, claims and other entries."""
    text = (_SHELF / typed.source / "published.toml").read_text(encoding="utf-8")
    named = re.compile(r'^(table|code) = "([^"]+)"', re.MULTILINE).findall(text)
    tables = dict.fromkeys(name for key, name in named if key == "table")
    begins = any(name.startswith(typed.word) for name in tables)
    return tables if begins else dict.fromkeys(name for _, name in named)


def _prefixes(typed: _Typed) -> Iterable[str]:
    """Beginnings of keys, or of numbers of a summary, one part longer than the word."""
    if "--results" in typed.options:
        from cellway.study.summary_numbers import numbers  # noqa: PLC0415

        keys = [*numbers()]
    else:
        from cellway.lab.keys import KEYS  # noqa: PLC0415
        from cellway.scenario.scenario import schema  # noqa: PLC0415

        keys = [key["key"] for key in [*schema()["keys"], *KEYS]]
    most = typed.word.count(".") + 2
    parts = (key.split(".") for key in keys)
    return dict.fromkeys(
        ".".join(one[:depth]) for one in parts for depth in range(1, min(len(one), most) + 1)
    )


def _names(table: str) -> Callable[[_Typed], Iterable[str]]:
    """Names of one kind of parts in a scenario, or in the scenario of a run."""

    def found(typed: _Typed) -> Iterable[str]:
        from cellway.scenario.scenario import Scenario  # noqa: PLC0415

        scenario = Scenario.load(_inside(typed.source, "scenario.toml"))
        if table == "host":
            return scenario.host_names()
        explained: Mapping[str, Any] = scenario.explain()
        return dict.fromkeys(one["name"] for one in explained[f"{table}s"])

    return found


def _names_of_study(table: str) -> Callable[[_Typed], Iterable[str]]:
    return lambda typed: _table(
        _inside(typed.source, "study.toml").read_text(encoding="utf-8"), table
    )


def _inside(source: Path, name: str) -> Path:
    return source / name if source.is_dir() else source


def _table(text: str, name: str) -> Iterable[str]:
    """The keys of a table at the top of a file."""
    import tomllib  # noqa: PLC0415

    return [*tomllib.loads(text).get(name, ())]


_SOURCES: dict[str, Callable[[_Typed], Iterable[str]]] = {
    "DIR": lambda _: [FOLDERS],
    "OUT": lambda _: [FOLDERS],
    "NAME": _shipped,
    "UNIT": _units,
    "PAPER": _papers,
    "TABLE": _tables,
    "PREFIX": _prefixes,
    "RESPONSE": _names_of_study("response"),
    "FACTOR": _names_of_study("factor"),
    **{kind: _names(kind.lower()) for kind in ("PORT", "FLOW", "HOST", "LINK")},
}
"""Functions that give candidates, by the name of a word in the help."""
