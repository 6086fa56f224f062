"""Rust examples of stacks, smoltcp and QUIC: equal runs, goodput, random patterns of noise.

smoltcp is built where cargo is; QUIC, a minute of CPU more, with EXAMPLE_STACKS=quic. Random
patterns for each pair of ends are as many as STACK_PATTERNS says.
"""

import os
import random
import shutil
import subprocess
from pathlib import Path

import pytest

from cellway import Run, Scenario, run

EXAMPLES = Path(__file__).parents[2] / "crates/stack/examples"
PATH = Scenario.load(str(EXAMPLES / "clean-path.toml"))
PATTERNS = int(os.environ.get("STACK_PATTERNS", "20"))
pytestmark = pytest.mark.timeout(1800)
"""A busy machine builds for long."""
TOTAL = 64 << 10
"""Octets of a transfer through noise."""


def built(name: str) -> str:
    """The program of an example, built; skips the test if that cannot be."""
    cargo = shutil.which("cargo")
    if cargo is None:
        pytest.skip("cargo is not installed")
    if name == "quic" and os.environ.get("EXAMPLE_STACKS") != "quic":
        pytest.skip("EXAMPLE_STACKS=quic builds QUIC, a minute of CPU")
    folder = EXAMPLES / name
    fetched = subprocess.run(
        [cargo, "fetch", "--locked"], cwd=folder, capture_output=True, check=False
    )
    if fetched.returncode != 0:
        pytest.skip(f"what {name} needs cannot be had")
    target = EXAMPLES.parents[2] / "target/examples"
    build = [cargo, "build", "--quiet", "--locked", "--target-dir", str(target)]
    subprocess.run(build, cwd=folder, check=True)
    return str(target / "debug" / f"cellway-{name}")


@pytest.fixture(scope="module")
def smoltcp() -> str:
    """The program with smoltcp."""
    return built("smoltcp")


@pytest.fixture(scope="module")
def quic() -> str:
    """The program with QUIC."""
    return built("quic")


def rate(found: Run) -> float:
    """Goodput of the flow, in bits per second."""
    value: float = found.flows["bulk"]["throughput_bits_per_second"]
    return value


def survive(stacks: dict[str, str]) -> int:
    """Carries a transfer through random noise in both directions; counts those that finish.

    An octet that is wrong, a packet that is none, or a call that is not understood end a run.
    """
    finished = 0
    for seed in range(PATTERNS):
        draw = random.Random(seed)
        noise: dict[str, float | str] = {
            "loss": draw.uniform(0.0, 0.2),
            "duplicate": draw.uniform(0.0, 0.3),
            "reorder.probability": draw.uniform(0.0, 0.3),
            "reorder.extra_delay": f"{draw.randint(1, 100)} ms",
        }
        sets = [(f"link.wire.impairments.{key}", value) for key, value in noise.items()]
        noisy = PATH.with_sets(sets).with_sets(
            [("run.seed", seed), ("flow.bulk.traffic", {"ttcp": {"total": f"{TOTAL} B"}})]
        )
        found = run(noisy, stacks=stacks)
        assert found.flows["bulk"]["acked_bytes"] <= TOTAL
        finished += found.flows["bulk"]["acked_bytes"] == TOTAL
    return finished


def test_smoltcp_receives_at_the_rate_of_the_path(smoltcp: str) -> None:
    model = rate(run(PATH, stacks={"bulk": "model"}))
    assert rate(run(PATH, stacks={"bulk.destination": smoltcp})) == pytest.approx(model, rel=0.02)


@pytest.mark.parametrize("end", ["bulk", "bulk.origin", "bulk.destination"])
def test_smoltcp_survives_noise(smoltcp: str, end: str) -> None:
    assert survive({end: smoltcp}) >= 0.8 * PATTERNS


def test_quic_has_the_rate_of_the_path(quic: str) -> None:
    first, second = (run(PATH, stacks={"bulk": quic}) for _ in range(2))
    assert first.stacks == second.stacks
    other = run(PATH.with_sets([("run.seed", 2)]), stacks={"bulk": quic})
    assert first.stacks is not None
    assert other.stacks is not None
    assert first.stacks["trace"] != other.stacks["trace"]
    # Of 1500 octets 28 are headers of IP and UDP, and 30 to 40 of QUIC.
    assert 9.3e6 < rate(first) < 9.73e6


def test_quic_survives_noise(quic: str) -> None:
    assert survive({"bulk": quic}) >= 0.8 * PATTERNS
