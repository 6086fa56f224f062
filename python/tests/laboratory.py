"""A laboratory that is served while a test looks at it, and its answers as columns."""

import json
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import numpy as np
from numpy.typing import NDArray

from browser import Tab
from cellway.lab.jobs import Offered
from cellway.lab.serving import ADDRESS, Laboratory

READY = "document.querySelectorAll('#rows figure').length >= 8 && !document.querySelector('.stale')"
PACKETS = "document.querySelectorAll('#sequence figure').length === 2"


def until(tab: Tab, condition: str, seconds: float = 30.0) -> None:
    """Waits until an expression of the page is true."""
    ended = time.monotonic() + seconds
    while not tab.run(f"Boolean({condition})"):
        assert time.monotonic() < ended, condition
        time.sleep(0.03)


def elsewhere(tab: Tab) -> list[str]:
    return [one for one in tab.requests() if not one.startswith(("file:", "blob:", "about:"))]


def shown(tab: Tab, address: str, *, hash_: str = "", width: int = 1200, **looks: bool) -> None:
    """Opens the page and waits for the pictures of both settings and their packets."""
    tab.open("about:blank")
    tab.open(f"{address}{hash_}", width=width, **looks)
    until(tab, READY)
    until(tab, PACKETS)


@dataclass(frozen=True)
class Served:
    """A server of one offered; `address` is that of its page."""

    address: str
    port: int

    @property
    def path(self) -> str:
        return urlsplit(self.address).path

    @property
    def origin(self) -> str:
        return f"http://{ADDRESS}:{self.port}"

    def ask(
        self, method: str, path: str, given: object = None, headers: Mapping[str, str] | None = None
    ) -> tuple[int, bytes]:
        """Status and content of the answer; with `headers` in place of the usual ones."""
        usual = {"Host": f"{ADDRESS}:{self.port}", "Origin": self.origin}
        told = {name: value for name, value in (usual | dict(headers or {})).items() if value}
        connection = HTTPConnection(ADDRESS, self.port, timeout=60)
        body = None if given is None else json.dumps(given)
        connection.putrequest(method, path, skip_host=True)
        for name, value in told.items():
            connection.putheader(name, value)
        if body is not None:
            connection.putheader("Content-Length", str(len(body.encode())))
        connection.endheaders(None if body is None else body.encode())
        answer = connection.getresponse()
        content = answer.read()
        connection.close()
        return answer.status, content


@contextmanager
def serving(*offered: Offered) -> Iterator[Served]:
    """A server of these offered, which ends with the block."""
    lab = Laboratory({one.name: one for one in offered}, token="token")
    with lab.start() as server:
        threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
        yield Served(lab.address(server), server.server_port)
        server.shutdown()


def offered_of(file: Path) -> Offered:
    return Offered(file.stem, str(file), file.read_text(encoding="utf-8"))


def job(text: str, sets: Sequence[tuple[str, str]] = (), **more: object) -> dict[str, object]:
    return {"text": text, "set": [*sets], "keep": "series", **more}


Column = tuple[NDArray[np.float64], NDArray[np.float64]]


def opened(content: bytes) -> tuple[dict[str, Any], dict[str, Column]]:
    """Header and columns of an answer, as the page reads them."""
    size = int.from_bytes(content[:4], "little")
    header = json.loads(content[4 : 4 + size])
    at, columns = 4 + size, {}
    assert at % 8 == 0
    for one in header["columns"]:
        arrays = [
            np.frombuffer(content, "<f8", one["points"], at + 8 * one["points"] * number)
            for number in range(3 if one["mean"] else 2)
        ]
        at += 8 * one["points"] * len(arrays)
        columns[one["name"]] = arrays[0], arrays[1]
    assert at == len(content)
    return header, columns
