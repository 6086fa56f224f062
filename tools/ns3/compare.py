"""Runs the paths of a file that peer.py printed in cellway, and prints both beside each other.

`python tools/ns3/compare.py peer.json`. Each path is run with the starts of the file and with seven
others: a number of the peer that is within the range of the eight differs by its phases alone.
Paths with seeds are run once for each, and printed as means with intervals of 95 %.
"""

import itertools
import json
import math
import random
import statistics
import sys
import time
from pathlib import Path
from typing import Any

import cellway

OTHER_STARTS = 7
STUDENT = 2.571
"""Quantile 97.5 % of Student's distribution with five degrees of freedom, of six seeds."""


def scenario(path: dict[str, Any]) -> cellway.Scenario:
    """The scenario of a path; ns-3 has two packets below its queue, on the line and before it."""
    text = f"""
[run]
duration = "{path["duration"]} s"
warm_up = "{path["warm_up"]} s"
seed = {path.get("seed", 1)}
[switch.far]
[switch.near]
buffer.per_port = "{path["buffer"] + 2} packet"
drop = "{path["queue"]}"
"""
    for link, ends, loss in (
        ("line", ("near", "far"), path.get("loss", 0)),
        ("back", ("far", "near"), 0),
    ):
        text += f"""
[link.{link}]
from = "{ends[0]}"
to = "{ends[1]}"
rate = "{path["rate"]} Mbit/s of line"
carries.packets.overhead = "2 B"
delay = "{path["rtt"] / 2} ms"
"""
        if loss:
            text += f"impairments = {{ loss = {loss} }}\n"
    for flow, start in enumerate(path["starts"]):
        for host, router in ((f"left{flow}", "near"), (f"right{flow}", "far")):
            text += f"""
[host.{host}]
[link.{host}]
between = ["{host}", "{router}"]
rate = "1 Gbit/s of line"
carries.packets.overhead = "2 B"
delay = "10 us"
"""
        text += f"""
[flow.f{flow}]
from = "left{flow}"
to = "right{flow}"
start = "{start} s"
traffic = "greedy"
[flow.f{flow}.tcp]
mtu = "1500 B"
window = "{path["window"]} B"
recovery = "sack"
congestion = "{path["congestion"]}"
timers = "fine"
handshake = true
initial_window = 10
ack = "every_segment"
"""
    return cellway.Scenario.parse(text)


def run(path: dict[str, Any]) -> tuple[float, float, int]:
    """Goodput of all flows in Mbit/s, mean number of packets that wait, and drops."""
    result = cellway.run(scenario(path))
    port = result.summary["ports"]["near.line"]
    goodput = sum(flow["throughput_bits_per_second"] for flow in result.flows.values())
    waiting = port["mean_queue"] - port["utilisation"]
    return goodput / 1e6, waiting, sum(port["drops"].values())


def interval(values: list[float]) -> str:
    """Mean of six values, and half of its interval of 95 %."""
    half = STUDENT * statistics.stdev(values) / math.sqrt(len(values))
    return f"{statistics.mean(values):.2f} ± {half:.2f}"


def compare_seeds(paths: list[dict[str, Any]]) -> None:
    """Prints a row of a table for each path, over its seeds."""
    for key, group in itertools.groupby(paths, lambda p: (p["congestion"], p["buffer"], p["loss"])):
        of_path = list(group)
        ours = [run(path) for path in of_path]
        law, buffer, loss = key
        cells = [
            interval([sum(path["goodput"]) for path in of_path]),
            interval([goodput for goodput, _, _ in ours]),
            interval([path["waiting"] for path in of_path]),
            interval([waiting for _, waiting, _ in ours]),
        ]
        print(f"| {law} | {buffer} | {loss:g} | {' | '.join(cells)} |")


def main() -> None:
    read = [json.loads(line) for line in Path(sys.argv[1]).read_text().splitlines()]
    if "seed" in read[0]:
        compare_seeds(read)
        return
    cpu = {"peer": 0.0, "ours": 0.0}
    for path in read:
        before = time.process_time()
        goodput, queue, drops = run(path)
        cpu["ours"] += time.process_time() - before
        cpu["peer"] += path["cpu"]
        drawn = random.Random(1)  # noqa: S311 - phases, no secret
        ranges = [(goodput, queue)]
        for _ in range(OTHER_STARTS):
            starts = [round(0.1 + drawn.uniform(0, 4), 6) for _ in path["starts"]]
            ranges.append(run({**path, "starts": starts})[:2])
        goodputs, queues = zip(*ranges, strict=True)
        print(
            f"{path['queue']:9}{path['congestion']:6}{path['rate']:4} Mbit/s {path['rtt']:4} ms"
            f" | goodput {sum(path['goodput']):6.2f} / {goodput:6.2f}"
            f" ({min(goodputs):6.2f} to {max(goodputs):6.2f})"
            f" | queue {path['waiting']:6.1f} / {queue:6.1f}"
            f" ({min(queues):6.1f} to {max(queues):6.1f})"
            f" | drops {path['drops']} / {drops}"
        )
    print(f"CPU time: {cpu['peer']:.0f} s / {cpu['ours']:.1f} s")


main()
