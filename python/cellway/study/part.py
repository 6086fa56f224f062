"""Parts of a study for several machines: each has its own of the runs and a folder of its own.

The runs of a fixed number of replications are dealt out one by one in the order of their keys, so
that parts are equally large whatever the design. Under a stopping rule whole points are dealt out,
since the number of runs of a point depends on those before.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Self

MOST_PARTS = 10_000
_WRITTEN = re.compile(r"([0-9]{1,9})/([0-9]{1,9})")


@dataclass(frozen=True)
class Part:
    """One part of several.

    Attributes:
        number: from 1.
        of: the number of parts.
    """

    number: int
    of: int

    @classmethod
    def read(cls, text: str) -> Self:
        """The part that is written as ``i/n``.

        Raises:
            ValueError: it is none.
        """
        found = _WRITTEN.fullmatch(text.strip())
        number, of = (int(found[1]), int(found[2])) if found else (0, 0)
        if not 1 <= number <= of <= MOST_PARTS:
            raise ValueError(
                f"{text!r} is no part; i/n with i from 1 to n is expected, n at most {MOST_PARTS}"
            )
        return cls(number, of)

    def share(self, keys: Iterable[str]) -> frozenset[str]:
        """The keys that belong to this part; those of all parts together are `keys`, each once."""
        return frozenset(sorted({*keys})[self.number - 1 :: self.of])

    def __str__(self) -> str:
        return f"{self.number}/{self.of}"
