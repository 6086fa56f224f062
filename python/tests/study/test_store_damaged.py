"""Damage to the store of a study: a row that was changed counts as missing, never as true."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from cellway.errors import StoreError
from cellway.study.record import digest_of
from cellway.study.rows import ALL
from cellway.study.store import Store
from study.runs import VERSION, key, record, series, stored


def test_a_damaged_database_is_refused(tmp_path: Path) -> None:
    stored(tmp_path, *range(100))
    file = tmp_path / "runs.sqlite"
    content = bytearray(file.read_bytes())
    content[4096:] = b"\xff" * (len(content) - 4096)
    file.write_bytes(content)
    with pytest.raises(StoreError, match=r"runs\.sqlite: damaged: .*; restore a copy"):
        Store.open(tmp_path, VERSION)


WRONG = [
    ("UPDATE runs SET metrics = '{\n'", "`metrics` is not JSON"),
    ('UPDATE runs SET metrics = \'{"throughput": "fast"}\'', "`metrics` is 'fast'"),
    ("UPDATE runs SET warnings = 'none'", "`warnings` is not JSON"),
    ("UPDATE runs SET seed = 'one'", "`seed` is 'one'"),
]
NOT_UTF_8 = "UPDATE runs SET host = CAST(X'ff0aff' AS TEXT)"
LOST_COLUMN = ("ALTER TABLE runs DROP COLUMN summary", "no such column: summary")


def execute(folder: Path, *statements: str) -> None:
    with closing(sqlite3.connect(folder / "runs.sqlite", isolation_level=None)) as database:
        for statement in statements:
            database.execute(statement)


def seal(folder: Path) -> None:
    """Gives the row the digest of its content."""
    with closing(sqlite3.connect(folder / "runs.sqlite", isolation_level=None)) as database:
        row = database.execute(f"SELECT {', '.join(ALL)} FROM runs").fetchone()
        database.execute("UPDATE runs SET digest = ?", (digest_of(row),))


@pytest.mark.parametrize(("change", "said"), [*WRONG, LOST_COLUMN])
def test_a_row_that_is_not_of_its_form_is_said_in_one_line(
    tmp_path: Path, change: str, said: str
) -> None:
    stored(tmp_path, 1)
    execute(tmp_path, change)
    if (change, said) != LOST_COLUMN:
        seal(tmp_path)
    with Store.read(tmp_path) as store, pytest.raises(StoreError) as refused:
        list(store.records([key(1)]))
    text = str(refused.value)
    assert text.startswith(f"{tmp_path}/runs.sqlite: damaged: {said}")
    assert text.endswith("; restore a copy, or choose another folder with --out")
    assert "\n" not in text


@pytest.mark.parametrize(
    "change",
    [
        *(change for change, _ in WRONG),
        NOT_UTF_8,
        # One bit each: another number, another name, another version, other series.
        'UPDATE runs SET metrics = replace(metrics, "0.3", "0.7")',
        "UPDATE runs SET wall_seconds = 0.125",
        "UPDATE runs SET status = 'failed'",
        f"UPDATE runs SET model_version = '{VERSION}1'",
        "UPDATE runs SET series = replace(series, 'cell', 'cemm')",
        "UPDATE runs SET digest = ''",
        "UPDATE runs SET summary = CAST(summary AS BLOB)",
    ],
)
def test_a_damaged_row_counts_as_missing(tmp_path: Path, change: str) -> None:
    """One flipped bit changed a result, and nobody noticed."""
    stored(tmp_path, 1, 2)
    execute(tmp_path, f"{change} WHERE key = '{key(1)}'")
    with Store.read(tmp_path) as store:
        assert list(store.records([key(1), key(2)])) == [record(2)]
        assert store.damaged == {key(1)}
        with pytest.raises(KeyError):
            store.series(key(1))
    with Store.open(tmp_path, VERSION) as store:
        store.add(record(1), [series()])
        assert list(store.records([key(1), key(2)])) == [record(1), record(2)]
        assert store.damaged == set()
        assert store.series(key(1)).keys() == {"s.right.queue"}


@pytest.mark.parametrize("key_then", ["X'00'", "CAST(X'ff' AS TEXT)", "'../another'"])
def test_damaged_keys_cost_no_series(tmp_path: Path, key_then: str) -> None:
    """Without its row a series is a leftover; with a row that cannot be read nobody knows."""
    stored(tmp_path, 1)
    execute(tmp_path, f"UPDATE runs SET key = {key_then}")
    with pytest.raises(StoreError, match=r"runs\.sqlite: damaged: "):
        Store.open(tmp_path, VERSION)
    with Store.read(tmp_path) as store, pytest.raises(StoreError, match=r"runs\.sqlite: damaged: "):
        store.keys()
    assert (tmp_path / "series" / f"{key(1)}.parquet").exists()
