"""Unit 7: warm-up, intervals over replications, pairs with equal seeds, and a 2^2 design."""

from functools import cache
from math import ceil, sqrt
from statistics import mean, pstdev, stdev

from cellway.course.exercise import Exercise, Mistake, Unit
from cellway.course.setting import number
from cellway.statistics.intervals import estimate
from cellway.statistics.paired import paired_difference, unpaired_difference
from cellway.statistics.two_level import two_level_effects

RUNS = (9.017, 9.224, 8.934, 8.715, 8.643)
"""Mbit/s of the laboratory's scenario with the seeds 1 to 5."""
BEFORE, AFTER = (9.1, 8.7, 9.6, 8.9, 9.3), (9.4, 8.9, 9.9, 9.3, 9.5)
"""Mbit/s of two settings with the same five seeds."""
MEANS = (8.56, 9.15, 9.11, 9.67)
"""Mbit/s of the design: 10 and 40 packets under Reno, then under CUBIC."""
PRECISION = 0.01


def _half() -> float:
    return (estimate(RUNS).half_width or 0.0) * 1e6


def _pairs_half(*, paired: bool) -> float:
    judged = paired_difference if paired else unpaired_difference
    return (judged(AFTER, BEFORE).half_width or 0.0) * 1e6


def _needed(precision: float = PRECISION) -> float:
    return len(RUNS) * (_half() / 1e6 / (precision * mean(RUNS))) ** 2


def _effects() -> tuple[float, float, float]:
    buffer, law, both = two_level_effects(["buffer", "law"], MEANS).effects
    return buffer.estimate.mean * 1e6, law.estimate.mean * 1e6, both.estimate.mean * 1e6


@cache
def _shares() -> tuple[float, float]:
    """Fractions of the variation of `MEANS` that the buffer and the law explain."""
    buffer, law, _ = two_level_effects(["buffer", "law"], MEANS).effects
    return buffer.share, law.share


def throughput(warm_up: str) -> float:
    """Goodput of all flows in the laboratory behind a warm-up, bit/s."""
    goodput = "groups.tcp.goodput.sum_bits_per_second"
    return number("replications", goodput, ("run.warm_up", f'"{warm_up}"'))


def bias() -> float:
    """Part of the throughput that is missing if the first 10 s are measured, too."""
    return 1 - throughput("0 s") / throughput("10 s")


_WARM_UP = Exercise(
    name="warm_up",
    text="By how many per cent is the laboratory's goodput, all flows together, lower with no "
    "warm-up than with one of 10 s?",
    unit="%",
    right=bias,
    how="Slow start, and the time before the starts, count in the first one.",
    tolerance=0.04,
    mistakes=(
        Mistake(lambda: 0.25, "10 of 40 s; the connections do send in the warm-up"),
        Mistake(
            lambda: throughput("10 s") / throughput("0 s") - 1,
            "the base is the goodput with a warm-up",
        ),
        Mistake(lambda: 0.0, "the first seconds are not like the others: windows begin small"),
        Mistake(lambda: 1 - bias(), "this is the ratio; the difference is asked for"),
    ),
)
_HALF = Exercise(
    name="half_width",
    text="Five replications gave 9.017, 9.224, 8.934, 8.715 and 8.643 Mbit/s. What is the "
    "half-width of the 95 % interval of the mean?",
    unit="Mbit/s",
    right=_half,
    how="t(4, 0.975) s / sqrt(5) = 2.776 × 0.235 / 2.236.",
    mistakes=(
        Mistake(
            lambda: 1.96 * _half() / 2.776445, "1.96 is for many; five have Student's t, 2.776"
        ),
        Mistake(lambda: _half() * sqrt(5), "the mean of five varies less: divide by sqrt(5)"),
        Mistake(lambda: _half() / sqrt(5), "divided by 5; it is by sqrt(5)"),
        Mistake(
            lambda: _half() * pstdev(RUNS) / stdev(RUNS),
            "s with n; an estimate of the variance has n - 1",
        ),
        Mistake(lambda: stdev(RUNS) * 1e6, "this is the standard deviation of a single run"),
    ),
)
_NEEDED = Exercise(
    name="needed",
    text="How many replications would a half-width of 1 % of the mean need, if mean, variance and "
    "t stayed as they are?",
    unit="1",
    right=lambda: float(ceil(_needed())),
    how="The half-width falls by the root of the number: 5 × (0.291 / 0.089)².",
    tolerance=0.05,
    mistakes=(
        Mistake(
            lambda: 5 * _half() / 1e6 / (PRECISION * mean(RUNS)),
            "a half-width falls by the root of the number: square the ratio",
        ),
        Mistake(lambda: _needed() / 5, "the five runs are what the ratio counts in"),
        Mistake(lambda: _needed(0.02), "1 % of the mean on each side, not in all"),
        Mistake(lambda: 5 * (_half() / 1e6 / PRECISION) ** 2, "1 % of the mean, not 0.01 Mbit/s"),
    ),
)
_PAIRED = Exercise(
    name="paired",
    text="With the same five seeds one setting gave 9.1, 8.7, 9.6, 8.9 and 9.3 Mbit/s, another one "
    "9.4, 8.9, 9.9, 9.3 and 9.5. What is the half-width of the 95 % interval of the difference?",
    unit="Mbit/s",
    right=lambda: _pairs_half(paired=True),
    how="Equal seeds make pairs: the differences are 0.3, 0.2, 0.3, 0.4 and 0.2, and their "
    "interval is Student's over five numbers.",
    mistakes=(
        Mistake(
            lambda: _pairs_half(paired=False),
            "taken as independent; with equal seeds both move together, so take differences",
        ),
        Mistake(lambda: _pairs_half(paired=True) * sqrt(5), "divide by sqrt(5): a mean of five"),
        Mistake(
            lambda: _pairs_half(paired=True) * 1.96 / 2.776445,
            "1.96 is for many; five differences have Student's t, 2.776",
        ),
        Mistake(
            lambda: (mean(AFTER) - mean(BEFORE)) * 1e6, "this is the difference, not its half-width"
        ),
    ),
)
_EFFECT = Exercise(
    name="effect",
    text="A 2^2 design has the means 8.56 (10 packets, Reno), 9.15 (40, Reno), 9.11 (10, CUBIC) "
    "and 9.67 Mbit/s (40, CUBIC). What is the effect of the buffer, half of the change from low to "
    "high, as `cellway study` prints it?",
    unit="Mbit/s",
    right=lambda: _effects()[0],
    how="(-8.56 + 9.15 - 9.11 + 9.67) / 4.",
    mistakes=(
        Mistake(lambda: 2 * _effects()[0], "this is the whole change from low to high"),
        Mistake(lambda: 4 * _effects()[0], "the sum with signs; divide by the four runs"),
        Mistake(lambda: _effects()[1], "this is the effect of the congestion control"),
        Mistake(lambda: _effects()[2], "this is the interaction"),
        Mistake(lambda: mean(MEANS) * 1e6, "this is the mean of all"),
    ),
)
_EXPLAINED = Exercise(
    name="explained",
    text="What fraction of the variation of these four means does the buffer explain?",
    unit="%",
    right=lambda: _shares()[0],
    how="Squares of effects: 0.2875² / (0.2875² + 0.2675² + 0.0075²).",
    mistakes=(
        Mistake(
            lambda: _effects()[0] / sum(map(abs, _effects())),
            "effects without squares; variation is a sum of squares",
        ),
        Mistake(lambda: _shares()[1], "this is the part of the congestion control"),
        Mistake(lambda: _effects()[0] / 1e6, "this is the effect, in Mbit/s"),
        Mistake(
            lambda: 1.0, "the congestion control changes the goodput about as much as the buffer"
        ),
    ),
)
UNIT = Unit(
    name="replications",
    reading={
        "statistics.md": "intervals, pairs, effects",
        "studies.md": "how a study is written",
        "models/random-instants.md": "what a seed draws",
    },
    setting="replications.toml",
    files=("replications-study.toml",),
    exercises=(_WARM_UP, _HALF, _NEEDED, _PAIRED, _EFFECT, _EXPLAINED),
)
