"""Shell completion: the words that may come next, and the scripts that ask for them.

A script sets `_CELLWAY_COMPLETE` and says what has been typed; it is answered with a word a line.
Where a file is expected nothing is answered, and the shell offers files.
"""

import os
from collections.abc import Callable, Sequence
from pathlib import Path

from cellway.cli.exits import BadInputError
from cellway.cli.text import say

VARIABLE = "_CELLWAY_COMPLETE"
_BASH = """\
_cellway_completion() {
    local IFS=$'\\n'
    COMPREPLY=($(env _CELLWAY_COMPLETE=complete_bash COMP_WORDS="${COMP_WORDS[*]}" \\
        COMP_CWORD=$COMP_CWORD "$1"))
}
complete -o default -F _cellway_completion cellway
"""
_ZSH = """\
#compdef cellway
_cellway() {
    local -a offered
    offered=("${(@f)$(env _CELLWAY_COMPLETE=complete_zsh \\
        COMP_WORDS="${(F)words[1,CURRENT]}" cellway)}")
    if [[ -n "${offered[1]}" ]]; then compadd -- $offered; else _files; fi
}
compdef _cellway cellway
"""
_FISH = """\
function __cellway_offered
    set -l typed (commandline --tokenize --cut-at-cursor) (commandline --current-token)
    env _CELLWAY_COMPLETE=complete_fish COMP_WORDS=(string join \\n $typed | string collect) cellway
end
complete --command cellway --arguments "(__cellway_offered)"
"""
SCRIPTS = {"bash": _BASH, "zsh": _ZSH, "fish": _FISH}
_PLACES = {
    "bash": ".local/share/bash-completion/completions/cellway",
    "zsh": ".zfunc/_cellway",
    "fish": ".config/fish/completions/cellway.fish",
}
"""Below the user's folder; where these shells look for scripts."""
_ZSH_SETUP = "\nfpath+=~/.zfunc; autoload -Uz compinit; compinit\n"


def shell() -> str:
    """The user's shell.

    Raises:
        BadInputError: there is no script for it.
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
    """Adds `text` to the end of a file, once."""
    before = file.read_text(encoding="utf-8") if file.exists() else ""
    if text.strip() not in before:
        with file.open("a", encoding="utf-8") as end:
            end.write(text)


def offer(commands: Sequence[str], options_of: Callable[[str], Sequence[str]]) -> None:
    """Prints what may stand in the place of the word that is being typed.

    Args:
        commands: the first word.
        options_of: the options of a command.
    """
    typed = os.environ.get("COMP_WORDS", "")
    words = typed.split("\n") if "\n" in typed else typed.split(" ")
    at = int(os.environ.get("COMP_CWORD", len(words) - 1))
    word = words[at] if at < len(words) else ""
    if at <= 1:
        offered = commands
    elif word.startswith("-") and words[1] in commands:
        offered = options_of(words[1])
    else:
        offered = ()
    say(*(one for one in offered if one.startswith(word)))
