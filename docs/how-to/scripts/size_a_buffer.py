"""Utilisation of a line over the buffer before it, beside the rule for halved windows.

Before: `cellway init shared-router`.
"""

import cellway
from cellway.theory import buffered_utilisation

PATH = 85
"""Packets of 1500 bytes that 10 Mbit/s and 100 ms hold, and one that is being sent."""


def main() -> None:
    """Prints a row for each buffer."""
    scenario = cellway.Scenario.load("shared-router.toml")
    scenario = scenario.with_set("run.duration", "30 s").with_set("run.warm_up", "10 s")
    print(f"{'packets':>7} {'busy':>6} {'rule':>6} {'mean queue':>11}")
    for buffer in (5, 10, 21, 42, 85):
        run = cellway.run(scenario.with_set("switch.router.buffer.per_port", f"{buffer} packet"))
        port = run.ports["router.line"]
        rule = buffered_utilisation("reno", PATH, buffer / PATH)
        print(f"{buffer:>7} {port['utilisation']:>6.1%} {rule:>6.1%} {port['mean_queue']:>11.1f}")


if __name__ == "__main__":
    main()
