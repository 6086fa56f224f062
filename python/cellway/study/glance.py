"""What a study's runs will look at, seen in a run of a microsecond: names that lead nowhere are found.

A summary has the same names however short its run. Numbers mean nothing here and are not looked at.
"""

from cellway.errors import CellwayError
from cellway.quantity import NothingThereError
from cellway.run import Run, run
from cellway.study.responses import Reduction, Response
from cellway.study.study import Study

GLANCE = [("run.duration", "1 us"), ("run.warm_up", "0 s")]


def missing_sources(study: Study) -> dict[str, str]:
    """By the name of a response, why nothing stands where it looks; at the first point of the study.

    Nothing is said when a run so short is not accepted: the study's own runs find it out.
    """
    try:
        condition = study.first_condition()
        scenario = condition.scenario(study.seed)
        explained = scenario.explain()
        seen = run(scenario.with_sets(GLANCE))
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
