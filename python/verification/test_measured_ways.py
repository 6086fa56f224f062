"""Studies measured with this machine's TCP: killed, continued, and beside simulated runs.

They need root and TUN devices; without these they are skipped by name.
"""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from cellway import StoreError, load_results
from cellway.runs.models import present_kernel
from cellway.study.store import Store
from started import MAIN

pytestmark = pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() != 0 or not os.access("/dev/net/tun", os.W_OK),
    reason="measurements need root and /dev/net/tun",
)
PATH = """
run = { duration = "1.5 s", warm_up = "0.5 s", seed = 1 }
host = { near = {}, home = {} }
switch.router = {}
[link.near]
between = ["near", "router"]
rate = "1 Gbit/s of line"
carries = "packets"
delay = "1 ms"
[link.line]
between = ["router", "home"]
rate = "10 Mbit/s of line"
carries = "packets"
delay = "5 ms"
[flow.bulk]
from = "near"
to = "home"
traffic = "greedy"
tcp = { preset = "linux", mtu = "1500 B", window = "64 KiB" }
[observe]
series = ["cwnd"]
"""
STUDY = """
[study]
scenario = "path.toml"
replications = 3
series = "all"
compare = "way"
[factor.way]
key = "way"
levels = ["simulate", "measure"]
[response.goodput]
quantity = "flows.bulk.throughput_bits_per_second"
unit = "Mbit/s"
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "path.toml").write_text(PATH)
    (tmp_path / "ways.toml").write_text(STUDY)
    return tmp_path


def cellway(folder: Path, *words: str) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "-c", MAIN, *words],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def kept(folder: Path) -> dict[str, float]:
    """Time of each measured run in the study's folder, by its key."""
    try:
        with Store.read(folder / "out" / "ways") as store:
            found = [*store.records(store.keys())]
    except StoreError:
        return {}
    return {one.key: one.wall_seconds for one in found if one.kernel}


def test_a_killed_study_measures_the_rest(folder: Path) -> None:
    devices = sorted(Path("/sys/class/net").iterdir())
    killed = cellway(folder, "study", "ways.toml", "--paths", "2")
    while not (before := kept(folder)):
        assert killed.poll() is None, killed.communicate()
        time.sleep(0.05)
    killed.kill()
    killed.communicate()
    assert len(before) < 3
    said, notes = cellway(folder, "study", "ways.toml", "--paths", "2").communicate()
    assert f"{3 - len(before)} run" in notes
    assert f"measured: 3 runs, Linux {present_kernel()}" in said
    assert before.items() <= kept(folder).items()
    assert sorted(Path("/sys/class/net").iterdir()) == devices
    results = load_results(folder / "out" / "ways")
    assert results.values("goodput", 1) == pytest.approx(results.values("goodput", 0), rel=0.01)
    ((_, differences),) = results.comparisons("goodput")
    assert differences["measure"].n == 3


def test_theory_simulation_and_measurement_agree(folder: Path) -> None:
    words = ("compare", "path.toml", "--measure", "--runs", "2", "--paths", "2", "--json")
    said, notes = cellway(folder, *words).communicate()
    assert said, notes
    goodput = next(one for one in json.loads(said)["numbers"] if one["name"] == "goodput")
    assert goodput["measured"]["mean"] == pytest.approx(goodput["simulated"]["mean"], rel=0.01)
    assert goodput["measured"]["mean"] == pytest.approx(goodput["theory"][0]["value"], rel=0.01)
