"""The renewal model and effective capacity through Python: by hand, limits, refusals, a figure."""

import math

import pytest

from cellway import TheoryError
from cellway.theory import (
    ModulatedCapacity,
    TwoRatePath,
    best_constant_rate,
    overflow_delta,
    plot_renewal,
    renewal_curve,
    renewal_throughput,
)


def path(psi: float, buffer: int = 10) -> TwoRatePath:
    """Δ = 40 packets, half of them at the low rate."""
    return TwoRatePath(high=40, low=20, buffer=buffer, high_lasts=psi)


def test_a_window_that_fits_returns_whole_in_every_round_trip() -> None:
    """15 packets per round trip of a mean of 30, and 48 of 53 octets of them over ABR."""
    small = TwoRatePath(40, 20, 10, 20, max_window=15)
    assert renewal_throughput(small, "alone").efficiency.each_once == pytest.approx(0.5)
    assert renewal_throughput(small).efficiency.nothing == pytest.approx(0.5 * 48 / 53)
    bare = renewal_throughput(small, cell_headers=False)
    assert bare.efficiency.optimistic == pytest.approx(0.5)
    assert bare.losses_per_round_trip == pytest.approx(0.0, abs=1e-12)


def test_accountings_are_ordered_and_the_residual_is_reported() -> None:
    """Whatever the window at the loss."""
    for window in ("binomial", "plus one"):
        found = renewal_throughput(path(5), window_at_loss=window)
        by = found.efficiency
        assert 0 < by.nothing < by.returned < by.each_once < by.optimistic < 1
        assert found.residual < 1e-14
        assert found.states > 100


def test_both_readings_of_the_window_at_the_loss_are_near() -> None:
    """Algebra aside: the threshold changes by a packet or less."""
    binomial = renewal_throughput(path(10)).efficiency.each_once
    plus_one = renewal_throughput(path(10), window_at_loss="plus one").efficiency.each_once
    assert binomial != plus_one
    assert binomial == pytest.approx(plus_one, rel=0.03)


def test_violated_assumptions_are_named() -> None:
    """10/41 is below a third; ABR does not ask for it."""
    alone = renewal_throughput(path(50), "alone").assumptions
    assert [one.name for one in alone if one.violated] == ["slow_start_lossless"]
    assert "0.244" in next(one.violated for one in alone if one.violated)
    assert not any(one.violated for one in renewal_throughput(path(50)).assumptions)


def test_fast_changes_are_refused_with_the_reason() -> None:
    """ψ = 1 is the edge of the model."""
    with pytest.raises(TheoryError, match="high_lasts is 1 round trips; expected more than 1"):
        renewal_throughput(path(1))
    with pytest.raises(TheoryError, match=r"buffer is 9\.5; expected a whole number of packets"):
        renewal_throughput(TwoRatePath(40, 20, 9.5, 20))  # type: ignore[arg-type]
    with pytest.raises(TheoryError, match="constant rate is 41 packets per round trip"):
        renewal_throughput(path(20), constant_rate=41)
    with pytest.raises(ValueError, match="expected none with sender 'alone'"):
        renewal_throughput(path(20), "alone", constant_rate=20)


def test_the_effective_capacity_of_two_states_by_its_quadratic() -> None:
    """ρ of [[x p, x (1-p)], [(1-q) , q]] with the larger capacity's x, in floats."""
    link = ModulatedCapacity.of_two(TwoRatePath(40, 20, 10, 10, 5))
    delta = 0.05
    high, low = math.exp(-40 * delta), math.exp(-20 * delta)
    trace, determinant = 0.9 * high + 0.8 * low, high * low * (0.9 * 0.8 - 0.1 * 0.2)
    radius = (trace + math.sqrt(trace**2 - 4 * determinant)) / 2
    assert link.effective(delta) == pytest.approx(-math.log(radius) / delta, rel=1e-12)
    assert link.limits() == pytest.approx((100 / 3, 20))
    assert link.effective(0) == pytest.approx(100 / 3)
    assert link.effective(1e5) == pytest.approx(20, rel=1e-5)
    assert link.effective(link.delta_of(25)) == pytest.approx(25)
    with pytest.raises(TheoryError, match="rate is 20; expected between the least and the mean"):
        link.delta_of(20)


def test_delta_of_an_overflow_probability() -> None:
    """e^-10δ = 0.001."""
    assert math.exp(-10 * overflow_delta(0.001, 10)) == pytest.approx(0.001)


def test_the_best_constant_rate_is_the_best_of_all() -> None:
    """And its δ gives it back."""
    link = path(3)
    best = best_constant_rate(link)
    tried = {
        rate: renewal_throughput(link, constant_rate=rate).efficiency.each_once
        for rate in range(20, 31)
    }
    assert tried[best.rate] == max(tried.values())
    if math.isfinite(best.delta) and best.delta > 0:
        found = ModulatedCapacity.of_two(link).effective(best.delta)
        assert found == pytest.approx(best.rate)


def test_a_figure_has_a_band_for_each_curve() -> None:
    """Conservative and optimistic, on a logarithmic axis."""
    curves = [renewal_curve(path(20), (2, 20), sender) for sender in ("abr", "alone")]
    (axes,) = plot_renewal(curves).axes
    assert len(axes.lines) == 4
    assert axes.get_xscale() == "log"
    legend = axes.get_legend()
    assert legend is not None
    assert [text.get_text() for text in legend.get_texts()] == [
        "TCP over ABR, buffer of 10",
        "TCP alone, buffer of 10",
    ]
    with pytest.raises(ValueError, match="no curve has a point"):
        plot_renewal([])
