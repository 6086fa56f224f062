"""Length of the runs behind Student's t: how many independent values each of them is worth.

Student's t over replications asks for nothing but a mean of a run that is nearly normal. The number
of runs does little for that, their length much: the mean of a queue over a run worth n independent
values has a skewness of about ``7 / sqrt(n)``, and of means more skewed than 1.3 intervals of 95 %
hold in less than 93 of 100.

Decided here, by coverage (`docs/statistics.md` has it, and what was tried instead):

- Runs worth fewer than `ENOUGH` values are to be warned of, as a single run of batch means is. The
  skewness of the replications cannot take the place of their length: ten values show little of it,
  and those without a rare large one show least and miss most.
- The worth of several runs is the harmonic mean of theirs: correlation times are averaged, because
  a short run may have a short one by chance.
- MSER-5 deletes long queues at the beginning, too, so that means come out low. Against a half-width
  this grows as ``sqrt(runs / worth)``, so that more runs need longer ones: `PER_RUN` for each.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from cellway.statistics.batches import ENOUGH

PER_RUN = 200
"""Independent values that each run behind MSER-5 must be worth, times the number of runs."""

EXPECTED = ((10, "85 to 90"), (50, "89 to 94"), (ENOUGH, "92 to 95"))
"""Per cent of intervals that hold, over runs worth less than the number."""

EXPECTED_TRUNCATED = ((10, "20 to 75"), (40, "70 to 90"), (PER_RUN, "85 to 94"))
"""The same behind MSER-5; the number is times that of the runs."""


@dataclass(frozen=True)
class RunLength:
    """Length of the runs below an interval, in independent values.

    Attributes:
        worth: of a run, in independent values.
        runs: how many there are.
        truncated: whether MSER-5 may have deleted from them.
    """

    worth: float
    runs: int
    truncated: bool = False

    @classmethod
    def of(cls, worths: Sequence[float], *, truncated: bool = False) -> "RunLength":
        """The length of several runs from what each is worth, at least one and above zero."""
        mean = len(worths) / sum(1.0 / one for one in worths)
        return cls(mean, len(worths), truncated)

    @property
    def warning(self) -> str:
        """Says how often an interval over such runs holds; empty where they are long enough."""
        times = self.runs if self.truncated else 1
        bands = EXPECTED_TRUNCATED if self.truncated else EXPECTED
        held = next((held for below, held in bands if self.worth < below * times), "")
        behind = " behind MSER-5" if self.truncated else ""
        return held and (
            f"a run{behind} is worth {self.worth:.0f} independent values: of intervals of 95 % "
            f"over {self.runs} runs below {bands[-1][0] * times} expect {held} % to hold"
        )
