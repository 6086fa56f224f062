"""Study files: TOML, read as strictly as scenarios.

[study]
name = "window"                        # by default the file's
scenario = "rate-mismatch.toml"        # beside the study's own file
design = "full"                        # two_level; { fractional = { generators = ["d = a*b*c"] } };
                                       # { latin_hypercube = { points = 32 } };
                                       # { sobol = { points = 64 } };
                                       # { saltelli = { points = 512 } }: for sensitivity indices
replications = 10                      # or { relative_half_width = 0.05, min = 5, max = 100,
                                       #      confidence = 0.95 }; or, with `compare`,
                                       # { difference_half_width = 0.02, min = 5, … }
seed = 1
random_numbers = "common"              # or "independent"
series = "none"                        # "all", or a list of names: kept with every run
compare = "window"                     # a factor whose levels are compared with its first, by pairs
part = "2/8"                           # this part of the runs alone; by default all of them

[set]                                  # for every run
"run.duration" = "10 s"
way = "measure"                        # by default "simulate"; a factor may have it as its key, too

[factor.window]
key = "flow.bulk.tcp.window"           # or keys = [...]: all set to the same value
levels = ["64 KiB", "128 KiB"]         # or range, log_range = { from = …, to = …, steps = n }
labels = ["small", "large"]            # by default their values; for a level without a key, levels
                                       # are tables: key = "flow.bulk.tcp", [{ … }, { …, ecn = … }]
[factor.side]
zip = { "link.a.delay" = ["1 ms", "5 ms"], "link.b.delay" = ["5 ms", "1 ms"] }
labels = ["near", "far"]

[response.throughput]
quantity = "flows.*.throughput_bits_per_second"     # of the summary; explain:… of explain
reduce = "sum"       # when * names several: mean, min, max, p50, p95, quantile, jain too
times = [48, 53]                       # the number is multiplied by 48/53
unit = "Mbit/s"                        # or { name = "octet" }: called so, and not converted
transform = "log"                      # geometric means, ratios, effects on its logarithm
[response.queue]
series = "an2.edc-side.queue"
reduce = "quantile"                    # mean, time_mean, max, min, first, last, sum, batch_means
quantile = 0.95
from = "1 s"
to = "9 s"
warm_up = "mser5"
"""

import os
import re
from functools import partial
from pathlib import Path
from typing import Any, NoReturn

from cellway.errors import ScenarioError, StoreError, StudyError
from cellway.runs.quantity import UNITLESS, read_quantity
from cellway.scenario.scenario import Scenario
from cellway.statistics import CONFIDENCE, SERIES_REDUCTIONS, DifferenceRule, Precision
from cellway.study.design import (
    MOST_SAMPLES,
    Design,
    Fractional,
    LatinHypercube,
    Saltelli,
    Sobol,
    TwoLevel,
)
from cellway.study.factors import Sets
from cellway.study.file_factors import read_factor, require_levels
from cellway.study.own_files import changed_files
from cellway.study.part import Part
from cellway.study.plan import of_scenario
from cellway.study.response_names import missing_sources
from cellway.study.responses import BATCH_MEANS, LOG, MSER5, Reduction, Response
from cellway.study.study import TOTAL, Study
from cellway.study.summary_numbers import units_of
from cellway.text.document import Table, in_backticks, load_document
from cellway.text.opening import opening
from cellway.text.units import UNITS, seconds

RESPONSE = (
    *("quantity", "series", "reduce", "times", "unit", "transform"),
    *("quantile", "from", "to", "warm_up"),
)
DESIGNS = ("full", "two_level", "fractional", "latin_hypercube", "sobol", "saltelli")
MOST_REPLICATIONS = 100_000
_OF_A_TABLE = re.compile("(factor|response) `([^`]*)`")


def load_study(path: str | Path) -> Study:
    """Reads and checks a study file and the scenario that it names.

    Raises:
        StudyError: the content is not a study; the message gives file, line and column.
        ScenarioError: the scenario it names is none.
        StoreError: it is a changed file of cellway's own with several faults.
        OSError: the file cannot be read.
    """
    path = Path(path)
    try:
        return _read(path)
    except (StudyError, ScenarioError) as error:
        if len(error.faults) > 1 and (changed := changed_files(path.parent)):
            names = " and ".join(file.name for file in changed)
            raise StoreError(
                f"{error.faults[0]}; {names} of this folder changed since cellway wrote them"
            ) from error
        raise


def _read(path: Path) -> Study:
    document = load_document(path, StudyError, "a study")
    about = document.table("study")
    if about.has("imported"):
        from cellway.study.foreign import imported_study  # noqa: PLC0415 - results import this

        return imported_study(document, path.parent)
    base = about.attempt(lambda: _base(about, path))
    sets = document.attempt(lambda: document.sets("set")) or ()
    of_sets = base and document.attempt(lambda: _changed(document, base, sets))
    factors = [
        document.attempt(partial(read_factor, name, table, of_sets))
        for name, table in _named(document, "factor")
    ]
    responses = [
        document.attempt(partial(_response, name, table))
        for name, table in _named(document, "response")
    ]
    options = {"name": about.attempt(lambda: about.name("name", path.stem)), **_options(about)}
    about.done()
    document.done()
    document.refuse()
    if base is None:
        raise AssertionError("a study without a scenario was refused")
    try:
        study = Study(
            base,
            tuple(factor for factor in factors if factor),
            responses=tuple(response for response in responses if response) or (TOTAL,),
            sets=sets,
            question=opening(path.read_text(encoding="utf-8")),
            **options,
        )
    except StudyError as error:
        _fail_at_its_place(str(error), document, about)
    _refuse_missing(study, document)
    return study


def _fail_at_its_place(said: str, document: Table, about: Table) -> NoReturn:
    """Refuses at the table or the key that the message begins with."""
    if found := _OF_A_TABLE.match(said):
        document.fail_at((found[1], found[2]), said, at_key=True)
    word = said.partition(" ")[0].rstrip(":")
    about.fail(said, word if word in {"design", "replications"} and about.has(word) else None)


def _named(document: Table, key: str) -> list[tuple[str, Table]]:
    return document.attempt(lambda: list(document.named(key))) or []


def _changed(document: Table, base: Scenario, sets: Sets) -> Scenario | None:
    """The scenario with the keys that are set for every run; `None` if it cannot take them."""
    require_levels(document, base, [(("set",), sets)])
    try:
        return base.with_sets(of_scenario(sets))
    except (ScenarioError, TypeError):  # It was refused at its place.
        return None


def _refuse_missing(study: Study, document: Table) -> None:
    missing = missing_sources(study)
    for name, table in document.named("response"):
        if name in missing:
            key = "series" if table.has("series") else "quantity"
            said = f"response `{name}`: {missing[name]}"
            document.attempt(partial(table.fail, said, key))
    document.refuse()


def _base(about: Table, path: Path) -> Scenario:
    name = about.text("scenario")
    if "\0" in name:
        about.fail(f"scenario {name!r} cannot be read: no file has this name", "scenario")
    try:
        return Scenario.load(os.path.normpath(path.parent / name))
    except OSError as error:
        about.fail(
            f"scenario {name!r} cannot be read: {(error.strerror or str(error)).lower()}",
            "scenario",
        )


def _options(about: Table) -> dict[str, Any]:
    chances = ("common", "independent")
    most = 2**53
    return {
        "design": about.attempt(lambda: _design(about)),
        "replications": about.attempt(lambda: _replications(about)),
        "seed": about.attempt(lambda: about.whole("seed", least=0, most=most, default=1)),
        "random_numbers": about.attempt(lambda: about.one_of("random_numbers", chances, "common")),
        "recorded": about.attempt(lambda: _recorded(about)),
        "compared": about.attempt(lambda: about.text("compare", "") or None),
        "part": about.attempt(lambda: _part(about)),
    }


def _part(about: Table) -> Part | None:
    if not about.has("part"):
        return None
    try:
        return Part.read(about.text("part"))
    except ValueError as error:
        about.fail(f"`part`: {error}", "part")


def _design(about: Table) -> Design:
    if not about.has("design"):
        return Design()
    written = about.value("design", (str, dict), "a design")
    if isinstance(written, str):
        name = about.one_of("design", DESIGNS)
        plain = {"full": Design(), "two_level": TwoLevel()}
        if name not in plain:
            needed = 'generators = ["d = a*b*c"]' if name == "fractional" else "points = 64"
            about.fail(
                f"design {name} needs parameters: {{ {name} = {{ {needed} }} }} is expected",
                "design",
            )
        return plain[name]
    if len(written) != 1 or next(iter(written)) not in DESIGNS:
        about.fail(f"`design`: expected one of {in_backticks(DESIGNS)}", "design")
    (name,) = written
    inside = about.table("design").table(name)
    return inside.only(_parametrised(name, inside))


def _parametrised(name: str, inside: Table) -> Design:
    if name == "fractional":
        return Fractional(dict(_generator(inside, text) for text in inside.texts("generators")))
    if name == "latin_hypercube":
        return LatinHypercube(inside.whole("points", least=1, most=MOST_SAMPLES))
    if name in {"sobol", "saltelli"}:
        kind = Sobol if name == "sobol" else Saltelli
        return kind(inside.whole("points", least=1, most=MOST_SAMPLES))
    return TwoLevel() if name == "two_level" else Design()


def _generator(inside: Table, text: str) -> tuple[str, tuple[str, ...]]:
    name, equals, product = text.partition("=")
    words = tuple(word.strip() for word in product.split("*"))
    if not equals or not name.strip() or not all(words):
        inside.fail(f"generator {text!r}; one such as 'd = a*b*c' is expected", "generators")
    return name.strip(), words


def _replications(about: Table) -> int | Precision | DifferenceRule:
    if not about.has("replications"):
        return 1
    written = about.value(
        "replications",
        (int, dict),
        "a whole number, or a table with relative_half_width or difference_half_width, min, max, "
        "confidence",
    )
    if isinstance(written, int):
        return about.whole("replications", least=1, most=MOST_REPLICATIONS)
    rule = about.table("replications")
    of_differences = rule.has("difference_half_width")
    key = "difference_half_width" if of_differences else "relative_half_width"
    width = rule.number(key) or 0.0
    fewest = rule.whole("min", least=2, most=MOST_REPLICATIONS, default=5)
    most = rule.whole("max", least=fewest, most=MOST_REPLICATIONS, default=max(100, fewest))
    confidence = rule.number("confidence", optional=True)
    rule.done()
    if not 0.0 < width < 1.0:
        rule.fail(f"`{key}` is {width:g}; above 0 and below 1 is accepted", key)
    kind = DifferenceRule if of_differences else Precision
    try:
        return kind(width, fewest, most, CONFIDENCE if confidence is None else confidence)
    except ValueError as error:
        rule.fail(str(error), "confidence")


def _recorded(about: Table) -> tuple[str, ...] | None:
    if not about.has("series"):
        return ()
    written = about.value("series", (str, list), '"all", "none" or a list of names')
    if isinstance(written, str):
        return None if about.one_of("series", ("all", "none")) == "all" else ()
    return about.texts("series")


def _response(name: str, table: Table) -> Response:
    read = _of_series if table.has("series") else _of_quantity
    response = table.attempt(lambda: read(name, table))
    if response is None:
        table.knows(*RESPONSE)
    table.done()
    return response or TOTAL


def _of_quantity(name: str, table: Table) -> Response:
    if not table.has("quantity"):
        table.knows("reduce", "times", "unit", "transform")
        table.fail_missing(
            "quantity",
            f"response `{name}` has neither `quantity` nor `series`; one of them is expected",
        )
    quantity, explained = read_quantity(table)
    unit = _unit(table)
    known = units_of(quantity.path, explained=explained)
    fitting = ("1", "%") if quantity.reduce in UNITLESS else known
    if table.has("unit") and unit in UNITS and fitting and unit not in (*fitting, "1"):
        table.fail(
            f"`unit` is {unit!r}, and {quantity.path!r} is in {fitting[0]}; one of "
            f"{', '.join(dict.fromkeys((*fitting, '1')))} is expected",
            "unit",
        )
    transform = None if explained else _transform(table)
    return Response(name, quantity, unit, explained, transform)


def _of_series(name: str, table: Table) -> Response:
    how = table.one_of("reduce", (*SERIES_REDUCTIONS, BATCH_MEANS))
    quantile = table.number("quantile", optional=True)
    if (quantile is None) == (how == "quantile"):
        table.fail(
            "`quantile` is the fraction of samples below it, 0 to 1: needed for `reduce` = "
            "'quantile', and for nothing else",
            "reduce",
        )
    if quantile is not None and not 0.0 <= quantile <= 1.0:
        table.fail(f"`quantile` is {quantile:g}; 0 to 1 is accepted", "quantile")
    start, end = _seconds(table, "from"), _seconds(table, "to")
    if end is not None and end <= (start or 0.0):
        table.fail("`to` is not after `from`", "to")
    warm_up = table.one_of("warm_up", (MSER5,)) if table.has("warm_up") else None
    reduction = Reduction(table.text("series"), how, start or 0.0, end, quantile, warm_up)
    return Response(name, reduction, _unit(table), transform=_transform(table))


def _transform(table: Table) -> str | None:
    return table.one_of("transform", (LOG,)) if table.has("transform") else None


def _unit(table: Table) -> str:
    """A known unit, to which numbers are converted, or a name: ``{ name = "octet" }``."""
    if not table.has("unit") or not isinstance(table.value("unit", (str, dict), "a unit"), dict):
        return table.one_of("unit", tuple(UNITS), "1")
    inside = table.table("unit")
    name = inside.only(inside.text("name"))
    if name in UNITS:
        inside.fail(f"numbers are converted to {name}; `unit` = {name!r} is expected", "name")
    return name


def _seconds(table: Table, key: str) -> float | None:
    """A time such as ``"5 s"`` or ``"200 ms"``."""
    if not table.has(key):
        return None
    try:
        return seconds(table.text(key))
    except ValueError as error:
        table.fail(f"`{key}` is {error}", key)
