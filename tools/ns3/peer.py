"""Runs every path in ns-3 and prints a line of JSON for each; needs `pip install ns3` (3.44).

The rows of docs/against-ns3.md, but those of FQ-PIE and COBALT, took 25 minutes of CPU time:
`python tools/ns3/peer.py > peer.json`.
With words of queues, `python tools/ns3/peer.py fq_pie cobalt`, the paths are those with them alone;
with words of laws, `vegas hybla`, those of one flow alone; with the word `shares`, those of BBR
beside CUBIC; with `twoway`, those of downloads and uploads.
"""

import json
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ns import ns
from paths import alone, paths, shares, two_way

LAWS = {
    "reno": "TcpNewReno",
    "cubic": "TcpCubic",
    "vegas": "TcpVegas",
    "westwood": "TcpWestwoodPlus",
    "hybla": "TcpHybla",
    "bbr1": "TcpBbr",
}
QUEUES = {
    "tail": "FifoQueueDisc",
    "codel": "CoDelQueueDisc",
    "fq_codel": "FqCoDelQueueDisc",
    "pie": "PieQueueDisc",
    "fq_pie": "FqPieQueueDisc",
    "cobalt": "CobaltQueueDisc",
}


def chosen(words: list[str]) -> Iterator[dict[str, Any]]:
    """Paths that the words of the command line name."""
    match words:
        case []:
            return paths()
        case ["shares"]:
            return shares()
        case ["twoway"]:
            return two_way()
        case _ if QUEUES.keys() >= set(words):
            return paths(words)
    return alone(words)


ns.cppyy.cppdef(Path(__file__).with_name("dumbbell.h").read_text())
doubles = ns.cppyy.gbl.std.vector["double"]
strings = ns.cppyy.gbl.std.vector["std::string"]
for path in chosen(sys.argv[1:]):
    before = time.process_time()
    found = ns.cppyy.gbl.Dumbbell(
        strings([LAWS[law] for law in path["laws"]]),
        QUEUES[path["queue"]],
        path["rate"],
        path["rtt"],
        path["buffer"],
        doubles(path["starts"]),
        path["duration"],
        path["warm_up"],
        path["window"],
        path.get("loss", 0.0),
        path.get("seed", 1),
        path.get("segments_per_ack", 1),
        path.get("rate_up", 0.0),
        path.get("buffer_up", 0),
        path.get("uploads", 0),
    )
    result = {**path, **json.loads(str(found)), "cpu": time.process_time() - before}
    print(json.dumps(result), flush=True)
