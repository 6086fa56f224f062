"""Efficiency of TCP over a link of two rates: docs/models/renewal.md."""

from cellway.theory import TwoRatePath, plot_renewal, renewal_curve
from figures.shared import FOLDER


def renewal() -> None:
    """Efficiency over ABR and alone on the path of the renewal model's paper."""
    psi = [1.5 * (100 / 1.5) ** (step / 40) for step in range(41)]
    curves = [
        renewal_curve(TwoRatePath(high=40, low=20, buffer=buffer, high_lasts=2), psi, sender)
        for sender in ("abr", "alone")
        for buffer in (10, 12)
    ]
    plot_renewal(curves).savefig(FOLDER / "renewal.svg")
