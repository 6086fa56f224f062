"""Tables of docs/measured-rate-control.md of the catalogue's rows: two connections, and EFFCAP."""

from cellway import catalogue
from cellway.catalogue.measured_text import in_percent
from cellway.catalogue.measurements import Measured
from cellway.statistics import Estimate, estimate
from cellway.statistics.paired import paired_difference

PAIRS = {
    "tcp": "TCP alone",
    "inst": "INSTCAP",
    "own": "EFFCAP, M and N of its own",
    "common": "EFFCAP, M 10 and N 110",
}
"""Families of rows of two connections, with the names of their sources."""
PSI = ("0.3", "1", "5", "20", "100")
MEMORIES = {
    "N of samples": tuple(f"S3-N{n}-{psi}" for n in (7, 14, 21) for psi in PSI[:4]),
    "N of round trips, ψ 0.5": tuple(f"S3-15-{n}-200" for n in (2, 4, 8, 12)),
    "N of round trips, ψ 5": tuple(f"S3-16-{n}-200" for n in (2, 4, 8, 12)),
    "M, ψ 5": tuple(f"S3-17-12-200-M{m}" for m in (1, 4, 10)),
    "M, ψ 0.5, 1, 2": tuple(f"S3-18-12-{trip}-M{m}" for trip in (200, 100, 50) for m in (1, 10)),
}
"""Rows of one connection by what they vary."""


def rate_control_pairs() -> None:
    """Prints the tables."""
    kept = catalogue.paper("iisc-2001").measurements.kept
    for family, name in PAIRS.items():
        for psi in PSI:
            near, far = (kept.get(f"S3-{family}-{end}-{psi}") for end in ("near", "far"))
            if near is not None and far is not None:
                print("", name, psi, *_pair(near, far), "", sep=" | ")
    for name, codes in MEMORIES.items():
        for code in codes:
            if (one := kept.get(code)) is not None:
                means = f"{one.mean.mean:.3f}", f"{one.simulated_mean.mean:.3f}"
                print("", name, code, *means, in_percent(one.difference or _none()), "", sep=" | ")


def _none() -> Estimate:
    return estimate([0.0])


def _pair(near: Measured, far: Measured) -> tuple[str, ...]:
    """Sums and ratios, measured and simulated, with the paired difference of each."""
    ways = [(near.measured, far.measured), (near.simulated, far.simulated)]
    sums = [[one + other for one, other in zip(*way, strict=True)] for way in ways]
    ratios = [[other / one for one, other in zip(*way, strict=True)] for way in ways]
    return *_beside(*sums, digits=3), *_beside(*ratios, digits=2)


def _beside(measured: list[float], simulated: list[float], *, digits: int) -> tuple[str, str]:
    means = [f"{estimate(values).mean:.{digits}f}" for values in (measured, simulated)]
    base = estimate(simulated).mean
    gap = paired_difference([one / base for one in measured], [one / base for one in simulated])
    return " / ".join(means), in_percent(gap)
