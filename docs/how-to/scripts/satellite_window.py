"""Throughput over a geostationary hop by window: the formula beside the run.

Before: `cellway init satellite`.
"""

import cellway
from cellway.theory import window_rate


def main() -> None:
    """Prints a row for each window."""
    scenario = cellway.Scenario.load("satellite.toml").with_set("run.warm_up", "20 s")
    tcp = scenario.explain()["flows"][0]["tcp"]
    if tcp is None:
        raise SystemExit("the flow has no TCP")
    round_trip = tcp["unloaded_rtt_seconds"]
    print(f"round trip {round_trip * 1e3:.0f} ms")
    for kibibytes in (256, 512, 1024):
        run = cellway.run(scenario.with_set("flow.transfer.tcp.window", f"{kibibytes} KiB"))
        formula = window_rate(kibibytes * 8192, round_trip).rate
        got = run.flows["transfer"]["throughput_bits_per_second"]
        print(f"{kibibytes:>5} KiB: {got / 1e6:.2f} Mbit/s, by the formula {formula / 1e6:.2f}")


if __name__ == "__main__":
    main()
