"""Units that numbers are shown in, each as a multiple of the unit that the simulator gives them in."""

from collections.abc import Mapping

UNITS: Mapping[str, float] = {
    "1": 1.0,
    "%": 0.01,
    "bit/s": 1.0,
    "kbit/s": 1e3,
    "Mbit/s": 1e6,
    "s": 1.0,
    "ms": 1e-3,
    "us": 1e-6,
    "B": 1.0,
    "KiB": 1024.0,
    "cell": 1.0,
    "packet": 1.0,
}
"""A number of the summary divided by this is in the unit: 1 500 000 bits per second are 1.5 Mbit/s."""
