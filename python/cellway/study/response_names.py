"""Wrong names of responses, found by a trial run of a microsecond before a study begins.

A summary has the same names however short its run, and whenever its flows begin. Its numbers are
not used.
"""

from collections.abc import Mapping

from cellway.errors import CellwayError
from cellway.runs.quantity import NothingThereError
from cellway.runs.runs import Run, run
from cellway.scenario.scenario import Scenario
from cellway.study.responses import Reduction, Response
from cellway.study.study import Study

_SHORT = [("run.duration", "1 us"), ("run.warm_up", "0 s"), ("flow.*.start", "0 s")]
"""Keys of the trial run. A start after the end of the run is refused; a `stop` after it is not."""


def trial(scenario: Scenario) -> Run:
    """Runs `scenario` for a microsecond, which gives the names of all its runs.

    Raises:
        CellwayError: the scenario cannot run.
    """
    return run(scenario.with_sets(_SHORT))


def missing_sources(study: Study) -> dict[str, str]:
    """Reasons why paths have no number at the first point of the study, by response.

    The result is empty if the first point is no scenario or cannot run: the study reports that
    itself.
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


def _missing(response: Response, seen: Run, explained: Mapping[str, object]) -> str:
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
