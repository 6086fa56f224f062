"""What a terminal or a figure would obey in the names of somebody else's files."""

import io
import warnings
from pathlib import Path

import pytest
from matplotlib.text import Text

from cellway import run
from cellway.cli.figure_files import save_figure
from cellway.cli.text import complain, say, table, visible
from cellway.plot.style import figure
from common import Command
from study.texts import lasting

SHORT = lasting("20 ms")


def test_what_a_terminal_obeys_is_shown() -> None:
    """Escape, the C1 byte that begins sequences too, carriage return, and a turn of direction."""
    assert visible("\x1b[31mred\x9b2J\r\u202e.") == "\\u001b[31mred\\u009b2J\\u000d\\u202e."
    assert visible("日本 ± –\tµs\n") == "日本 ± –\tµs\n"


def test_names_do_not_steer_a_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    say("\x1b]0;title\x07", *table(["w", "t"], [["\x1b[31mred", "1"], ["b\nc", "2"]]))
    complain("\x1b[2J: no such file")
    out, err = capsys.readouterr()
    assert out.splitlines() == [
        "\\u001b]0;title\\u0007",
        "w              t",
        "-------------  -",
        "\\u001b[31mred  1",
        "b\\nc           2",
    ]
    assert err == "\\u001b[2J: no such file\n"


@pytest.fixture
def odd(folder: Path, cellway: Command) -> Path:
    """A study whose labels and names are formulas of Matplotlib's, in letters that fonts lack."""
    (folder / "s.toml").write_text(SHORT)
    (folder / "odd.toml").write_text(
        '[study]\nscenario = "s.toml"\n[factor."$\\\\badmacro$"]\nkey = "flow.bulk.tcp.window"\n'
        'levels = ["32 KiB", "64 KiB"]\nlabels = ["$\\\\frac{$", "日本 $x$"]\n'
        '[response."t $x$"]\nquantity = "flows.bulk.throughput_bits_per_second"\n'
    )
    assert cellway("study", "odd.toml", "--out", "odd").returncode == 0
    return folder


def test_a_dollar_in_a_name_begins_no_formula(odd: Path, cellway: Command) -> None:
    plotted = cellway("plot", "odd")
    assert (plotted.returncode, plotted.stderr) == (0, "")
    printed = cellway("plot", "odd", "--out", "odd.pdf")
    assert (printed.returncode, printed.stderr) == (0, "")
    content = (odd / "odd.pdf").read_bytes()
    assert b"/CIDFontType2" in content
    assert b"/Type3" not in content


def test_powers_of_ten_stay_formulas() -> None:
    made = figure(4.0, 3.0)
    axes = made.subplots()
    axes.set_yscale("log")
    axes.plot([0, 1], [1e-3, 1e9], label="$\\frac{$")
    axes.set_xticks([0, 1], ["$a$", "$\\b$"])
    axes.legend()
    made.savefig(io.BytesIO(), format="png")
    shown = {one.get_text(): one.get_parse_math() for one in made.findobj(Text)}
    assert shown["$\\mathdefault{10^{3}}$"]
    assert not any(shown[name] for name in ("$\\frac{$", "$a$", "$\\b$"))


def test_a_letter_that_fonts_lack_is_no_warning(tmp_path: Path) -> None:
    made = figure(4.0, 3.0)
    made.suptitle("日本")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        save_figure(made, tmp_path / "a.png")


def test_a_path_is_no_scenario() -> None:
    """It was an AttributeError about `_core`."""
    with pytest.raises(TypeError, match=r"'x.toml' is no Scenario; expected one, as Scenario.load"):
        run("x.toml")  # type: ignore[arg-type]
