"""Runs every path in ns-3 and prints a line of JSON for each; needs `pip install ns3` (3.44).

The rows of docs/against-ns3.md took 25 minutes of CPU time: `python tools/ns3/peer.py > peer.json`.
"""

import json
import time
from pathlib import Path

from ns import ns
from paths import paths

LAWS = {"reno": "TcpNewReno", "cubic": "TcpCubic"}
QUEUES = {
    "tail": "FifoQueueDisc",
    "codel": "CoDelQueueDisc",
    "fq_codel": "FqCoDelQueueDisc",
    "pie": "PieQueueDisc",
}

ns.cppyy.cppdef(Path(__file__).with_name("dumbbell.h").read_text())
doubles = ns.cppyy.gbl.std.vector["double"]
for path in paths():
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
    )
    result = {**path, **json.loads(str(found)), "cpu": time.process_time() - before}
    print(json.dumps(result), flush=True)
