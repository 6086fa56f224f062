"""Runs in the formats of other tools: their numbers are those of the summary."""

import gzip
import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from cellway import run
from cellway.export import flent, iperf3
from cellway.runs.runs import Run
from common import Command, refused, shipped


@pytest.fixture(scope="module")
def lossy() -> Run:
    keys = {"run.duration": "10 s", "run.warm_up": "1 s", "observe.limit": 10_000}
    return run(shipped("lossy-access", keys))


def test_intervals_of_iperf3_add_up_to_the_summary(lossy: Run) -> None:
    document = iperf3.document(lossy, 1.0)
    flow = lossy.flows["f"]
    streams = [interval["streams"][0] for interval in document["intervals"]]
    assert [stream["omitted"] for stream in streams] == [True] + 9 * [False]
    # Points of the series are 10 ms apart, some at both ends of the measurement.
    assert sum(stream["bytes"] for stream in streams[1:]) == flow["acked_bytes"]
    assert all(one["end"] == two["start"] for one, two in pairwise(streams))
    sender, receiver = (document["end"]["streams"][0][end] for end in ("sender", "receiver"))
    assert sender["bytes"] == flow["acked_bytes"]
    assert sender["retransmits"] == flow["retransmitted_segments"] > 0
    assert sender["max_snd_cwnd"] >= max(stream["snd_cwnd"] for stream in streams)
    assert receiver["bytes"] == flow["delivered_bytes"]
    assert sender["min_rtt"] == pytest.approx(40_000, rel=0.1)


def keys_of(tree: Any, path: str = "") -> set[str]:
    """Paths of the keys of a document, those of a list's first element below it."""
    if isinstance(tree, list):
        return keys_of(tree[0], f"{path}[]") if tree else set()
    if not isinstance(tree, dict):
        return set()
    below = [keys_of(value, f"{path}.{key}") for key, value in tree.items()]
    return {f"{path}.{key}" for key in tree}.union(*below)


def test_iperf3_has_the_names_of_iperf3(lossy: Run) -> None:
    """Names of iperf 3.12's own document, of which a reader takes what it needs."""
    sender = "socket start end seconds bytes bits_per_second retransmits max_snd_cwnd max_rtt"
    expected = {f".end.streams[].sender.{key}" for key in f"{sender} min_rtt mean_rtt".split()}
    interval = "socket start end seconds bytes bits_per_second snd_cwnd rtt omitted sender"
    expected |= {f".intervals[].streams[].{key}" for key in interval.split()}
    expected |= {".start.test_start.protocol", ".end.sum_sent.retransmits", ".end.sum_received"}
    assert expected <= keys_of(iperf3.document(lossy, 1.0))


def test_flent_has_a_point_for_each_interval(lossy: Run) -> None:
    document = flent.document(lossy, 0.5)
    assert document["x_values"] == [0.5 * (row + 1) for row in range(20)]
    assert {len(points) for points in document["results"].values()} == {20}
    carried = sum(document["results"]["TCP upload::1"]) * 0.5e6 / 8
    assert carried == pytest.approx(lossy.series("f.acked").value[-1], abs=1)
    assert document["results"]["TCP upload sum"] == document["results"]["TCP upload::1"]
    assert 40 < document["results"][flent.PING][10] < 80


def test_flent_files_are_compressed_and_equal(cellway: Command, folder: Path, lossy: Run) -> None:
    lossy.save(folder / "run")
    for name in ("a", "b"):
        result = cellway("export", "flent", folder / "run", "--to", folder / f"{name}.flent.gz")
        assert result.returncode == 0, result.stderr
    one, two = ((folder / f"{name}.flent.gz").read_bytes() for name in ("a", "b"))
    assert one == two
    assert json.loads(gzip.decompress(one)) == flent.document(lossy, 0.2)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--interval", "0"), "--interval 0: expected a number above 0"),
        (("--to", "path.toml"), "--to path.toml: the file exists"),
    ],
)
def test_faults_are_named_before_a_run(
    cellway: Command, folder: Path, words: tuple[str, ...], said: str
) -> None:
    (folder / "path.toml").write_text("nothing is read before")
    assert refused(cellway, "export", "iperf3", "path.toml", *words).startswith(said)


def test_a_run_without_the_series_is_refused(cellway: Command, folder: Path) -> None:
    sets = {"run.duration": "1 s", "run.warm_up": "0 s", "observe.series": ["queue"]}
    run(shipped("lossy-access", sets)).save(folder / "run")
    assert "no flow has a series `acked`" in refused(cellway, "export", "flent", folder / "run")
