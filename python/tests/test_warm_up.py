"""MSER-5 against numbers worked by hand and against its definition.

The papers give averages over thousands of runs; none prints a short series with its result. The one
published pair of raw data and result that was found, the tutorial of pyMSER with 48 613 samples (13
365 deleted, the rest with a mean of 22.4197; ours are the same), is too large to keep here.
"""

import math
import random
from collections.abc import Sequence

import pytest

from cellway.statistics import mser5

DEVIATIONS = (-2.0, -1.0, 0.0, 1.0, 2.0)


def series(batch_means: Sequence[float]) -> list[float]:
    """Five values around each mean."""
    return [mean + deviation for mean in batch_means for deviation in DEVIATIONS]


def test_twelve_batches_by_hand() -> None:
    """Means 9, 6, then 3 and 4 in turn: sum 50, sum of squares 81 + 36 + 5·(9 + 16) = 242.

    Nothing deleted: (242 - 50²/12) / 12² = 0.2338. Without the 9: (161 - 41²/11) / 11² = 0.0676.
    Without the 6 too: (125 - 35²/10) / 10² = 0.025, the least. Without the first 3: (116 - 32²/9) /
    9² = 0.0274.
    """
    found = mser5(series([9, 6, 3, 4, 3, 4, 3, 4, 3, 4, 3, 4]))
    assert found.batches == (9, 6, 3, 4, 3, 4, 3, 4, 3, 4, 3, 4)
    assert found.statistic[:4] == pytest.approx(
        [(242 - 2500 / 12) / 144, (161 - 1681 / 11) / 121, 0.025, (116 - 1024 / 9) / 81]
    )
    assert found.observations == 10
    assert found.share == pytest.approx(1 / 6)
    assert found.accepted
    assert found.require() == 10
    assert str(found) == "warm-up 10 of 60 observations (16.7%) by MSER-5"


def test_the_statistic_is_the_squared_standard_error_of_what_remains() -> None:
    draw = random.Random(7)
    values = [draw.gauss(5.0, 2.0) + 20.0 * 0.9**i for i in range(203)]
    found = mser5(values)
    assert len(found.batches) == 40
    assert len(found.statistic) == 36
    for deleted, statistic in enumerate(found.statistic):
        rest = found.batches[deleted:]
        mean = math.fsum(rest) / len(rest)
        assert statistic == pytest.approx(math.fsum((z - mean) ** 2 for z in rest) / len(rest) ** 2)
    assert found.statistic[found.observations // 5] == min(found.statistic)


@pytest.mark.parametrize("level", [0.1, 0.0, -1e9, 1 / 3])
def test_a_run_that_never_varies_keeps_everything(level: float) -> None:
    found = mser5([level] * 73)
    assert found.observations == 0
    assert set(found.statistic) == {0.0}


def test_a_step_to_a_constant_is_cut_at_the_step_and_not_later() -> None:
    """Every later point has a statistic of zero too; the smallest wins."""
    assert mser5([7.0] * 20 + [0.1] * 180).observations == 20


def test_a_step_inside_a_batch_costs_that_batch() -> None:
    assert mser5([7.0] * 21 + [0.1] * 179).observations == 25


def test_a_step_in_the_middle_is_still_accepted_and_one_after_it_is_not() -> None:
    assert mser5([7.0] * 50 + [0.1] * 50).require() == 50
    late = mser5([7.0] * 55 + [0.1] * 45)
    assert (late.observations, late.accepted) == (55, False)
    assert str(late).startswith("no warm-up found: MSER-5 would delete 55 of 100")
    said = r"too short for its warm-up: .* 55 of 100 .* make the run longer"
    with pytest.raises(ValueError, match=said):
        late.require()


def test_a_ramp_never_settles() -> None:
    assert not mser5([float(i) for i in range(200)]).accepted


def test_four_equal_batches_at_the_end_do_not_win() -> None:
    """Five batches remain at least, and the fifth from the end differs."""
    values = series([9, 6, 3, 4, 3, 4, 3, 4, 3, 4, 3, 4, 3]) + [4.0] * 20
    assert mser5(values).observations == 10


def test_values_after_the_last_whole_batch_take_no_part() -> None:
    whole = series([9, 6, 3, 4, 3, 4, 3, 4, 3, 4, 3, 4])
    found = mser5([*whole, 1e6, -1e6, 1e6, 1e6])
    assert found.statistic == mser5(whole).statistic
    assert found.total == 64


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ([1.0] * 49, "49 observations are too few for MSER-5; it needs at least 50"),
        ([math.nan] * 60, "not finite"),
    ],
)
def test_what_has_no_warm_up_is_refused(values: list[float], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        mser5(values)
