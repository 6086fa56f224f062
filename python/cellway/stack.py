"""Transports of one's own, in Python, at the ends of flows.

A `Stack` is a program that `cellway run --stack FLOW=COMMAND` asks over its standard input and
output, in simulated time::

    from cellway.stack import Answer, Stack, serve

    class Mine(Stack):
        name = "mine"

        def turn(self, now, packets, calls):
            ...
            return Answer(packets=[...], next=now + 1_000_000_000)

    serve(Mine)

``print`` writes into the protocol; messages belong on ``sys.stderr``. The octets of the protocol
are in `docs/stacks.md`, for other languages.
"""

import struct
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from typing import BinaryIO

VERSION = 1
"""Version of the protocol."""
NEVER = 2**64 - 1
"""Instant that stands for none."""


class Call(IntEnum):
    """A call of the application; it comes with a number."""

    OPEN = 1
    """Open the connection: the origin connects, the destination listens."""
    WRITE = 2
    """Add so many octets to the stream, of which number `i` is ``i % 251``."""
    WRITE_FOREVER = 3
    """Add octets without end."""
    CLOSE = 4
    """End the stream behind so many octets, or behind those in the send buffer if more."""


class Event(IntEnum):
    """An event that the application is told; it comes with a number."""

    OPENED = 1
    """Data can flow."""
    ACKED = 2
    """So many octets of this end's stream have arrived, all told."""
    DELIVERED = 3
    """So many octets of the other end's stream were read, all told."""
    ENDED = 4
    """The other end's stream has ended."""
    CLOSED = 5
    """All of this end's stream, and its end, have arrived."""
    FAILED = 6
    """The connection was reset or given up."""


@dataclass(frozen=True)
class Greeting:
    """Facts about an end of a flow.

    Attributes:
        seed: the only source of numbers that are meant to differ between runs.
        role: ``"origin"``, which connects, or ``"destination"``.
        address: its own IPv4 address.
        port: its own port.
        peer_address: address of the other end.
        peer_port: port of the other end.
        mtu: longest IP packet, octets.
        window: receive buffer of the scenario, octets.
        flow: name of the flow.
    """

    seed: int
    role: str
    address: str
    port: int
    peer_address: str
    peer_port: int
    mtu: int
    window: int
    flow: str

    @classmethod
    def read(cls, text: str) -> "Greeting":
        """Reads a greeting; lines that it does not know are skipped.

        Raises:
            ValueError: it is of another version of the protocol.
        """
        said = dict(line.split(" ", 1) for line in text.splitlines())
        if int(said["version"]) != VERSION:
            raise ValueError(f"version {said['version']} of the protocol; expected {VERSION}")
        numbers = {name: int(said[name]) for name in ("seed", "port", "peer_port", "mtu", "window")}
        texts = {name: said[name] for name in ("role", "address", "peer_address", "flow")}
        return cls(**numbers, **texts)  # type: ignore[arg-type]


@dataclass
class Answer:
    """Answer to one turn.

    Attributes:
        packets: packets to send now, from the IP header on.
        next: instant of the next turn, nanoseconds, even if nothing arrives; `None` without one.
        events: events with their numbers, or alone.
        states: values of states that have changed, by their index in `Stack.states`.
    """

    packets: Sequence[bytes] = ()
    next: int | None = None
    events: Sequence[Event | tuple[Event, int]] = ()
    states: Mapping[int, float] = field(default_factory=dict)

    def octets(self) -> bytes:
        """The answer as the protocol has it."""
        events = [event if isinstance(event, tuple) else (event, 0) for event in self.events]
        parts = [struct.pack("<QH", NEVER if self.next is None else self.next, len(self.packets))]
        parts += [struct.pack("<H", len(packet)) + packet for packet in self.packets]
        parts += [struct.pack("<H", len(events))]
        parts += [struct.pack("<BQ", event, number) for event, number in events]
        parts += [struct.pack("<H", len(self.states))]
        parts += [struct.pack("<Bd", index, value) for index, value in self.states.items()]
        return b"".join(parts)


class Stack:
    """A transport at one end of a flow; its methods are called one at a time.

    Attributes:
        name: its name in the results.
        states: names and units of states, which become series: ``byte``, ``second``, ``bit/s``,
            ``packet`` or ``1``.
    """

    name: str = "stack"
    states: Sequence[tuple[str, str]] = ()

    def __init__(self, greeting: Greeting) -> None:
        self.greeting = greeting

    def turn(self, now: int, packets: Sequence[bytes], calls: Sequence[tuple[Call, int]]) -> Answer:
        """Handles one instant: packets that have arrived, timers that are due, calls.

        Args:
            now: the instant, nanoseconds.
            packets: packets, from the IP header on.
            calls: calls of the application with their numbers.
        """
        raise NotImplementedError

    def end(self) -> Mapping[str, float]:
        """Counters of its own at the end of the run."""
        return {}


def serve(make: Callable[[Greeting], Stack]) -> None:
    """Answers the questions on standard input until the run ends.

    Args:
        make: makes the stack of an end.
    """
    answer(sys.stdin.buffer, sys.stdout.buffer, make)


def answer(questions: BinaryIO, answers: BinaryIO, make: Callable[[Greeting], Stack]) -> None:
    """Answers questions from one file in another, until the run or the file ends."""
    stack: Stack | None = None
    while body := _message(questions):
        kind, content = body[:1], body[1:]
        if kind == b"H":
            stack = make(Greeting.read(content.decode()))
            lines = [f"version {VERSION}", f"name {stack.name}"]
            lines += [f"state {name} {unit}" for name, unit in stack.states]
            _send(answers, b"h" + "\n".join(lines).encode())
        elif stack is None:
            raise ValueError(f"a question {kind!r} before the greeting")
        elif kind == b"T":
            _send(answers, b"t" + stack.turn(*_turn(content)).octets())
        else:
            lines = [f"{name} {value}" for name, value in stack.end().items()]
            _send(answers, b"e" + "\n".join(lines).encode())


def _turn(content: bytes) -> tuple[int, list[bytes], list[tuple[Call, int]]]:
    now, number = struct.unpack_from("<QH", content)
    at, packets = 10, []
    for _ in range(number):
        (length,) = struct.unpack_from("<H", content, at)
        packets.append(content[at + 2 : at + 2 + length])
        at += 2 + length
    (number,) = struct.unpack_from("<H", content, at)
    calls = [struct.unpack_from("<BQ", content, at + 2 + 9 * index) for index in range(number)]
    return now, packets, [(Call(call), value) for call, value in calls]


def _message(questions: BinaryIO) -> bytes:
    """The next message without its length; empty at the end of the file."""
    head = questions.read(4)
    return questions.read(struct.unpack("<I", head)[0]) if head else b""


def _send(answers: BinaryIO, body: bytes) -> None:
    answers.write(struct.pack("<I", len(body)) + body)
    answers.flush()
