"""A capacity trace in the format of mahimahi, made here, and TCP over it.

Before: `cellway init cellular`.
"""

from pathlib import Path

import cellway

PACKET_BITS = 12_000


def opportunities(rates: list[float]) -> list[int]:
    """Milliseconds at which a packet of 1500 bytes can leave, for rates in Mbit/s by second."""
    lines: list[int] = []
    credit = 0.0
    for millisecond in range(1, 1000 * len(rates) + 1):
        credit += rates[(millisecond - 1) // 1000] * 1000
        while credit >= PACKET_BITS:
            credit -= PACKET_BITS
            lines.append(millisecond)
    return lines


def main() -> None:
    """Writes the trace and prints what each law gets of it."""
    lines = opportunities([6, 6, 6, 1.5, 1.5, 6, 6, 12, 12, 6])
    Path("mine.trace").write_text("".join(f"{one}\n" for one in lines), encoding="utf-8")
    text = Path("cellular.toml").read_text(encoding="utf-8").replace("cellular.trace", "mine.trace")
    Path("mine.toml").write_text(text, encoding="utf-8")
    offered = len(lines) * PACKET_BITS / 10
    scenario = cellway.Scenario.load("mine.toml").with_set("run.duration", "40 s")
    for law in ("reno", "cubic", "vegas"):
        run = cellway.run(scenario.with_set("flow.download.tcp.congestion", law))
        got = run.flows["download"]["throughput_bits_per_second"]
        queue = run.ports["base-station.down"]["mean_queue"]
        print(f"{law:>6}: {got / offered:.0%} of {offered / 1e6:.2f} Mbit/s, {queue:.0f} packets")


if __name__ == "__main__":
    main()
