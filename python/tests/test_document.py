"""Strict TOML: what a table gives, and the message, line and column of what it refuses.

Lines and columns count from 1, columns in characters; each expected place is counted in the text
beside it. The grammar is that of TOML 1.0.0, https://toml.io/en/v1.0.0.
"""

from collections.abc import Callable
from pathlib import Path

import pytest

from cellway.disk.files import TEXT_LIMIT
from cellway.errors import StudyError
from cellway.text.document import Table, load_document, parse_document
from faults import FOLDER, listed

TEXT = (FOLDER / "values.toml").read_text()


BY_KEY: dict[str, Callable[[Table, str], object]] = {
    "text": Table.text,
    "number": Table.number,
    "texts": Table.texts,
    "named texts": Table.named_texts,
    "sets": Table.sets,
    "table": Table.table,
    "tables": lambda table, key: list(table.tables(key)),
    "named tables": lambda table, key: list(table.named(key)),
    "whole": lambda table, key: table.whole(key, least=0),
    "54 or more": lambda table, key: table.whole(key, least=54),
    "1 to 48": lambda table, key: table.whole(key, least=1, most=48),
    "yes": lambda table, key: table.yes(key, default=True),
    "in or out": lambda table, key: table.one_of(key, ("in", "out")),
}


def parsed(text: str) -> Table:
    return parse_document(text.encode(), "x.toml", StudyError)


def said(read: Callable[[], object]) -> str:
    """The complaint of `read`."""
    with pytest.raises(StudyError) as refused:
        read()
    return str(refused.value)


def test_values_are_given_as_written() -> None:
    table = parsed(TEXT)
    assert table.text("title") == "of cells"
    assert table.whole("bytes", least=53, most=53) == 53
    assert (table.number("bytes"), table.number("share")) == (53.0, 0.15)
    assert table.yes("open", default=False) is True
    assert table.one_of("way", ("down", "up")) == "up"
    assert table.texts("names") == ("a", "b")
    assert table.named_texts("by_name") == {"ä": "A", "b": "B"}
    assert table.sets("sets") == (("host.a.cpu", 1), ("run.seed", "2"))
    assert table.table("inner").whole("depth", least=0) == 1
    assert [host.text("name") for host in table.tables("host")] == ["left", "right"]
    rates = {name: link.number("rate") for name, link in table.named("link")}
    assert rates == {"one": 1.0, "two": 2.0}
    table.done()


def test_what_is_missing_is_its_default() -> None:
    table = parsed("")
    assert table.text("title", default="none") == "none"
    assert table.whole("bytes", least=1, default=53) == 53
    assert table.number("share", optional=True) is None
    assert table.yes("open", default=True) is True
    assert table.one_of("way", ("down", "up"), default="down") == "down"
    assert table.texts("names", optional=True) == ()
    assert table.sets("sets") == ()
    assert not list(table.tables("host", optional=True))
    assert not list(table.named("link"))
    table.done()


def test_an_unknown_key_is_named_with_those_accepted_and_the_one_meant() -> None:
    table = parsed('title = "x"\n  byts = 53\n')
    table.text("title")
    table.has("bytes")
    table.done()
    assert said(table.refuse) == (
        "x.toml:2:3: unknown key `byts`; expected one of `title`, `bytes`; did you mean `bytes`?"
    )


def test_an_unknown_key_like_no_other_is_named_with_those_accepted() -> None:
    table = parsed("zzz = 53\n")
    table.has("title")
    table.done()
    assert said(table.refuse) == "x.toml:1:1: unknown key `zzz`; expected one of `title`"


def test_a_missing_key_is_reported_at_the_table_that_lacks_it() -> None:
    table = parsed(TEXT)
    first, second = table.tables("host")
    for kind, lacks, words in (
        ("text", table, "1:1: no `rate`; a text is needed"),
        ("number", table.table("inner"), "9:2: no `rate`; a number is needed"),
        ("table", first, "11:1: no `rate`; a table is needed"),
        ("texts", second, "13:1: no `rate`; a list of texts is needed"),
    ):
        assert said(lambda: BY_KEY[kind](lacks, "rate")) == f"x.toml:{words}"  # noqa: B023


@pytest.mark.parametrize(("value", "words"), listed("values"))
def test_a_value_of_another_type_or_range_is_reported_at_its_place(value: str, words: str) -> None:
    key, kind = value.split(" as ")

    def read() -> None:
        table = parsed(TEXT)
        BY_KEY[kind](table, key)
        table.refuse()

    assert said(read).startswith(f"x.toml:{words}")


@pytest.mark.parametrize(
    ("text", "kind", "words"),
    [
        ('x = " "', "text", "5: `x` is empty; a text is expected"),
        ("x = []", "texts", "5: `x` is empty; a list of texts is expected"),
        ('x = ["ü", 2]', "texts", "11: `x` has 2; a text is expected"),
        ("x = {}", "named texts", "5: `x` is empty; a table of texts is expected"),
        ("x = nan", "number", "5: `x` is nan; a finite number is expected"),
        ("x = -inf", "number", "5: `x` is -inf; a finite number is expected"),
        # The largest float is below 1.8e308 (IEEE 754, binary64).
        (f"x = {10**309}", "number", f"5: `x` is {10**309}; a finite number is expected"),
    ],
    ids=lambda value: value[:40],
)
def test_nothing_and_what_is_not_finite_are_no_values(text: str, kind: str, words: str) -> None:
    assert said(lambda: BY_KEY[kind](parsed(text), "x")) == f"x.toml:1:{words}"


def test_a_value_deep_in_arrays_of_tables_has_its_place() -> None:
    """In line 15, `ports = [{ rate = 1 }, ` has 23 characters, `{ "ü" = 0, ` 11 more."""
    table = parsed(TEXT)
    _, host = table.tables("host")
    _, port = host.tables("ports")
    found = said(lambda: port.whole("rate", least=3))
    assert found == "x.toml:15:42: `rate` is 2; at least 3 is accepted"
    assert said(lambda: port.fail("no", "rate", at_key=True)) == "x.toml:15:35: no"
    assert said(lambda: port.fail("no")) == "x.toml:15:24: no"
    assert said(lambda: table.fail_at(("host", 1, "ports", 1, "rate"), "no")) == "x.toml:15:42: no"
    assert said(lambda: table.fail_at(("host", 0, "name"), "no", at_key=True)) == "x.toml:12:1: no"


def test_of_a_path_that_is_not_written_the_innermost_part_that_is_has_the_place() -> None:
    assert said(lambda: parsed(TEXT).fail_at(("host", 1, "cards", 7), "no")) == "x.toml:13:1: no"


SYNTAX = [
    ("a = 1\n  b = \n", "2:7: not TOML 1.0: "),
    ("a = 1\r\nb = 08\r\n", "2:6: not TOML 1.0: "),
    ("[inner\n", "1:7: not TOML 1.0: "),
    ("a = 1\na = 2\n", "2:1: duplicate key `a`, which stands at 1:1 already"),
    ('a = """\nü', "2:2: not TOML 1.0: unterminated string"),
    ("a = 1\nb = [1,\n", "3:1: not TOML 1.0: "),
    ("a = " + "[" * 81 + "]" * 81, "1:1: nested too deeply, or a number too long; at most 80 lev"),
    ("a = " + "[" * 100_000, "1:1: nested too deeply"),
    ("a = 1" + "0" * 4300, "1:1: nested too deeply, or a number too long"),
]


@pytest.mark.parametrize(("text", "words"), SYNTAX, ids=[words for _, words in SYNTAX])
def test_what_is_not_toml_is_refused_where_reading_stopped(text: str, words: str) -> None:
    assert said(lambda: parsed(text)).startswith(f"x.toml:{words}")


def test_eighty_levels_are_read() -> None:
    parsed("a = " + "[" * 80 + "]" * 80).has("a")


def test_what_is_not_utf_8_is_refused_at_its_first_wrong_byte() -> None:
    """0xFF occurs nowhere in UTF-8 (RFC 3629, section 1)."""
    content = 'a = 1\nb = "ü'.encode() + b'\xff"\n'
    assert said(lambda: parse_document(content, "x.toml", StudyError)) == (
        "x.toml:2:7: not UTF-8; a text file in UTF-8 is expected"
    )


def test_a_file_of_1_mib_is_read_and_one_byte_more_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "long.toml"
    file.write_bytes(b"a = 1\n".ljust(TEXT_LIMIT, b"\n"))
    assert load_document(file, StudyError, "a study").whole("a", least=1) == 1
    file.write_bytes(b"a = 1\n".ljust(TEXT_LIMIT + 1, b"\n"))
    assert said(lambda: load_document(file, StudyError, "a study")) == (
        f"{file}:1:1: more than 1048576 bytes; a study has at most 1 MiB"
    )
