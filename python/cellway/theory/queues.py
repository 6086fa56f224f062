"""Queues of equal cells before one line, without a run.

Times are in service times, a service time being the time that the line takes for a cell, and
contents in cells, except in `FluidQueue`, which has bits and seconds. All are in equilibrium.
"""

from dataclasses import dataclass
from functools import cached_property

from cellway._core import FluidQueue as _Fluid
from cellway._core import PeriodicQueue as _Periodic
from cellway._core import PoissonQueue as _Poisson
from cellway._core import SlottedQueue as _Slotted
from cellway.theory.domain import positive, whole


@dataclass(frozen=True)
class PoissonQueue:
    """M/D/1: Poisson arrivals at a line, first in first out.

    Attributes:
        load: ρ, arrivals per service time, above 0 and below 1.

    Raises:
        TheoryError: a load out of its range; likewise each method, for its own number.

    Source: Pollaczek 1930, Khintchine 1932 for the mean; Franx, Operations Research Letters 29,
        2001, for the wait; Kingman 1964 for the bound; Keilson 1966 for the loss.

    >>> queue = PoissonQueue(0.8)
    >>> round(queue.mean_wait(), 3), round(queue.wait_quantile(0.99), 2)
    (2.0, 10.36)
    """

    load: float

    def __post_init__(self) -> None:
        _ = self._core  # Refuses what is out of range.

    @cached_property
    def _core(self) -> _Poisson:
        return _Poisson(self.load)

    def mean_wait(self) -> float:
        """Mean time before the service, ρ / (2 (1 - ρ)) service times."""
        return self._core.mean_wait()

    def mean_number(self) -> float:
        """Mean number of cells in the system, that in service included."""
        return self._core.mean_number()

    def number_above(self, cells: int) -> float:
        """P(N > `cells`), the cell in service included."""
        return self._core.number_above(whole("cells", cells))

    def wait_above(self, wait: float) -> float:
        """P(W > `wait`), in service times."""
        return self._core.wait_above(wait)

    def wait_quantile(self, quantile: float) -> float:
        """The wait that this fraction of cells, at least 0 and below 1, does not exceed."""
        return self._core.wait_quantile(quantile)

    def wait_bound(self, wait: float) -> float:
        """A bound on P(W > `wait`), exponential in `wait`."""
        return self._core.wait_bound(wait)

    def loss(self, places: int) -> float:
        """The part of the cells lost with `places`, at least 1, that in service included."""
        return self._core.loss(whole("places", places, 1))


@dataclass(frozen=True)
class PeriodicQueue:
    """N·D/D/1: sources of one constant rate at independent random phases.

    A single run has one set of phases; the distribution is over all of them.

    Attributes:
        sources: N, at least 1.
        period: D, service times from cell to cell of one source, above N.

    Raises:
        TheoryError: a number out of its range.

    Source: Roberts and Virtamo, IEEE Transactions on Communications 39(2), 1991.

    >>> queue = PeriodicQueue(15, 16)
    >>> round(queue.mean_wait(), 3), f"{queue.work_above(8):.1e}"
    (1.476, '3.8e-05')
    """

    sources: int
    period: float

    def __post_init__(self) -> None:
        _ = self._core  # Refuses what is out of range.

    @cached_property
    def _core(self) -> _Periodic:
        return _Periodic(whole("sources", self.sources, 1), self.period)

    def mean_wait(self) -> float:
        """Mean time of a cell before its service, service times."""
        return self._core.mean_wait()

    def mean_number(self) -> float:
        """Mean number of cells in the system, that in service included."""
        return self._core.mean_number()

    def work_above(self, work: float) -> float:
        """P(V > `work`) at any instant, the rest of the cell in service included.

        For a whole number it is the probability of more cells than that; a buffer of so many
        overflows at most as often.
        """
        return self._core.work_above(work)

    def wait_above(self, wait: float) -> float:
        """P(W > `wait`) of a cell, in service times."""
        return self._core.wait_above(wait)

    def wait_quantile(self, quantile: float) -> float:
        """The wait that this fraction of cells, 0 to 1, does not exceed."""
        return self._core.wait_quantile(quantile)


@dataclass(frozen=True)
class SlottedQueue:
    """The queue at an output of a slotted switch with binomial arrivals.

    Each input has a cell in a slot with the probability `load`, for any output with the same
    probability. The output sends a cell per slot; a cell that finds it idle is never queued.

    Attributes:
        load: p, above 0 and below 1.
        inputs: N, at least 1; `None` for infinitely many, Poisson arrivals.

    Raises:
        TheoryError: a number out of its range.

    Source: Karol, Hluchyj and Morgan, IEEE Transactions on Communications 35(12), 1987.

    >>> queue = SlottedQueue(0.8, 16)
    >>> round(queue.mean_wait(), 3), f"{queue.loss(28):.1e}"
    (1.875, '3.8e-07')
    """

    load: float
    inputs: int | None = None

    def __post_init__(self) -> None:
        _ = self._core  # Refuses what is out of range.

    @cached_property
    def _core(self) -> _Slotted:
        inputs = None if self.inputs is None else whole("inputs", self.inputs, 1)
        return _Slotted(inputs, self.load)

    def mean_wait(self) -> float:
        """Mean slots in the queue, (N - 1)/N · p / (2 (1 - p))."""
        return self._core.mean_wait()

    def queue_above(self, cells: int) -> float:
        """P(Q > `cells`) at the end of a slot."""
        return self._core.queue_above(whole("cells", cells))

    def loss(self, places: int) -> float:
        """The part of the cells lost with `places` for queued cells."""
        return self._core.loss(whole("places", places))


@dataclass(frozen=True)
class FluidQueue:
    """On-off sources before a line, as a fluid: the queue that their bursts make.

    Cells are infinitely small: waits of cells that meet within a burst are neglected.

    Attributes:
        sources: N, 1 to 200.
        peak: bit/s of a source while on.
        mean_on: seconds, exponential.
        mean_off: seconds, exponential.
        capacity: bit/s of the line, above the mean of the sources and below N peaks.

    Raises:
        TheoryError: a number out of its range.

    Source: Anick, Mitra and Sondhi, Bell System Technical Journal 61(8), 1982.

    >>> queue = FluidQueue(10, peak=1e6, mean_on=0.1, mean_off=0.25, capacity=4e6)
    >>> round(queue.load, 3), round(queue.mean() / 1e3)
    (0.714, 38)
    """

    sources: int
    peak: float
    mean_on: float
    mean_off: float
    capacity: float

    def __post_init__(self) -> None:
        _ = self._core  # Refuses what is out of range.

    @cached_property
    def _core(self) -> _Fluid:
        on_over_off = self.mean_on / positive("mean_off", self.mean_off)
        line = self.capacity / positive("peak", self.peak)
        return _Fluid(whole("sources", self.sources, 1), on_over_off, line)

    @property
    def _burst(self) -> float:
        return self.peak * self.mean_on

    @property
    def load(self) -> float:
        """Mean rate of all sources over that of the line."""
        return self._core.load()

    def mean(self) -> float:
        """Mean content, bits."""
        return self._burst * self._core.mean()

    def above(self, bits: float) -> float:
        """P(X > `bits`); at 0 the part of the time in which bits wait."""
        return self._core.above(bits / self._burst)

    def quantile(self, quantile: float) -> float:
        """Bits that are not exceeded in the part `quantile` of the time, at least 0 and below 1."""
        return self._burst * self._core.quantile(quantile)

    def decay(self) -> float:
        """Decrease of the logarithm of P(X > bits) per bit, for large contents."""
        return -self._core.decay() / self._burst
