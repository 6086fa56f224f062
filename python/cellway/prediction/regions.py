"""Regions in which formulas at a loss were within 20 % of simulation, as assumptions.

The rules are in numbers without a unit: losses p, the mean window W of the formula and the largest
window in segments, the first timeout over the round trip T0/R, round trips between losses 1/(p W),
and whether losses are independent or equally far apart. docs/validity.md has the runs behind them,
and `python/verification/test_regions.py` repeats them.
"""

from dataclasses import dataclass

from cellway.prediction.answer import Assumption

WITHIN = 0.2
"""Largest relative difference from simulation in nearly all points of a formula's region."""
OUTSIDE = f"outside the region where it was within {WITHIN:.0%}"


@dataclass(frozen=True)
class AtLoss:
    """A connection at a loss, in numbers without a unit.

    Attributes:
        loss: p, per segment.
        window: W, segments sent in a round trip, by the formula.
        most: the largest window, segments.
        timeout: T0/R, the first timeout over the round trip.
        is_distant: true if losses are equally far apart, false if they are independent.
    """

    loss: float
    window: float
    most: float
    timeout: float
    is_distant: bool

    @property
    def rounds(self) -> float:
        """Round trips between losses."""
        return 1 / (self.loss * self.window)

    @property
    def by_timer(self) -> float:
        """Timeouts over round trips if p² of the segments wait for the timer: p² W T0/R."""
        return self.loss**2 * self.window * self.timeout


@dataclass(frozen=True)
class Region:
    """Bounds of the region of a sawtooth without recoveries and timeouts.

    Attributes:
        independent: fewest round trips between losses that are independent of each other.
        distant: fewest round trips between losses that are equally far apart.
        limited: fewest round trips between losses where the largest window limits.
        peak: window at a loss over the mean window.
        least: smallest window at a loss, segments.
        rare: round trips between losses from which windows may be smaller.
        by_timer: largest `AtLoss.by_timer`.
    """

    independent: float
    distant: float
    limited: float
    peak: float
    least: float
    rare: float = 25
    by_timer: float = 0.08

    def assumptions(self, at: AtLoss) -> tuple[Assumption, Assumption]:
        """Assumptions of no recoveries and no timeouts, judged for a connection."""
        loss = self.peak * at.window
        fewest = self.distant if at.is_distant else self.independent
        if at.most < NEAR * loss:
            fewest = max(fewest, self.limited)
        lasting = at.rounds >= fewest
        repaired = (loss >= self.least or at.rounds >= self.rare) and at.by_timer <= self.by_timer
        return (
            Assumption(
                f"recoveries are short: {fewest:g} round trips between losses, or more",
                lasting,
                _why(f"{at.rounds:.3g}", holds=lasting),
            ),
            Assumption(
                f"no timeouts: windows of {self.least:g} segments at a loss, or {self.rare:g} "
                f"round trips between losses; p² W T0/R of {self.by_timer:g} at most",
                repaired,
                _why(
                    f"{loss:.3g} segments, {at.rounds:.3g} round trips, {at.by_timer:.2g}",
                    holds=repaired,
                ),
            ),
        )


NEAR = 1.5
"""Ratio of the largest window to that at a loss, below which the largest window limits."""
SQUARE_ROOT = Region(independent=5, distant=8, limited=16, peak=4 / 3, least=11)
CUBIC = Region(independent=3, distant=10, limited=11, peak=2 / 1.7, least=6)
PFTK_BY_TIMER = 1 / 6
"""Largest part of the time that PFTK may spend in timeouts where losses are isolated."""


def whole_rounds(by_timer: float) -> Assumption:
    """Assumption of PFTK that a loss takes the rest of its round, so that small windows time out.

    Args:
        by_timer: part of the time that the formula spends in timeouts.
    """
    little = by_timer <= PFTK_BY_TIMER
    return Assumption(
        "the rest of a round trip is lost with its first loss, or timeouts take no more than a "
        "sixth of the time",
        little,
        _why(f"losses are alone; by the formula {by_timer:.0%} are timeouts", holds=little),
    )


def _why(numbers: str, *, holds: bool) -> str:
    return numbers if holds else f"{numbers}; {OUTSIDE}"
