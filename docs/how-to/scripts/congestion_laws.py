"""Response of laws of congestion control to random loss, beside their formulas.

Before: `cellway init random-loss`.
"""

import cellway
from cellway.theory import cubic_rate, square_root_rate

LOSS, ROUND_TRIP, SEGMENT_BITS = 0.001, 0.1, 1460 * 8


def main() -> None:
    """Prints a row for each law."""
    formulas = {
        "reno": square_root_rate(LOSS, ROUND_TRIP) * SEGMENT_BITS,
        "cubic": cubic_rate(LOSS, ROUND_TRIP) * SEGMENT_BITS,
    }
    base = cellway.Scenario.load("random-loss.toml").with_set("flow.f.tcp.recovery", "sack")
    for law, formula in formulas.items():
        run = cellway.run(base.with_set("flow.f.tcp.congestion", law))
        flow = run.flows["f"]
        got = flow["throughput_bits_per_second"]
        print(
            f"{law:>6}: {got / 1e6:5.2f} Mbit/s, formula {formula / 1e6:5.2f}; "
            f"{flow['retransmitted_segments']} segments sent again"
        )


if __name__ == "__main__":
    main()
