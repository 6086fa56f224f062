"""Tables in the letters of a terminal: wrapped, without a column, or one below the other."""

import pytest

from cellway.cli import fitting
from cellway.cli.fitting import Column, Table, TableLine
from cellway.cli.text import say, table

FACTORS = Column("window", ("16 KiB", "128 KiB"), ">", wraps=True)
RATES = Column("throughput, Mbit/s", ("7.1 ± 0.2 (5)", "69.4 ± 0.2 (5)"), ">", wraps=False)
QUEUES = Column("queue", ("68.00 (5, all the same)", "256.0 (5, all the same)"), ">", wraps=False)
WORDS = Column("what it is", ("a short one", "many more words than fit"), "<", wraps=True)

EXPECTED = [
    " window       throughput,  what it is",
    "                   Mbit/s",
    "-------  ----------------  -----------------",
    " 16 KiB     7.1 ± 0.2 (5)  a short one",
    "128 KiB    69.4 ± 0.2 (5)  many more words",
    "                           than fit",
]
"""All three in 44 letters: the widest gave way first."""


def widest(lines: list[str]) -> int:
    return max(map(len, lines))


def test_a_table_with_room_is_as_wide_as_it_is() -> None:
    made = Table((FACTORS, RATES))
    assert (
        made.lines()
        == made.lines(200)
        == [
            " window  throughput, Mbit/s",
            "-------  ------------------",
            " 16 KiB       7.1 ± 0.2 (5)",
            "128 KiB      69.4 ± 0.2 (5)",
        ]
    )


def test_words_go_onto_further_lines_and_numbers_are_never_broken() -> None:
    assert Table((FACTORS, RATES, WORDS)).lines(44) == EXPECTED
    for room in range(20, 80):
        lines = Table((FACTORS, RATES, WORDS)).lines(room)
        assert any("69.4 ± 0.2 (5)" in line for line in lines), room


@pytest.mark.parametrize("room", range(36, 90))
def test_no_line_is_wider_than_the_room_and_every_number_is_there(room: int) -> None:
    made = Table((FACTORS, RATES, QUEUES, WORDS))
    lines = made.lines(room)
    assert widest(lines) <= room
    text = "\n".join(lines)
    assert all(cell in text for column in (RATES, QUEUES) for cell in column.cells)


def test_columns_that_have_no_room_stand_below_with_the_first_ones_again() -> None:
    lines = Table((FACTORS, RATES, QUEUES)).lines(40)
    assert lines[lines.index("") + 1].split() == ["window", "queue"]
    assert [line.split()[0] for line in lines if "KiB" in line] == ["16", "128", "16", "128"]


def test_what_is_left_out_is_named_and_only_if_there_is_no_room() -> None:
    made = Table((FACTORS, RATES, QUEUES), less=("queue",))
    assert made.lines(60) == Table((FACTORS, RATES, QUEUES)).lines(60)
    said = "not shown: queue; a wider terminal, or | less -S, has all columns"
    assert made.lines(40)[-1] == said
    assert not any("256" in line for line in made.lines(40))


def test_only_a_terminal_is_narrow(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = [["a-name", "one word after the other, " * 5]]
    monkeypatch.setenv("COLUMNS", "60")
    assert widest(table(["name", "words"], rows, "<<")) > 100
    say(rows[0][1].strip())
    assert len(capsys.readouterr().out.splitlines()) == 1
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    assert widest(table(["name", "words"], rows, "<<")) <= 60
    say(rows[0][1].strip(), "written to a folder of words " * 4)
    *lines, last = capsys.readouterr().out.splitlines()
    assert widest(lines) <= 60
    assert last == "written to a folder of words " * 4


def test_lines_that_fit_are_the_same_with_and_without_a_look_at_each_word() -> None:
    """A column that is wider than its texts has them looked at; both ways write the same cells."""
    columns = (FACTORS, RATES, QUEUES, WORDS)
    natural = [one.natural for one in columns]
    quick = fitting._written(columns, natural)
    slow = [
        line
        for row in zip(*(one.cells for one in columns), strict=True)
        for line in fitting._row(row, columns, natural)
    ]
    assert quick[2:] == slow
    cells = [[one.cells for one in lines if isinstance(one, TableLine)] for lines in (quick, slow)]
    assert cells[0][2:] == cells[1] == [*zip(*(one.cells for one in columns), strict=True)]
