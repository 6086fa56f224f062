"""Wrong names of responses, found before a study begins by a trial run of a microsecond.

A summary has the same names however short its run, and whenever its flows begin. Numbers mean
nothing here and are not looked at.
"""

from cellway.errors import CellwayError
from cellway.quantity import NothingThereError
from cellway.runs import Run, run
from cellway.scenario import Scenario
from cellway.study.responses import Reduction, Response
from cellway.study.study import Study

_SHORT = [("run.duration", "1 us"), ("run.warm_up", "0 s"), ("flow.*.start", "0 s")]
"""A start that is not before the end of the run is refused; a `stop` may lie behind it."""


def trial(scenario: Scenario) -> Run:
    """A run of a microsecond, with the names that all runs of `scenario` have.

    Raises:
        CellwayError: the scenario cannot run.
    """
    return run(scenario.with_sets(_SHORT))


def missing_sources(study: Study) -> dict[str, str]:
    """By the name of a response, why its path has no number at the first point of the study.

    Nothing is said where the first point is no scenario or cannot run: the study says so at that
    point.
    """
    try:
        condition = study.first_condition()
        scenario = condition.scenario(study.seed)
        explained = scenario.explain()
        seen = trial(scenario)
    except CellwayError:
        return {}
    found = {one.name: _missing(one, seen, explained) for one in study.responses}
    return {name: said for name, said in found.items() if said}


def _missing(response: Response, seen: Run, explained: dict[str, object]) -> str:
    source = response.source
    try:
        if isinstance(source, Reduction):
            seen.series(source.series)
        elif response.explained:
            source.of(explained, "explanation")
        else:
            source.of(seen.summary)
    except NothingThereError as error:
        return str(error)
    except KeyError as error:
        return str(error.args[0])
    except ValueError:  # There is something; what, a longer run will say.
        return ""
    return ""
