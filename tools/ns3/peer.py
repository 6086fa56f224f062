"""Runs every path in ns-3 and prints a line of JSON for each; needs `pip install ns3` (3.44).

The rows of docs/against-ns3.md took 25 minutes of CPU time: `python tools/ns3/peer.py > peer.json`.
With words of laws, `python tools/ns3/peer.py vegas hybla`, the paths are those of one flow alone.
"""

import json
import sys
import time
from pathlib import Path

from ns import ns
from paths import alone, paths

LAWS = {
    "reno": "TcpNewReno",
    "cubic": "TcpCubic",
    "vegas": "TcpVegas",
    "westwood": "TcpWestwoodPlus",
    "hybla": "TcpHybla",
}
QUEUES = {
    "tail": "FifoQueueDisc",
    "codel": "CoDelQueueDisc",
    "fq_codel": "FqCoDelQueueDisc",
    "pie": "PieQueueDisc",
}

ns.cppyy.cppdef(Path(__file__).with_name("dumbbell.h").read_text())
doubles = ns.cppyy.gbl.std.vector["double"]
for path in alone(sys.argv[1:]) if sys.argv[1:] else paths():
    before = time.process_time()
    found = ns.cppyy.gbl.Dumbbell(
        LAWS[path["congestion"]],
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
    )
    result = {**path, **json.loads(str(found)), "cpu": time.process_time() - before}
    print(json.dumps(result), flush=True)
