"""Runs the paths of a file that peer.py printed in cellway, and prints both beside each other.

`python tools/ns3/compare.py peer.json`. Each path is run with the starts of the file and with seven
others: a number of the peer that is within the range of the eight differs by its phases alone.
Paths with seeds are run once for each, and printed as means with intervals of 95 %; with several
laws, that is the share of the first flow, beside the formula of Ware et al.; with uploads, both
directions of the line.
"""

import itertools
import json
import random
import sys
import time
from operator import itemgetter
from pathlib import Path
from typing import Any

import cellway
from cellway.statistics import estimate
from cellway.theory import bbr_share

OTHER_STARTS = 7
DELAYED = 2
RECOVERY = {"bbr1": "thresholds"}
"""Recovery of a law that needs samples of the delivery rate; ns-3 has no detection by time."""
PACKET_BITS = 12_000


def queue_up(path: dict[str, Any]) -> str:
    """Keys of the queue of the way back."""
    return f"""buffer.per_port = "{path["buffer_up"] + 2} packet"
drop = "{path["queue"]}\""""


def scenario(path: dict[str, Any]) -> cellway.Scenario:
    """The scenario of a path; ns-3 has two packets below its queue, on the line and before it."""
    rate, flows = path["rate"], len(path["starts"])
    uploads = path.get("uploads", 0)
    text = f"""
[run]
duration = "{path["duration"]} s"
warm_up = "{path["warm_up"]} s"
seed = {path.get("seed", 1)}
[switch.far]
{queue_up(path) if uploads else ""}
[switch.near]
buffer.per_port = "{path["buffer"] + 2} packet"
drop = "{path["queue"]}"
"""
    for link, ends, megabits, loss in (
        ("line", ("near", "far"), rate, path.get("loss", 0)),
        ("back", ("far", "near"), path.get("rate_up", rate), 0),
    ):
        text += f"""
[link.{link}]
from = "{ends[0]}"
to = "{ends[1]}"
rate = "{megabits} Mbit/s of line"
carries.packets.overhead = "2 B"
delay = "{path["rtt"] / 2} ms"
"""
        if loss:
            text += f"impairments = {{ loss = {loss} }}\n"
    for flow, (start, law) in enumerate(zip(path["starts"], path["laws"], strict=True)):
        for host, router in ((f"left{flow}", "near"), (f"right{flow}", "far")):
            text += f"""
[host.{host}]
[link.{host}]
between = ["{host}", "{router}"]
rate = "1 Gbit/s of line"
carries.packets.overhead = "2 B"
delay = "10 us"
"""
        ends = ("left", "right") if flow + uploads < flows else ("right", "left")
        text += f"""
[flow.f{flow}]
from = "{ends[0]}{flow}"
to = "{ends[1]}{flow}"
start = "{start} s"
traffic = "greedy"
[flow.f{flow}.tcp]
mtu = "1500 B"
window = "{path["window"]} B"
recovery = "{RECOVERY.get(law, "sack")}"
congestion = "{law}"
timers = "fine"
handshake = true
initial_window = 10
ack = "{"delayed" if path.get("segments_per_ack") == DELAYED else "every_segment"}"
"""
    return cellway.Scenario.parse(text)


def waiting(result: cellway.Run, port: str) -> float:
    """Mean number of packets that wait at a port, without the one on the line."""
    found = result.summary["ports"][port]
    return found["mean_queue"] - found["utilisation"]


def goodputs(result: cellway.Run) -> list[float]:
    """Goodput of each flow in Mbit/s."""
    return [flow["throughput_bits_per_second"] / 1e6 for flow in result.flows.values()]


def run(path: dict[str, Any]) -> tuple[list[float], float, int]:
    """Goodput of each flow in Mbit/s, mean number of packets that wait, and drops."""
    result = cellway.run(scenario(path))
    drops = result.summary["ports"]["near.line"]["drops"]
    return goodputs(result), waiting(result, "near.line"), sum(drops.values())


def interval(values: list[float], digits: int = 2) -> str:
    """Mean, and half of its interval of 95 %."""
    found = estimate(values)
    return f"{found.mean:.{digits}f} ± {found.half_width or 0:.{digits}f}"


def compare_seeds(paths: list[dict[str, Any]]) -> None:
    """Prints a row of a table for each path, over its seeds."""
    key = itemgetter("laws", "buffer", "loss")
    for (laws, buffer, loss), group in itertools.groupby(paths, key):
        of_path = list(group)
        ours = [run(path) for path in of_path]
        cells = [
            interval([sum(path["goodput"]) for path in of_path]),
            interval([sum(goodput) for goodput, _, _ in ours]),
            interval([path["waiting"] for path in of_path]),
            interval([queued for _, queued, _ in ours]),
        ]
        print(f"| {laws[0]} | {buffer} | {loss:g} | {' | '.join(cells)} |")


def share(goodput: list[float]) -> float:
    """Part of all goodput that the first flow has."""
    return goodput[0] / sum(goodput)


def compare_shares(paths: list[dict[str, Any]]) -> None:
    """Prints the share of the first flow beside the others for each path, over its seeds."""
    for (laws, buffer), group in itertools.groupby(paths, itemgetter("laws", "buffer")):
        of_path = list(group)
        packets = of_path[0]["rate"] * 1e6 / PACKET_BITS
        formula = bbr_share(buffer, packets, of_path[0]["rtt"] / 1e3)
        cells = [
            interval([share(path["goodput"]) for path in of_path], 3),
            interval([share(run(path)[0]) for path in of_path], 3),
            f"{formula:.3f}",
        ]
        print(f"| {len(laws) - 1} | {buffer} | {' | '.join(cells)} |")


def both_ways(goodput: list[float], uploads: int) -> tuple[float, float]:
    """Goodput of all downloads and of all uploads."""
    return sum(goodput[:-uploads]), sum(goodput[-uploads:])


def compare_two_way(paths: list[dict[str, Any]]) -> None:
    """Prints goodputs and queues down and up for each queue, over its seeds, and CPU times."""
    before = time.process_time()
    for queue in dict.fromkeys(path["queue"] for path in paths):
        peers, ours = [], []
        for path in (path for path in paths if path["queue"] == queue):
            uploads = path["uploads"]
            result = cellway.run(scenario(path))
            queues = (waiting(result, "near.line"), waiting(result, "far.back"))
            ours.append((*both_ways(goodputs(result), uploads), *queues))
            queues = (path["waiting"], path["waiting_up"])
            peers.append((*both_ways(path["goodput"], uploads), *queues))
        columns = zip(zip(*peers, strict=True), zip(*ours, strict=True), strict=True)
        cells = [interval(list(values)) for pair in columns for values in pair]
        print(f"| {queue} | {' | '.join(cells)} |")
    peer = sum(path["cpu"] for path in paths)
    print(f"CPU time: {peer:.0f} s / {time.process_time() - before:.1f} s")


def main() -> None:
    """Compares the paths of the file in the way of their kind."""
    read = [json.loads(line) for line in Path(sys.argv[1]).read_text().splitlines()]
    if "uploads" in read[0]:
        compare_two_way(read)
        return
    if "seed" in read[0]:
        compare = compare_seeds if len(read[0]["laws"]) == 1 else compare_shares
        compare(read)
        return
    cpu = {"peer": 0.0, "ours": 0.0}
    for path in read:
        before = time.process_time()
        goodput, queue, drops = run(path)
        cpu["ours"] += time.process_time() - before
        cpu["peer"] += path["cpu"]
        drawn = random.Random(1)  # noqa: S311 - phases, no secret
        ranges = [(sum(goodput), queue)]
        for _ in range(OTHER_STARTS):
            starts = [round(0.1 + drawn.uniform(0, 4), 6) for _ in path["starts"]]
            other, queued, _ = run({**path, "starts": starts})
            ranges.append((sum(other), queued))
        sums, queues = zip(*ranges, strict=True)
        print(
            f"{path['queue']:9}{path['laws'][0]:6}{path['rate']:4} Mbit/s {path['rtt']:4} ms"
            f" | goodput {sum(path['goodput']):6.2f} / {sum(goodput):6.2f}"
            f" ({min(sums):6.2f} to {max(sums):6.2f})"
            f" | queue {path['waiting']:6.1f} / {queue:6.1f}"
            f" ({min(queues):6.1f} to {max(queues):6.1f})"
            f" | drops {path['drops']} / {drops}"
        )
    print(f"CPU time: {cpu['peer']:.0f} s / {cpu['ours']:.1f} s")


main()
