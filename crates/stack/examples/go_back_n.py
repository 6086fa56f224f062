"""Go-back-N with a fixed window over IP, both ends: a transport in one page.

``cellway run crates/stack/examples/clean-path.toml --stack "bulk=python3 go_back_n.py 64"``

A packet has an IP header of 20 octets with protocol 253 (RFC 3692), a number of four octets, and
the octets of the stream. Data have the number of their first octet; acknowledgements have no data,
and the number of the next octet that is expected. The window is that of the command, in packets;
the timeout is four times the shortest round trip that was seen, at least 200 ms.
"""

import struct
import sys
from collections.abc import Sequence
from ipaddress import IPv4Address

from cellway.stack import Answer, Call, Event, Greeting, Stack, serve

HEADER = 24
LONGEST_WAIT = 200_000_000
PATTERN = bytes(range(251)) * 300


class GoBackN(Stack):
    """One end; the origin sends, the destination acknowledges."""

    name = "go-back-N"
    states = [("in_flight", "packet")]

    def __init__(self, greeting: Greeting) -> None:
        super().__init__(greeting)
        self.window = int(sys.argv[1])
        self.size = greeting.mtu - HEADER
        self.written, self.closes_at = 0, None
        self.acked = self.next = self.most = 0
        self.sent_at: dict[int, int] = {}
        self.shortest, self.timer, self.timeouts = None, None, 0

    def turn(
        self, now: int, packets: Sequence[bytes], calls: Sequence[tuple[Call, int]]
    ) -> Answer:
        """Takes packets, then the timer, then calls; sends what the window allows."""
        answer = Answer(packets=[], events=[])
        for packet in packets:
            (number,) = struct.unpack(">I", packet[20:HEADER])
            if len(packet) > HEADER:
                self.take(number, packet[HEADER:], answer)
            elif number > self.acked:
                self.take_ack(now, number, answer)
        if self.timer is not None and self.timer <= now:
            self.next, self.timer, self.timeouts = self.acked, None, self.timeouts + 1
        for call, number in calls:
            if call == Call.OPEN:
                answer.events.append(Event.OPENED)
            elif call == Call.WRITE:
                self.written += number
            elif call == Call.WRITE_FOREVER:
                self.written = 2**32 - 1
            elif call == Call.CLOSE:
                self.written = max(number, self.next)
        self.send(now, answer)
        answer.next = self.timer
        answer.states = {0: (self.next - self.acked) / self.size}
        return answer

    def take(self, number: int, data: bytes, answer: Answer) -> None:
        """Takes data if they are next, and acknowledges what has arrived in order."""
        if number == self.acked:
            assert data == PATTERN[number % 251 :][: len(data)], f"octets from {number} on"
            self.acked = self.next = number + len(data)
            answer.events.append((Event.DELIVERED, self.acked))
        answer.packets.append(self.packet(self.acked, b""))

    def take_ack(self, now: int, number: int, answer: Answer) -> None:
        """Takes an acknowledgement of new data."""
        if sent := self.sent_at.get(number):
            self.shortest = min(self.shortest or now - sent, now - sent)
        self.sent_at = {end: at for end, at in self.sent_at.items() if end > number}
        self.acked, self.next, self.timer = number, max(number, self.next), None
        answer.events.append((Event.ACKED, number))

    def send(self, now: int, answer: Answer) -> None:
        """Sends what the window allows, and starts the timer."""
        while (
            self.next < self.written and self.next - self.acked < self.window * self.size
        ):
            data = PATTERN[self.next % 251 :][: min(self.size, self.written - self.next)]
            answer.packets.append(self.packet(self.next, data))
            self.next += len(data)
            if self.next > self.most:
                self.most, self.sent_at[self.next] = self.next, now
        if self.next > self.acked and self.timer is None and self.written:
            self.timer = now + max(LONGEST_WAIT, 4 * (self.shortest or 250_000_000))

    def packet(self, number: int, data: bytes) -> bytes:
        """A packet with this number and these data; the checksum of its header is left out."""
        own, peer = self.greeting.address, self.greeting.peer_address
        addresses = IPv4Address(own).packed + IPv4Address(peer).packed
        head = struct.pack(">BBHHHBBH", 0x45, 0, HEADER + len(data), 0, 0, 64, 253, 0)
        return head + addresses + struct.pack(">I", number) + data

    def end(self) -> dict[str, float]:
        """Number of timeouts."""
        return {"timeouts": self.timeouts}


serve(GoBackN)
