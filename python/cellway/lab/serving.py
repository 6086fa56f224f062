"""The server of the laboratory: its pages and jobs, on this machine alone.

An address begins with a random token, without which nothing is told. Every request must name this
server as its `Host`, so that no name that resolves to this machine leads here, and a job must come
from a page of this server (`Origin`). A run whose page has gone, or does not wait any more, is
stopped.
"""

import secrets
import socket
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import quote, unquote

from cellway.lab import pages
from cellway.lab.jobs import Job, Offered, StoppedError, answer, description

LIMIT = 4 << 20
"""Most octets of a job."""
ADDRESS = "127.0.0.1"


@dataclass(frozen=True)
class Laboratory:
    """The scenarios that a server offers.

    Attributes:
        offered: by name; the page of the token alone lists them, or is that of the only one.
        token: beginning of every path.
    """

    offered: Mapping[str, Offered]
    token: str = field(default_factory=lambda: secrets.token_urlsafe(24))

    def start(self, port: int = 0) -> ThreadingHTTPServer:
        """A server that waits at `port`, or at one that is free, and has answered nothing yet.

        Raises:
            OSError: the port is taken.
        """
        laboratory = self

        class Bound(_Handler):
            lab = laboratory

        return _Server((ADDRESS, port), Bound)

    def address(self, server: ThreadingHTTPServer) -> str:
        """Address of the first page."""
        path = ""
        if len(self.offered) == 1:
            path = f"lab/{quote(next(iter(self.offered)), safe='')}"
        return f"http://{ADDRESS}:{server.server_port}/{self.token}/{path}"


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False

    def handle_error(self, request: Any, client_address: Any) -> None:  # noqa: ANN401
        """Says nothing of a connection that ended early; all else is a bug of ours."""
        if not isinstance(sys.exception(), OSError):
            super().handle_error(request, client_address)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server_version = "cellway"
    sys_version = ""
    lab: Laboratory
    server: ThreadingHTTPServer

    def do_GET(self) -> None:
        """Answers with a page."""
        place = self._place()
        if place is None:
            return
        match place:
            case [""]:
                self._send(pages.index(self.lab.offered.values()), "text/html; charset=utf-8")
            case ["lab", name] if name in self.lab.offered:
                self._send(pages.laboratory(self.lab.offered[name]), "text/html; charset=utf-8")
            case _:
                self._refuse(HTTPStatus.NOT_FOUND, "no such page")

    def do_POST(self) -> None:
        """Answers a job."""
        place = self._place()
        if place is None:
            return
        own = f"http://{self.headers.get('Host')}"
        if self.headers.get("Origin") != own:
            self._refuse(HTTPStatus.FORBIDDEN, f"a job comes from a page of {own}")
            return
        size = self.headers.get("Content-Length", "")
        if not size.isdecimal() or len(size) > len(str(LIMIT)) or int(size) > LIMIT:
            self._refuse(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, f"a job has at most {LIMIT} bytes")
            return
        given = self.rfile.read(int(size))
        match place:
            case ["lab", name, ("run" | "describe") as wanted] if name in self.lab.offered:
                self._work(self.lab.offered[name], given, wanted)
            case _:
                self._refuse(HTTPStatus.NOT_FOUND, "no such laboratory")

    def _work(self, offered: Offered, given: bytes, wanted: str) -> None:
        try:
            job = Job.read(given)
        except ValueError as error:
            self._refuse(HTTPStatus.BAD_REQUEST, str(error))
            return
        if wanted == "describe":
            self._send(description(offered, job), "application/json")
            return
        try:
            done = answer(offered, job, self._is_gone)
        except StoppedError:
            self.close_connection = True
            return
        self._send(done, "application/octet-stream")

    def _is_gone(self) -> bool:
        """True if the page has closed the connection on which it waited."""
        try:
            return not self.connection.recv(1, socket.MSG_PEEK | socket.MSG_DONTWAIT)
        except BlockingIOError:
            return False
        except OSError:
            return True

    def _place(self) -> list[str] | None:
        """Parts of the path behind the token; `None` if the request was refused."""
        hosts = {f"{name}:{self.server.server_port}" for name in (ADDRESS, "localhost")}
        if self.headers.get("Host") not in hosts:
            self._refuse(HTTPStatus.FORBIDDEN, "another host")
            return None
        token, *place = self.path.partition("?")[0].removeprefix("/").split("/")
        if not secrets.compare_digest(token.encode(), self.lab.token.encode()):
            self._refuse(HTTPStatus.NOT_FOUND, "no such page")
            return None
        return [unquote(one) for one in place]

    def _refuse(self, status: HTTPStatus, reason: str) -> None:
        # What was sent with it has not been read.
        self.close_connection = True
        self._send(f"{reason}\n".encode(), "text/plain; charset=utf-8", status)

    def _send(self, content: bytes, kind: str, status: HTTPStatus = HTTPStatus.OK) -> None:
        self.send_response(status)
        headers = {
            "Content-Type": kind,
            "Content-Length": str(len(content)),
            "Cache-Control": "no-store",
            "X-Content-Type-Options": "nosniff",
            "X-Frame-Options": "DENY",
            "Cross-Origin-Resource-Policy": "same-origin",
            "Referrer-Policy": "no-referrer",
        }
        for name, value in headers.items():
            self.send_header(name, value)
        if self.close_connection:
            self.send_header("Connection", "close")
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - as its base has it
        """Prints nothing: the address of every request has the token."""
