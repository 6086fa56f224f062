"""Runs every path in ns-3 and prints a line of JSON for each; needs `pip install ns3` (3.44).

The rows of docs/against-ns3.md took 25 minutes of CPU time: `python tools/ns3/peer.py > peer.json`.
With words of laws, `python tools/ns3/peer.py vegas hybla`, the paths are those of one flow alone;
with the word `shares`, those of BBR beside CUBIC.
"""

import json
import sys
import time
from pathlib import Path

from ns import ns
from paths import alone, paths, shares

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
}

ns.cppyy.cppdef(Path(__file__).with_name("dumbbell.h").read_text())
doubles = ns.cppyy.gbl.std.vector["double"]
strings = ns.cppyy.gbl.std.vector["std::string"]
words = sys.argv[1:]
for path in shares() if words == ["shares"] else alone(words) if words else paths():
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
    )
    result = {**path, **json.loads(str(found)), "cpu": time.process_time() - before}
    print(json.dumps(result), flush=True)
