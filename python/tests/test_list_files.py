"""Files that a scenario names where a list is expected: read once, kept with a frozen study."""

from pathlib import Path

from cellway.folders import Marker
from cellway.list_files import LIST_LIMIT, LISTS, ListFiles, lists_json
from cellway.replacement import replace_together


def test_a_file_is_read_once_beside_the_scenario(tmp_path: Path) -> None:
    file = tmp_path / "delays.csv"
    file.write_text("0 s, 1 ms\n")
    files = ListFiles(tmp_path)
    assert files.read("delays.csv") == ("0 s, 1 ms\n", None)
    file.write_text("0 s, 2 ms\n")
    assert files.read("delays.csv") == ("0 s, 1 ms\n", None)
    assert files.texts == {"delays.csv": "0 s, 1 ms\n"}


def test_what_cannot_be_read_says_why(tmp_path: Path) -> None:
    (tmp_path / "latin.csv").write_bytes(b"# d\xe9lai\n")
    (tmp_path / "long.csv").write_bytes(b"#" * (LIST_LIMIT + 1))
    files = ListFiles(tmp_path)
    assert files.read("none.csv") == (None, "no such file or directory")
    assert files.read("latin.csv") == (None, "it is not UTF-8")
    assert files.read("long.csv") == (None, f"more than {LIST_LIMIT} bytes")
    assert files.read(".") == (None, "is a directory")
    assert files.read("\0")[0] is None
    assert files.texts == {}


def test_a_frozen_study_has_its_files(tmp_path: Path) -> None:
    texts = {"../elsewhere/delays.csv": "0 s, 1 ms\n"}
    replace_together(tmp_path, Marker("study", "leo"), {LISTS: lists_json(texts)})
    files = ListFiles(tmp_path)
    assert files.read("../elsewhere/delays.csv") == ("0 s, 1 ms\n", None)
    (tmp_path / LISTS).write_text("{}")
    assert ListFiles(tmp_path).read("../elsewhere/delays.csv")[0] is None
