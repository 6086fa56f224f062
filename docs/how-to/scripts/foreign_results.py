"""Another tool's table beside runs of one's own: levels, intervals, differences.

Before: `cellway init shared-router`. The table stands for one of iperf3, Flent or ns-3.
"""

import csv
from pathlib import Path

import cellway
from cellway.study.foreign import import_results

ROWS = (("10 packet", 7.9), ("10 packet", 8.1), ("42 packet", 9.2), ("42 packet", 9.3))


def main() -> None:
    """Writes the other table, imports it, and prints it beside runs."""
    with Path("theirs.csv").open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([("buffer", "goodput"), *ROWS])
    theirs = import_results("theirs.csv", ["buffer"], ["goodput"], "theirs")
    ours = cellway.Study(
        "shared-router.toml",
        factors={"switch.router.buffer.per_port": ["10 packet", "42 packet"]},
        replications=2,
        responses={"goodput": "flows.*.throughput_bits_per_second"},
        sets=(("run.duration", "40 s"),),
    ).run()
    for point, level in enumerate(ours.column("switch.router.buffer.per_port")):
        one, other = theirs.estimate("goodput", point), ours.estimate("goodput", point)
        if one is not None and other is not None:
            print(f"{level}: theirs {one.mean:.2f}, ours {other.mean / 1e6:.2f} Mbit/s")


if __name__ == "__main__":
    main()
