"""TCP over a link whose rate alternates, with and without ABR below it, without a run.

Time is counted in round trips of propagation, without queueing; rates are packets per round trip.
"""

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Literal

from cellway import _core, figures

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Sender = Literal["abr", "alone"]
WindowAtLoss = Literal["binomial", "plus one"]

MAX_WINDOW = 64
"""Window in packets: 32 kB of 500-byte packets. The paper does not give it."""


@dataclass(frozen=True)
class TwoRatePath:
    """A bottleneck whose rate alternates, and the connection over it.

    Attributes:
        high: packets that the link sends in a round trip at its high rate, whole, to 1024.
        low: packets at its low rate, whole, at least 1 and below `high`.
        buffer: of the link, packets, whole, 1 to 1024.
        high_lasts: round trips, in the mean, that the high rate lasts; above 1.
        low_lasts: round trips, in the mean, of the low rate; `None` for as long as the high one.
        max_window: packets, whole, 2 to 1024.
    """

    high: int
    low: int
    buffer: int
    high_lasts: float
    low_lasts: float | None = None
    max_window: int = MAX_WINDOW


@dataclass(frozen=True)
class Accounted:
    """A number for each way to count the packets of a loss with its timeout and slow start.

    Attributes:
        optimistic: packets sent twice count twice; the number may exceed the capacity.
        each_once: every packet counts when it is cumulatively acknowledged; this conservative
            number is exact for a sender that goes back to the lost packet.
        returned: packets in flight at the loss count, and those of slow start.
        nothing: none of these packets counts: a lower bound.
    """

    optimistic: float
    each_once: float
    returned: float
    nothing: float


@dataclass(frozen=True)
class Assumption:
    """Assumption of the model.

    Attributes:
        name: a word for it.
        text: the assumption.
        violated: the violation by the path and its effect; `None` if there is none.
    """

    name: str
    text: str
    violated: str | None


@dataclass(frozen=True)
class RenewalThroughput:
    """Result of the model for a path.

    Attributes:
        packets_per_round_trip: throughput without the headers of cells.
        efficiency: throughput as a part of the mean capacity, with the headers if asked for.
        mean_capacity: packets per round trip.
        losses_per_round_trip: each with its timeout.
        mean_cycle: round trips from one state of the chain to the next.
        states: number of recurrent states of the chain.
        residual: the largest error of a balance equation; probabilities add up to 1.
        assumptions: all, violated or not.
    """

    packets_per_round_trip: Accounted
    efficiency: Accounted
    mean_capacity: float
    losses_per_round_trip: float
    mean_cycle: float
    states: int
    residual: float
    assumptions: tuple[Assumption, ...]


def renewal_throughput(
    path: TwoRatePath,
    sender: Sender = "abr",
    *,
    constant_rate: int | None = None,
    window_at_loss: WindowAtLoss = "binomial",
    cell_headers: bool = True,
) -> RenewalThroughput:
    """Throughput of one long-lived TCP without fast retransmit over a link of two rates.

    A Markov renewal process: the state is the place of the window's packets, the link's rate and
    the rate of the round trip before. ``crates/theory/src/renewal/mod.rs`` decides the points that
    the paper leaves open; docs/models/renewal.md derives them.

    Args:
        path: link and connection.
        sender: `"abr"`, TCP over an ABR source that is told the link's rate one round trip late
            (INSTCAP), or `"alone"`, TCP on a line much faster than the link.
        constant_rate: packets per round trip of the ABR source instead, from `path.low` to
            `path.high`; only with `"abr"`.
        window_at_loss: `"binomial"`, each packet ahead of the lost one may raise the window, or
            `"plus one"`, together they raise it by 1.
        cell_headers: take the 5 of 53 octets off the efficiency of TCP over ABR.

    Raises:
        TheoryError: a number out of its range; a rate that lasts one round trip or less, which is
            outside the model.
        ValueError: a constant rate of TCP alone.

    Source: Shakkottai, Kumar, Karnik and Anvekar, IEEE/ACM Transactions on Networking 9(4), 2001,
        section III.

    >>> found = renewal_throughput(TwoRatePath(high=40, low=20, buffer=10, high_lasts=20))
    >>> round(found.efficiency.optimistic, 3), round(found.efficiency.each_once, 3)
    (0.812, 0.778)
    """
    if sender == "alone" and constant_rate is not None:
        raise ValueError(f"constant_rate is {constant_rate}; expected none with sender 'alone'")
    asked = asdict(path)
    if path.low_lasts is None:
        asked["low_lasts"] = path.high_lasts
    packets, efficiency, mean, losses, cycle, states, residual, assumptions = (
        _core.renewal_throughput(
            asked, sender == "abr", constant_rate, window_at_loss == "plus one", cell_headers
        )
    )
    return RenewalThroughput(
        packets_per_round_trip=Accounted(*packets),
        efficiency=Accounted(*efficiency),
        mean_capacity=mean,
        losses_per_round_trip=losses,
        mean_cycle=cycle,
        states=states,
        residual=residual,
        assumptions=tuple(Assumption(*assumption) for assumption in assumptions),
    )


@dataclass(frozen=True)
class BestRate:
    """The constant rate of an ABR source with which TCP has the largest throughput.

    Attributes:
        rate: μ, packets per round trip; the first of several.
        found: the result of the model for it.
        delta: δ per packet with which μ is the effective capacity of the link; infinite at the low
            rate, 0 at the mean capacity.
    """

    rate: int
    found: RenewalThroughput
    delta: float


def best_constant_rate(
    path: TwoRatePath,
    accounting: Literal["optimistic", "each_once", "returned", "nothing"] = "each_once",
) -> BestRate:
    """The constant rate that suits TCP best, by the renewal model, and its δ.

    All whole rates from `path.low` to the mean capacity of the link are tried.

    Raises:
        TheoryError: as `renewal_throughput`.

    Source: the experiment of section IV of the same paper.
    """
    chain = ModulatedCapacity.of_two(path)
    mean, least = chain.limits()
    rates = range(path.low, int(mean) + 1)
    found = {rate: renewal_throughput(path, constant_rate=rate) for rate in rates}
    best = max(found, key=lambda rate: getattr(found[rate].efficiency, accounting))
    if best <= least:
        return BestRate(best, found[best], float("inf"))
    return BestRate(best, found[best], chain.delta_of(best) if best < mean else 0.0)


@dataclass(frozen=True)
class ModulatedCapacity:
    """Capacities of a link that follow a Markov chain, one step per slot.

    Attributes:
        capacities: data per slot in each state, in any unit, at least 0.
        transitions: probabilities from state to state, by rows; all states reach each other.
    """

    capacities: tuple[float, ...]
    transitions: tuple[tuple[float, ...], ...]

    @classmethod
    def of_two(cls, path: TwoRatePath) -> "ModulatedCapacity":
        """The link of `path`: packets per round trip, which is the slot."""
        leave_high = 1 / path.high_lasts
        leave_low = 1 / (path.high_lasts if path.low_lasts is None else path.low_lasts)
        return cls(
            (path.high, path.low), ((1 - leave_high, leave_high), (leave_low, 1 - leave_low))
        )

    def effective(self, delta: float) -> float:
        """The constant rate Γ, data per slot, that overflows a buffer B with exp(-δ B).

        Two states in closed form, more by the spectral radius; within some 1e-15/δ.

        Args:
            delta: δ per unit of data, at least 0.

        Raises:
            TheoryError: a number out of its range, or a chain whose states do not all meet.

        Source: the same paper, equation (23), after de Veciana and Walrand.

        >>> coin = ModulatedCapacity((1.0, 0.0), ((0.5, 0.5), (0.5, 0.5)))
        >>> round(coin.effective(0.6931471805599453), 6)  # log2(4/3)
        0.415037
        """
        return _core.effective_capacity(self.capacities, self.transitions, delta)

    def limits(self) -> tuple[float, float]:
        """Γ at δ = 0, the mean capacity, and with δ without bounds, the least mean of a cycle."""
        return _core.effective_capacity_limits(self.capacities, self.transitions)

    def delta_of(self, rate: float) -> float:
        """The δ, per unit of data, with which `rate` is the effective capacity.

        Raises:
            TheoryError: `rate` is not between the limits.
        """
        return _core.effective_capacity_delta(self.capacities, self.transitions, rate)


def overflow_delta(loss: float, buffer: float) -> float:
    """δ = -ln(loss)/buffer, per unit of the buffer's data.

    Args:
        loss: ε, the probability that the buffer overflows, above 0 and at most 1.
        buffer: B, above 0, in the unit of the capacities.

    Raises:
        TheoryError: a number out of its range.
    """
    return _core.overflow_delta(loss, buffer)


@dataclass(frozen=True)
class RenewalCurve:
    """Throughput over the duration of the rates.

    Attributes:
        label: of the curve.
        psi: round trips that each rate lasts.
        found: the result for each.
    """

    label: str
    psi: tuple[float, ...]
    found: tuple[RenewalThroughput, ...]


def renewal_curve(
    path: TwoRatePath, psi: Iterable[float], sender: Sender = "abr", label: str | None = None
) -> RenewalCurve:
    """Result of the model over `psi`, which replaces the durations of both rates of `path`.

    Raises:
        TheoryError: as `renewal_throughput`.
    """
    steps = tuple(psi)
    paths = [
        TwoRatePath(path.high, path.low, path.buffer, lasts, lasts, path.max_window)
        for lasts in steps
    ]
    name = {"abr": "TCP over ABR", "alone": "TCP alone"}[sender]
    return RenewalCurve(
        label or f"{name}, buffer of {path.buffer}",
        steps,
        tuple(renewal_throughput(one, sender) for one in paths),
    )


def plot_renewal(curves: Iterable[RenewalCurve]) -> "Figure":
    """Draws efficiency against ψ, for each curve from its conservative to its optimistic bound."""
    return figures.draw("renewal", tuple(curves))
