"""Goodput and queue of a line of 10 Mbit/s under five drop policies.

Before: `cellway init access-queue`.
"""

import cellway

POLICIES = ("tail", "codel", "fq_codel", "pie", "cake")


def main() -> None:
    """Prints a row for each policy, with intervals of four replications."""
    study = cellway.Study(
        "access-queue.toml",
        factors={"switch.router.drop": list(POLICIES)},
        replications=4,
        responses={
            "goodput": "flows.*.throughput_bits_per_second",
            "queue": "ports.router.line.mean_queue",
        },
        sets=(("run.duration", "30 s"), ("run.warm_up", "10 s")),
    )
    results = study.run()
    for point, policy in enumerate(POLICIES):
        goodput, queue = results.estimate("goodput", point), results.estimate("queue", point)
        if goodput is None or queue is None:
            raise SystemExit(f"no run under {policy} ended")
        low, high = queue.low, queue.high
        between = "" if low is None or high is None else f" ({low:.1f} to {high:.1f})"
        print(f"{policy:>9}: {goodput.mean / 1e6:.2f} Mbit/s, {queue.mean:.1f} packets{between}")


if __name__ == "__main__":
    main()
