"""A study with the number of runs that each of its points needs so far."""

from collections.abc import Iterator, Mapping
from pathlib import Path

from cellway.statistics import DifferenceRule, Precision, decide
from cellway.study.decided import compared_points, judged
from cellway.study.measuring import missing_measurements, require_measurable
from cellway.study.plan import Condition, PlannedRun
from cellway.study.record import Record
from cellway.study.responses import Response
from cellway.study.study import Study


class Wanted:
    """The runs of a study, or of its part, by point.

    `conditions` has the scenario of each point, `simulated` the responses that need runs, and
    `replications` the number of runs of each point, also of those that another part makes.
    """

    def __init__(self, study: Study, conditions: list[Condition]) -> None:
        self.study = study
        self.conditions = conditions
        self.simulated = [response for response in study.responses if not response.explained]
        self.replications = [study.min_replications if self.simulated else 0] * len(conditions)
        self._runs: list[list[PlannedRun]] = [[] for _ in conditions]
        self._settings = self._compared()
        self._share = self._shared()
        self._require_explained()

    def _require_explained(self) -> None:
        """Refuses a response that `explain` does not give, before anything runs."""
        asked = [response for response in self.study.responses if response.explained]
        if asked and self.conditions:
            explained = self.conditions[0].scenario(self.study.seed).explain()
            for response in asked:
                response.of_explanation(explained)

    def require_measurable(self, out: Path | None, *, again: bool) -> None:
        """Refuses missing measurements that cannot be made, before anything runs."""
        if self.study.measures:
            missing = missing_measurements(self.study, self.conditions, out, again=again)
            require_measurable(self.study, self.conditions, missing)

    def planned(self) -> Iterator[PlannedRun]:
        """All runs, point by point."""
        for point, n in enumerate(self.replications):
            yield from self.planned_at(point, n)

    def planned_at(self, point: int, n: int) -> Iterator[PlannedRun]:
        """Runs among the first `n` replications of a point, without those of other parts."""
        known = self._runs[point]
        while len(known) < n:
            known.append(self.study.planned(self.conditions[point], len(known) + 1))
        return (run for run in known[:n] if self._share is None or self._owner(run) in self._share)

    def _compared(self) -> list[dict[str, int]]:
        """Points that are compared with each other, and have equally many runs for it."""
        if not isinstance(self.study.replications, DifferenceRule):
            return []
        return compared_points(self.study, self.conditions)

    def _shared(self) -> frozenset[str] | None:
        """Owners that belong to the part of the study; `None` for the whole study."""
        part, self._share = self.study.part, None
        return None if part is None else part.share(map(self._owner, self.planned()))

    def _owner(self, run: PlannedRun) -> str:
        """Key of what is dealt out to parts: the run, or all that a stopping rule looks at."""
        if isinstance(self.study.replications, int):
            return run.key
        for points in self._settings:
            together = [self.conditions[at] for at in points.values()]
            if run.condition in together:
                return together[0].key(0, "point")
        return run.condition.key(0, "point")

    def ask(self, found: Mapping[str, Record]) -> bool:
        """Adds runs where means are not exact enough; returns whether any were added."""
        rule = self.study.replications
        if isinstance(rule, int):
            return False
        before = list(self.replications)
        if isinstance(rule, DifferenceRule):
            for points in self._settings:
                enough = self._enough_to_decide(points, rule, found)
                for point in points.values():
                    self.replications[point] = enough
            return self.replications != before
        self.replications = [self._enough(point, n, rule, found) for point, n in enumerate(before)]
        return self.replications != before

    def _enough(self, point: int, n: int, rule: Precision, found: Mapping[str, Record]) -> int:
        """Number of runs that a point needs, as far as its finished runs can tell."""
        samples = {one.name: self._values(one, point, n, found) for one in self.simulated}
        if n < 1 or any(len(values) < n for values in samples.values()):
            return n
        return max(n, decide(samples, rule).suggested)

    def _enough_to_decide(
        self, points: Mapping[str, int], rule: DifferenceRule, found: Mapping[str, Record]
    ) -> int:
        """Number of runs that each point of a setting needs, as far as finished runs can tell."""
        count = self.replications[next(iter(points.values()))]
        responses = {one.name: one for one in self.simulated}

        def values(name: str, point: int) -> list[float]:
            response = responses[name]
            numbers = (response.judged(one) for one in self._metrics(point, count, found))
            return [number for number in numbers if number is not None]

        said = judged(points, self.simulated, count, values, rule)
        return count if said is None else said.suggested

    def _values(
        self, response: Response, point: int, n: int, found: Mapping[str, Record]
    ) -> list[float]:
        """Numbers of a response among the first `n` runs of a point."""
        shown = (response.shown(one) for one in self._metrics(point, n, found))
        return [value for value in shown if value is not None]

    def _metrics(
        self, point: int, n: int, found: Mapping[str, Record]
    ) -> Iterator[Mapping[str, float | None]]:
        """Stored numbers of the finished among the first `n` runs of a point."""
        return (found[run.key].metrics for run in self.planned_at(point, n) if run.key in found)
