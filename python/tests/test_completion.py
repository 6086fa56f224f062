"""What shells offer: the words of every command, asked as shells ask, and in real shells."""

import os
import pty
import select
import shlex
import shutil
import sys
import termios
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from cellway.cli import completion
from cellway.cli.arguments import takes
from cellway.cli.commands import COMMANDS, function_of
from common import GOLDEN

SCENARIO = Path(__file__).parents[2] / "scenarios" / "rate-mismatch.toml"
STUDY = SCENARIO.parent / "studies" / "window.toml"
PLACES = {
    "scenario": SCENARIO,
    "study": STUDY,
    "files": completion.FILES,
    "folders": completion.FOLDERS,
}
PLOT = ["plot", "a.toml", "--format"]
SETUPS = {
    "bash": ([], ".rc", ". {script}\nPS1='READY> '\n"),
    "zsh": (["-d"], ".zshrc", "PS1='READY> '\n"),
    "fish": ([], ".config/fish/config.fish", "function fish_prompt; echo -n 'READY> '; end\n"),
}
"""Further arguments, the file that is read at the start, and what it has beside what is written."""


@pytest.mark.parametrize("name", COMMANDS)
def test_what_a_command_takes_is_that_of_its_function(name: str) -> None:
    assert completion.TAKES[name] == takes(function_of(name))


@pytest.fixture
def offered(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[..., list[str]]:
    def offered(*words: str) -> list[str]:
        monkeypatch.setenv("COMP_WORDS", "\n".join(["cellway", *words]))
        completion.offer([*COMMANDS], ["--version", "--help"])
        return capsys.readouterr().out.splitlines()

    return offered


@pytest.mark.parametrize("line", (GOLDEN / "completion.txt").read_text().splitlines())
def test_what_may_stand_there_is_offered(offered: Callable[..., list[str]], line: str) -> None:
    words, expected = (shlex.split(side.format_map(PLACES)) for side in line.split("->"))
    assert offered(*words) == expected


def test_the_three_words_that_bash_makes_of_one_are_one(
    offered: Callable[..., list[str]],
) -> None:
    assert offered("plot", "a.toml", "--format", "=") == ["png", "svg", "pdf"]
    assert offered("plot", "a.toml", "--format", "=", "s") == ["svg"]
    of_one = ("plot", "--set", "run.seed", "=", "3", str(SCENARIO), "--time-sequence", "b")
    assert offered(*of_one) == ["bulk"]


def test_names_that_a_shell_has_quoted_are_found(
    offered: Callable[..., list[str]], tmp_path: Path
) -> None:
    text = SCENARIO.read_text(encoding="utf-8")
    (tmp_path / "my file.toml").write_text(text)
    assert offered("plot", f"{tmp_path}/my\\ file.toml", "--time-sequence", "'b") == ["bulk"]


@pytest.mark.parametrize("name", completion.SCRIPTS)
def test_the_script_of_a_shell_is_installed_where_it_looks(
    name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("SHELL", f"/bin/{name}")
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / ".zshrc").write_text("# mine\n")
    completion.install()
    completion.install()
    file = Path(capsys.readouterr().out.split(" to ")[1].split(";")[0])
    assert file.is_relative_to(tmp_path)
    assert file.read_text() == completion.SCRIPTS[name]
    assert (tmp_path / ".zshrc").read_text().count("compinit") == (2 if name == "zsh" else 0)
    assert (tmp_path / ".zshrc").read_text().startswith("# mine\n")


class Shell:
    """A shell on a terminal of its own, where `cellway` notes what it was given.

    It reads what `--install-completion` wrote.
    """

    def __init__(self, name: str, folder: Path) -> None:
        self._noted = folder / "noted"
        program = folder / "bin" / "cellway"
        program.parent.mkdir()
        program.write_text(
            f"#!{sys.executable}\nimport os, sys\n"
            f'if "{completion.VARIABLE}" in os.environ:\n'
            "    from cellway.cli import main\n    main()\n"
            f'open({str(self._noted)!r}, "w").write("\\n".join(sys.argv[1:]) + "\\n.")\n'
        )
        program.chmod(0o755)
        more, start, text = SETUPS[name]
        file = folder / start
        file.parent.mkdir(parents=True, exist_ok=True)
        script = shlex.quote(str(folder / ".local/share/bash-completion/completions/cellway"))
        with file.open("a") as end:
            end.write(text.format(script=script))
        words = [name, "--rcfile", str(file), "-i"] if name == "bash" else [name, *more, "-i"]
        environment = {
            "HOME": str(folder),
            "PATH": f"{program.parent}:{os.environ['PATH']}",
            "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
            "TERM": "dumb",
            "LC_ALL": "C.UTF-8",
        }
        self._process, self._terminal = pty.fork()
        if self._process == 0:
            os.chdir(folder)
            os.execvpe(name, words, environment)
        termios.tcsetwinsize(self._terminal, (50, 200))
        self._read_until(b"READY> ")

    def given(self, typed: str) -> list[str]:
        """The words that the command has when Tab and Enter follow what is `typed`."""
        self._noted.unlink(missing_ok=True)
        os.write(self._terminal, typed.encode() + b"\t\r")
        self._read_until(b"READY> ")
        until = time.monotonic() + 30
        while not self._noted.exists() or not self._noted.read_text().endswith("."):
            assert time.monotonic() < until, typed
            self._read()  # Fish repeats its prompt.
        while self._read():
            pass
        return self._noted.read_text().splitlines()[:-1]

    def close(self) -> None:
        os.close(self._terminal)
        os.waitpid(self._process, 0)

    def _read_until(self, wanted: bytes) -> None:
        seen, until = b"", time.monotonic() + 30
        while wanted not in seen.replace(b"\r", b""):
            assert time.monotonic() < until, seen
            seen += self._read()

    def _read(self) -> bytes:
        ready, _, _ = select.select([self._terminal], [], [], 0.2)
        return os.read(self._terminal, 65536) if ready else b""


@pytest.mark.parametrize("name", completion.SCRIPTS)
def test_a_shell_completes(name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    if shutil.which(name) is None:
        pytest.skip(f"no {name} on this machine")
    monkeypatch.setenv("SHELL", f"/bin/{name}")
    monkeypatch.setenv("HOME", str(tmp_path))
    completion.install()
    (tmp_path / "only").mkdir()
    (tmp_path / "only" / "a [1].toml").write_text(SCENARIO.read_text(encoding="utf-8"))
    shell = Shell(name, tmp_path)
    try:
        assert shell.given("cellway expl") == ["explain"]
        assert shell.given("cellway plot a.toml --form") == PLOT
        assert shell.given("cellway plot a.toml --format s") == [*PLOT, "svg"]
        assert shell.given("cellway plot a.toml --format=s") in (
            [*PLOT, "svg"],
            ["plot", "a.toml", "--format=svg"],
        )
        assert shell.given("cellway init rate-m") == ["init", "rate-mismatch"]
        assert shell.given("cellway reproduce mag") == ["reproduce", "magic-1997"]
        assert shell.given("cellway run only/a") == ["run", "only/a [1].toml"]
        *before, folder = shell.given("cellway run a.toml --out on")
        assert (before, folder.rstrip("/")) == (["run", "a.toml", "--out"], "only")
        assert shell.given("cellway run a.toml --seed o") == ["run", "a.toml", "--seed", "o"]
    finally:
        shell.close()
