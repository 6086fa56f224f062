"""The renewal model's numbers in the data of iisc-2001 are those that the model gives."""

import pytest

from cellway.catalogue import paper
from cellway.catalogue.figures import Curves
from cellway.theory import ModulatedCapacity, TwoRatePath, renewal_throughput
from cellway.theory.renewal import Accounted, Sender

ROUND_TRIPS = (2, 5, 10, 20, 50, 100)


def model(psi: float, sender: Sender = "abr", buffer: int = 10) -> Accounted:
    path = TwoRatePath(high=40, low=20, buffer=buffer, high_lasts=psi)
    return renewal_throughput(path, sender).efficiency


def test_lines_of_the_model_in_the_figure() -> None:
    (figure,) = (one for one in paper("iisc-2001").figures if one.code == "S3-F-8")
    assert isinstance(figure, Curves)
    drawn = [(panel.label, line) for panel in figure.panels for line in panel.lines if line.numbers]
    assert len(drawn) == 8
    for label, line in drawn:
        sender: Sender = "abr" if "INSTCAP" in label else "alone"
        buffer = 12 if "12 packets" in line.label else 10
        found = [model(psi, sender, buffer) for psi in line.at]
        optimistic = "optimistic" in line.label
        expected = [one.optimistic if optimistic else one.each_once for one in found]
        assert line.numbers == pytest.approx(expected, abs=6e-5)


def value_with(code: str, **simulated: float) -> float:
    """What a claim or a derived number comes to with these simulated numbers."""
    data = paper("iisc-2001")
    values = {one.code: one.value for one in data.derived}
    values |= {one.code: one.value for one in data.claims}
    assert {name.name for name in values[code].names} == set(simulated)
    return values[code].value(lambda named: simulated[named.name])


def test_a_simulation_within_the_model_has_no_distance_from_it() -> None:
    inside = {f"i{psi}": (model(psi).optimistic + model(psi).each_once) / 2 for psi in (10, 20)}
    inside |= {f"i{psi}": model(psi).optimistic for psi in (50, 100)}
    assert value_with("S3-N2", **inside) == pytest.approx(0.0, abs=0.02)
    assert value_with("S3-N2", **inside | {"i10": model(10).optimistic / 0.9}) == pytest.approx(
        10.0, abs=0.02
    )


def test_how_far_simulations_are_from_the_model() -> None:
    alone = [model(psi, "alone").optimistic for psi in ROUND_TRIPS]
    names = ("two", "five", "ten", "twenty", "fifty", "hundred")
    less = {name: 0.9 * value for name, value in zip(names, alone, strict=True)}
    assert value_with("S3-N4", **less) == pytest.approx(10.0, abs=0.02)
    two, five = model(2), model(5)
    both = [
        1 - one / ours
        for ours, readings in ((0.5, two), (0.6, five))
        for one in (readings.optimistic, readings.each_once)
    ]
    assert value_with("S3-N3", two=0.5, five=0.6) == pytest.approx(25 * sum(both), abs=0.02)


def test_delta_of_the_best_constant_rates() -> None:
    """500-byte packets in 200 ms: 0.4 of a rate in kB/s. The notes have these numbers."""

    def delta(psi: float, rate: float) -> float:
        path = TwoRatePath(high=40, low=20, buffer=10, high_lasts=psi)
        return ModulatedCapacity.of_two(path).delta_of(0.4 * rate)

    found = [delta(2, 52), delta(5, 51), 40 * delta(2, 52), 40 * delta(5, 51), 40 * delta(2, 51)]
    assert found == pytest.approx([0.87, 0.56, 35, 22, 69], rel=0.02)
    notes = " ".join(paper("iisc-2001").notes.split())
    assert "a δ of 0.87 and 0.56 per packet, or of 35 and 22 per 40 packets" in notes
