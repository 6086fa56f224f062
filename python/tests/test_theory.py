"""The formula for DFBA against simulation, in cases not used to choose it, and its refusals."""

import math
from collections.abc import Sequence
from statistics import fmean

import pytest

import cellway
from cellway import Scenario, TheoryError
from cellway.theory import DfbaBuffer, DfbaShares, dfba_shares
from common import text_of

CAPACITY = 353_207.0
"""Cells per second of an OC-3c, 149.76 Mbit/s of cell."""
ROUND_TRIP = 0.0103
"""1000 km and two times 10 km there and back, and what packets and cells take to be sent."""
RMS_ERROR = 0.056
"""Of excess/MCR, as crates/theory/src/buffer/dfba.rs states it."""
RAMP = (20.0, 40.0, 60.0, 80.0, 100.0)
STEEP = (8.0, 24.0, 48.0, 80.0, 120.0)
EQUAL = (60.0,) * 5
ONE = (1.0,) * 5
FALLING = (1.0, 0.8, 0.6, 0.4, 0.2)


def network(connections: int, size: int) -> str:
    """Five VCs of TCPs between LANs, over a backbone with DFBA at 0.6 and 0.9 of `size` cells."""
    vc = text_of("dfba_vc.toml").replace("count = 10", f"count = {connections}")
    backbone = text_of("dfba.toml").replace("6000 cell", f"{size} cell")
    return backbone + "".join(vc.replace("K", str(number)) for number in range(5))


def simulated(text: str, mcr: Sequence[float], z: Sequence[float]) -> tuple[list[float], float]:
    """Parts of the goodput by VC, and the mean queue in cells; means over three seeds."""
    scenario = Scenario.parse(text)
    for vc in range(5):
        scenario = scenario.with_set(f"vc.v{vc}.service.gfr.mcr", f"{mcr[vc]} kcell/s")
        scenario = scenario.with_set(f"vc.v{vc}.service.gfr.z", z[vc])
    runs = [cellway.run(scenario.with_set("run.seed", seed)) for seed in (1, 2, 3)]
    goodput = [fmean(_goodput(run, vc) for run in runs) for vc in range(5)]
    queue = fmean(run.ports["near.backbone"]["mean_queue"] for run in runs)
    return [part / sum(goodput) for part in goodput], queue


def _goodput(run: cellway.Run, vc: int) -> float:
    """Of the VC's connections together, bit/s."""
    flows = (flow for name, flow in run.flows.items() if name.startswith(f"f{vc}["))
    return math.fsum(flow["throughput_bits_per_second"] for flow in flows)


def formula(
    mcr: Sequence[float], z: Sequence[float], connections: float = 10, size: float = 6000
) -> DfbaShares:
    buffer = DfbaBuffer(CAPACITY, low=0.6 * size, high=0.9 * size, round_trip=ROUND_TRIP)
    return dfba_shares(buffer, [1000 * rate for rate in mcr], z, [connections] * len(mcr))


@pytest.mark.parametrize(
    ("mcr", "z", "connections", "size"),
    [(RAMP, ONE, 15, 10_000), (STEEP, ONE, 10, 6000), (EQUAL, FALLING, 10, 6000)],
    ids=[
        "between buffer and N of the choice",
        "other guarantees",
        "equal guarantees, five Z",
    ],
)
def test_excess_over_mcr_is_that_of_simulation(
    mcr: Sequence[float], z: Sequence[float], connections: int, size: int
) -> None:
    parts, queue = simulated(network(connections, size), mcr, z)
    said = formula(mcr, z, connections, size)
    # Goodput is 1460 of the 1536 bytes in 32 cells.
    goodput_over_mcr = [CAPACITY * (1460 / 1536) / (1000 * rate) for rate in mcr]
    errors = [
        (share - part) * over
        for share, part, over in zip(said.shares, parts, goodput_over_mcr, strict=True)
    ]
    assert math.sqrt(fmean(error * error for error in errors)) < 2 * RMS_ERROR
    assert said.mean_queue == pytest.approx(queue, rel=0.05)
    excess = [over * part for over, part in zip(goodput_over_mcr, parts, strict=True)]
    assert sorted(range(5), key=excess.__getitem__) == sorted(
        range(5), key=lambda vc: goodput_over_mcr[vc] * said.shares[vc]
    )


def test_rates_fill_the_link() -> None:
    said = formula(RAMP, ONE)
    assert sum(said.rates) == pytest.approx(CAPACITY)
    assert said.rates == tuple(CAPACITY * share for share in said.shares)


def test_without_timeouts_connections_take_more_at_each_loss_and_the_queue_is_longer() -> None:
    some = formula(EQUAL, ONE)
    buffer = DfbaBuffer(CAPACITY, low=3600, high=5400, round_trip=ROUND_TRIP, timeout_cost=0.0)
    none = dfba_shares(buffer, EQUAL, ONE, [10] * 5)
    assert none.mean_queue > some.mean_queue


def test_refusals_say_which_number_and_what_would_be_accepted() -> None:
    with pytest.raises(TheoryError, match=r"^z\[1\] is 2; expected above 0, at most 1$"):
        formula((1.0, 1.0), (1.0, 2.0))
    with pytest.raises(ValueError, match=r"have 5, 2 and 5 values; expected one of each per VC"):
        formula(RAMP, (1.0, 1.0))
    with pytest.raises(TheoryError, match="expected fewer connections, more room or larger z"):
        formula(RAMP, ONE, connections=10_000)
