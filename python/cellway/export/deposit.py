"""A study with all that others need to check it, as one ZIP file: an RO-Crate.

`ro-crate-metadata.json` (RO-Crate 1.1, JSON-LD) lists every file with its SHA-256, the versions of
the programs, the licence, the citation, and the command of each figure. `results/` is the folder of
the study, from which `cellway study`, `plot` and `verify` work.
"""

import hashlib
import io
import json
import platform
import sqlite3
import tempfile
import zipfile
from collections.abc import Mapping, Sequence
from contextlib import closing
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path
from typing import Any

from cellway._core import build_info
from cellway.disk.files import whole_file
from cellway.errors import StoreError
from cellway.runs.models import MODEL_VERSION
from cellway.study import Results, load_results
from cellway.study.database import FILE, open_to_read

LIST = "ro-crate-metadata.json"
README = "README.txt"
RESULTS = "results"
FIGURE = "figures/plot.png"
_PROFILE = "https://w3id.org/ro/crate/1.1"
_LICENCES = "https://spdx.org/licenses/"
_LIBRARIES = ("numpy", "polars", "scipy", "matplotlib")
_LEFT = (".partial", "-wal", "-shm", "-journal")
"""Ends of names of files that belong to a running program."""
_DATE = (1980, 1, 1, 0, 0, 0)
"""Date of all entries, so that equal deposits of one day are equal files."""


def deposit(
    folder: str | Path, out: str | Path, *, authors: Sequence[str] = (), licence: str = "CC-BY-4.0"
) -> Results:
    """Writes the study in `folder` with everything about it to the ZIP file `out`.

    Args:
        folder: of a study, complete or not.
        out: the file, whole or not at all.
        authors: of the data, for the citation, README.txt and the list.
        licence: of the data; a name of SPDX.

    Raises:
        StudyError, ScenarioError, StoreError: the folder does not hold a study.
        OSError: a file cannot be read or written.
    """
    folder, out = Path(folder), Path(out)
    results = load_results(folder)
    files = {f"{RESULTS}/{name}": content for name, content in _files(folder, out).items()}
    if results.records:
        files[FIGURE] = _figure(results)
    files[README] = _readme(results, authors, licence).encode()
    crate = _crate(results, files, authors, licence)
    listed = {LIST: f"{json.dumps(crate, indent=2, ensure_ascii=False)}\n".encode(), **files}
    with whole_file(out) as file, zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in listed.items():
            entry = zipfile.ZipInfo(name, _DATE)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, content)
    return results


def changed_in(folder: Path) -> list[str]:
    """Files of an unpacked deposit that are missing or not as listed; files that are not listed.

    Raises:
        StoreError: its list cannot be read.
        OSError: a file cannot be read.
    """
    try:
        graph = json.loads((folder / LIST).read_bytes())["@graph"]
        listed = {one["@id"]: one["sha256"] for one in graph if one["@type"] == "File"}
    except (ValueError, KeyError, TypeError) as error:
        raise StoreError(f"{folder / LIST}: no list of a deposit that cellway wrote") from error
    changed = {name for name, digest in listed.items() if _digest_of(folder / name) != digest}
    return sorted(changed | (_names(folder) - listed.keys() - {LIST}))


def is_deposit(content: bytes) -> bool:
    """True if a ZIP file was written by `deposit`."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            return archive.namelist()[:1] == [LIST]
    except (zipfile.BadZipFile, OSError):
        return False


def _digest_of(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest() if file.is_file() else ""


def _names(folder: Path) -> set[str]:
    """The files of a folder, without hidden ones and those of a running program."""
    names = {file.relative_to(folder).as_posix() for file in folder.rglob("*") if file.is_file()}
    return {name for name in names if "/." not in f"/{name}" and not name.endswith(_LEFT)}


def _files(folder: Path, out: Path) -> dict[str, bytes]:
    """The files of the study without an earlier deposit `out`; the database without its log."""
    return {
        name: _database(folder) if name == FILE else (folder / name).read_bytes()
        for name in sorted(_names(folder))
        if (folder / name).resolve() != out.resolve()
    }


def _database(folder: Path) -> bytes:
    with tempfile.TemporaryDirectory() as place, closing(open_to_read(folder)) as source:
        copy = Path(place) / FILE
        with closing(sqlite3.connect(copy)) as target:
            source.backup(target)
            target.execute("PRAGMA journal_mode=DELETE")
        return copy.read_bytes()


def _figure(results: Results) -> bytes:
    content = io.BytesIO()
    results.plot().savefig(content, format="png", metadata={"Software": "cellway"})
    return content.getvalue()


def _commands(results: Results) -> dict[str, str]:
    """Commands that make each part of the deposit again, in its folder."""
    figure = {FIGURE: f"cellway plot {RESULTS} --out {FIGURE} --force"} if results.records else {}
    if results.study.imported:
        return figure
    # A folder inside the deposit would be one of its changes.
    return {
        f"{RESULTS}/runs.parquet": f"cellway study {RESULTS}/study.toml --out ../again",
        **figure,
    }


def _readme(results: Results, authors: Sequence[str], licence: str) -> str:
    again = "" if results.study.imported else ", and makes a sample of the runs again"
    version = build_info()["version"]
    lines = [
        (
            f"{results.study.name}: {len(results.records)} runs of a study with cellway "
            f"{version}, model {', '.join(results.models) or MODEL_VERSION}"
        ),
        *([results.study.question] if results.study.question else []),
        *([f"Authors of the data: {', '.join(authors)}"] if authors else []),
        f"Licence of the data: {licence}",
        "",
        f"Install cellway {version}, then in this folder",
        "",
        f"    cellway verify .           # compares the files{again}",
        *(f"    {command}" for command in _commands(results).values()),
        "",
    ]
    return "\n".join(lines)


def _crate(
    results: Results, files: Mapping[str, bytes], authors: Sequence[str], licence: str
) -> dict[str, Any]:
    """The list of the deposit as JSON-LD."""
    day = datetime.now(UTC).date().isoformat()
    commands = _commands(results)
    people = [
        {"@id": f"#author-{n}", "@type": "Person", "name": a} for n, a in enumerate(authors, 1)
    ]
    by = f"{', '.join(authors)}, " if authors else ""
    root = {
        "@id": "./",
        "@type": "Dataset",
        "name": results.study.name,
        "description": results.study.question or f"Runs of the study {results.study.name}",
        "datePublished": day,
        "license": {"@id": f"{_LICENCES}{licence}"},
        "author": [{"@id": one["@id"]} for one in people],
        "creditText": f"{by}{results.study.name}, {day[:4]}; runs by cellway "
        f"{build_info()['version']}, model {', '.join(results.models) or MODEL_VERSION}",
        "hasPart": [{"@id": name} for name in files],
        "mentions": [{"@id": f"#make-{n}"} for n in range(1, len(commands) + 1)],
    }
    return {
        "@context": [
            f"{_PROFILE}/context",
            {"sha256": "https://w3id.org/ro/terms/workflow-run#sha256"},
        ],
        "@graph": [
            {
                "@id": LIST,
                "@type": "CreativeWork",
                "conformsTo": {"@id": _PROFILE},
                "about": {"@id": "./"},
            },
            root,
            *[_file(name, content) for name, content in files.items()],
            *people,
            {"@id": f"{_LICENCES}{licence}", "@type": "CreativeWork", "name": licence},
            *_programs(),
            *[
                {
                    "@id": f"#make-{number}",
                    "@type": "CreateAction",
                    "name": command,
                    "description": command,
                    "instrument": {"@id": "#cellway"},
                    "result": {"@id": name},
                }
                for number, (name, command) in enumerate(commands.items(), 1)
            ],
        ],
    }


def _file(name: str, content: bytes) -> dict[str, Any]:
    return {
        "@id": name,
        "@type": "File",
        "contentSize": str(len(content)),
        "sha256": hashlib.sha256(content).hexdigest(),
    }


def _programs() -> list[dict[str, Any]]:
    """The programs with their versions."""
    versions = {name: metadata.version(name) for name in _LIBRARIES}
    versions["Python"] = platform.python_version()
    about = build_info()
    return [
        {
            "@id": "#cellway",
            "@type": "SoftwareApplication",
            "name": "cellway",
            "version": f"{about['version']}, model {about['model']}",
            "operatingSystem": platform.platform(),
            "softwareRequirements": [{"@id": f"#{name}"} for name in versions],
        },
        *[
            {"@id": f"#{name}", "@type": "SoftwareApplication", "name": name, "version": version}
            for name, version in versions.items()
        ],
    ]
